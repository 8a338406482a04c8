"""What was read of a source: resources that can be cited, and a Problem for everything else, never a loss.

A Problem's reason says what is wrong and never repeats what a record holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.fhir.read import Json, obj, objects, string
from core.ingestion.files import Unreadable

_USUAL_BYTES = 2_048  # of JSON a resource: 1,700 in Synthea's records
_TYPE = re.compile(r"[A-Z][A-Za-z]{1,63}")
_ID = re.compile(r"[A-Za-z0-9\-.]{1,64}")
_URN = re.compile(r"urn:uuid:([A-Za-z0-9\-.]{1,64})")
_CODE = re.compile(r"[a-z-]{1,40}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be taken: where it is and why, with what to do about it."""

    source: str
    entry: str
    reason: str


@dataclass(slots=True)
class Document:
    """The resources of one Bundle, of one resource, of some lines of NDJSON, or of some entries of a large Bundle.

    `places` say where each resource stands, `numbers` how many stand before it in the source, of which `before` in other
    documents; `full_urls` are the urls its entries are known by. `first` and `last` tell
    which documents are the beginning and the end of their source; a document that is both is the whole of it.
    `conditional` says that references by identifier occur. `only_patient` is the one patient of a source of which this
    document is a part; `consumed` how many bytes of the source were read up to here; `size` the bytes of its own JSON.
    """

    source: str
    resources: list[Json] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    full_urls: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    conditional: bool = False
    before: int = 0
    first: bool = True
    last: bool = True
    only_patient: str = ""
    consumed: int = 0
    size: int = 0
    _servers: dict[str, str] = field(default_factory=dict)

    @property
    def read(self) -> int:
        return len(self.resources) + len(self.problems)

    @property
    def weight(self) -> int:
        """What it costs in memory, in resources of usual size."""
        return max(self.read, self.size // _USUAL_BYTES)

    def next(self) -> Document:
        """An empty document of the same source, for what follows."""
        before = self.before + len(self.resources)
        return Document(self.source, before=before, first=False, last=False)

    def refuse(self, place: str, reason: str) -> None:
        self.problems.append(Problem(self.source, place, reason))

    def take(self, parsed: object, place: str = "") -> None:
        """Keep what a Bundle holds, or one resource."""
        if isinstance(parsed, dict) and parsed.get("resourceType") == "Bundle":
            self._take_bundle(parsed, place)
        else:
            self._take_resource(parsed, place)

    def take_entry(self, entry: object, place: str) -> None:
        """Keep the resource of a Bundle's entry, and the url it is known by."""
        if isinstance(entry, Unreadable):
            self.refuse(place, str(entry))
            return
        resource = obj(entry).get("resource")
        url = string(obj(entry).get("fullUrl"))
        if string(obj(obj(entry).get("search")).get("mode")) == "outcome":
            self.refuse(place, f"is a message of the server, no record{_issue(obj(resource))}")
        elif not isinstance(resource, dict):
            self.refuse(place, _without_resource(obj(entry)))
        elif resource.get("resourceType") == "Bundle":
            self.refuse(place, "is a Bundle within a Bundle: ingest it as a file of its own")
        else:
            self._take_known_by(url, resource, place)

    def _take_known_by(self, url: str, resource: Json, place: str) -> None:
        """Keep a resource that is known by a url; one that has no id of its own yet has that of its urn:uuid."""
        new = _URN.fullmatch(url)
        if new and "id" not in resource:
            resource = {**resource, "id": new[1]}
        if reason := _uncitable(resource):
            self.refuse(place, reason)
            return
        target = reference_to(resource)
        other = self._servers.setdefault(target, url) if "://" in url and "/_history/" not in url else url
        if other != url:
            self.refuse(place, f"{target} is also a resource of another server: ingest each server by itself")
            return
        self._keep(resource, place)
        if url:
            self.full_urls[url] = target

    def _take_bundle(self, bundle: Json, place: str) -> None:
        entries = bundle.get("entry")
        if entries is not None and not isinstance(entries, list):
            self.refuse(", ".join(p for p in (place, "entry") if p), "is not a list")
            return
        for index, entry in enumerate(entries or []):
            self.take_entry(entry, ", ".join(p for p in (place, f"entry {index}") if p))

    def _take_resource(self, resource: object, place: str) -> None:
        if reason := _uncitable(resource):
            self.refuse(place, reason)
        else:
            self._keep(obj(resource), place)

    def _keep(self, resource: Json, place: str) -> None:
        self.numbers.append(self.before + len(self.resources))
        self.resources.append(resource)
        self.places.append(place)


def _uncitable(resource: object) -> str:
    """Why a resource has no type and id it could be cited by; nothing where it has."""
    body = obj(resource)
    kind, identity = body.get("resourceType"), body.get("id")
    if not body:
        return "is not a JSON object"
    if not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        return "has no valid resourceType"
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        return f"{kind} has no valid id (1 to 64 of A-Z a-z 0-9 - .)"
    return ""


def reference_to(resource: Json) -> str:
    """ "Type/id" of a resource."""
    return f"{resource.get('resourceType')}/{resource.get('id')}"


def _without_resource(entry: Json) -> str:
    """Why an entry has nothing to take. A deletion (FHIR R4 Bundle.entry.request) is said, not applied."""
    if string(obj(entry.get("request")).get("method")).upper() == "DELETE":
        return "deletes a resource: not applied; `forget` the patient and ingest the present record again"
    return "has no resource"


def _issue(outcome: Json) -> str:
    codes = [string(i.get("code")) for i in objects(outcome.get("issue"))]
    told = [c for c in codes if _CODE.fullmatch(c)]
    return f" ({', '.join(told)})" if told else ""
