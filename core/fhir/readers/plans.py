"""What plans, teams, goals, orders and flags say: each activity, member and target with its own state."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.dosage import timing
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.readers.wording import amount, either, period, plain, plains, qualified
from core.fhir.source import Source
from core.fhir.values import shown_ratio, shown_span


def care_plan(source: Source) -> None:
    for i, activity in enumerate(objects(source.resource.get("activity"))):
        detail = obj(activity.get("detail"))
        told = string(detail.get("description"))
        name = plain(detail.get("code")) or told
        prohibited = "do not perform: " if detail.get("doNotPerform") is True else ""
        text = qualified(name, string(detail.get("status")))
        source.add("activity", f"activity[{i}].detail", f"{prohibited}{text}" if text else "")
        source.add("activity", f"activity[{i}].reference", source.name(activity.get("reference")))
        source.add(
            "activity",
            f"activity[{i}].plannedActivityReference",
            source.name(activity.get("plannedActivityReference")),
        )
        for kind, said in _about_activity(source, activity, detail, told if told != name else ""):
            source.add(kind, f"activity[{i}]", qualified(said, name))
    source.add("goal", "goal", *source.names("goal"))
    source.add("care team", "careTeam", *source.names("careTeam"))


def _about_activity(source: Source, activity: Json, detail: Json, told: str) -> list[tuple[str, str]]:
    """When, where, what came of it: each (kind, words)."""
    outcomes = plains(activity.get("outcomeCodeableConcept"))
    outcomes += [n for r in objects(activity.get("outcomeReference")) if (n := source.name(r))]
    return [
        ("activity description", told),
        ("scheduled", period(detail.get("scheduledPeriod")) or timing(obj(detail.get("scheduledTiming")))),
        ("scheduled", string(detail.get("scheduledString"))),
        ("activity location", source.name(detail.get("location"))),
        ("activity reason", ", ".join(plains(detail.get("reasonCode")))),
        ("activity amount", amount(detail.get("quantity")) or amount(detail.get("dailyAmount"))),
        (
            "activity product",
            plain(detail.get("productCodeableConcept")) or source.name(detail.get("productReference")),
        ),
        ("activity outcome", ", ".join(outcomes)),
        (
            "activity progress",
            "; ".join(t for n in objects(activity.get("progress")) if (t := string(n.get("text")))),
        ),
    ]


def care_team(source: Source) -> None:
    for i, member in enumerate(objects(source.resource.get("participant"))):
        roles = ", ".join(plains(member.get("role")))
        name, behalf = source.name(member.get("member")), source.name(member.get("onBehalfOf"))
        ended = period(member.get("period")) if "end" in obj(member.get("period")) else ""
        said = (roles, f"for {behalf}" if behalf else "", ended)
        source.add(
            "member", f"participant[{i}]", qualified(name, *said) or ", ".join(w for w in (roles, ended) if w)
        )
    source.add("organization", "managingOrganization", *source.names("managingOrganization"))


def goal(source: Source) -> None:
    for i, target in enumerate(objects(source.resource.get("target"))):
        aim = (
            amount(target.get("detailQuantity"))
            or shown_span(obj(target.get("detailRange")))
            or shown_ratio(obj(target.get("detailRatio")))
            or plain(target.get("detailCodeableConcept"))
            or string(target.get("detailString"))
            or string(target.get("detailInteger"))
            or either(target.get("detailBoolean"), "yes", "no")
        )
        length = quantity(target.get("dueDuration"))
        due = string(target.get("dueDate"))
        text = " ".join(p for p in (plain(target.get("measure")), aim) if p)
        by = f"by {due}" if due else f"within {shown_quantity(length)}" if length else ""
        source.add("target", f"target[{i}]", qualified(text, by) or by)
    source.add("status reason", "statusReason", string(source.resource.get("statusReason")))


def service_request(source: Source) -> None:
    body = source.resource
    source.add("requester", "requester", source.name(body.get("requester")))
    detail = [d.get("parameterFocus", d) for d in objects(body.get("orderDetail"))]  # R5 nests it
    source.add("detail", "orderDetail", *map(codes.plain, codes.labels(detail)))
    source.add(
        "amount",
        "quantity",
        amount(body.get("quantityQuantity")) or shown_span(obj(body.get("quantityRange"))),
    )
    source.add("amount", "quantityRatio", shown_ratio(obj(body.get("quantityRatio"))))
    source.add("planned", "occurrencePeriod", period(body.get("occurrencePeriod")))
    source.add("planned", "occurrenceTiming", timing(obj(body.get("occurrenceTiming"))))
    needed = plain(body.get("asNeededCodeableConcept"))
    yes = "yes" if body.get("asNeededBoolean") is True else ""
    source.add("as needed", "asNeeded", f"for {needed}" if needed else yes)
    source.add(
        "intent", "intent", *(w for w in strings(body.get("intent")) if w not in ("order", "original-order"))
    )


SERVICE_REQUEST_READ = (
    *("requester", "orderDetail", "quantityQuantity", "quantityRange", "quantityRatio", "occurrencePeriod"),
    *("occurrenceTiming", "asNeededBoolean", "asNeededCodeableConcept"),
)
