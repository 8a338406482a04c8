"""What is loaded and what is not, as tables; file names and reasons are escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.text import escaped
from core.fhir.types import spoken
from core.quarantine import Quarantined
from core.uploads import Report


def counts_html(counts: Mapping[str, int]) -> str:
    """Resources by type, the most first, with how much of the whole each is."""
    total = sum(counts.values())
    most = max(counts.values())
    rows = "".join(
        f'<tr><td>{escaped(spoken(kind))}</td><td class="cc-bar-cell"><span style="width:{100 * n / most:.1f}%"></span></td>'
        f'<td class="is-number">{n:,}</td></tr>'
        for kind, n in counts.items()
    )
    patients = counts.get("Patient", 0)
    return (
        f'<h2 class="cc-h2">Loaded <span>{patients:,} patients, {total:,} resources</span></h2>'
        f'<table class="cc-table is-wide"><thead><tr><th>Type</th><th></th><th class="is-number">Resources</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def report_html(name: str, report: Report) -> str:
    """What became of an uploaded file."""
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (report.written, "new"),
            (report.updated, "updated"),
            (report.unchanged, "unchanged"),
            (report.superseded, "older than what is stored"),
            (report.quarantined, "in quarantine"),
        )
        if number
    ]
    warnings = "".join(f"<p>{escaped(w)}</p>" for w in report.warnings)
    return (
        f'<div class="cc-banner is-info" role="status"><b>{escaped(name)}</b>: {report.read:,} resources read'
        f"{': ' if parts else ''}{', '.join(parts)}.{warnings}</div>"
    )


def problems_html(problems: Sequence[Quarantined], first: int, total: int, to: Callable[[int], str]) -> str:
    """The quarantine, the latest first, paged."""
    head = f'<h2 class="cc-h2">Quarantine <span>{total:,} could not be taken</span></h2>'
    if not problems:
        return head + '<p class="cc-quiet">Everything that was loaded was taken.</p>'
    rows = "".join(
        f"<tr><td>{p.at:%Y-%m-%d %H:%M}</td><td>{escaped(p.source.rpartition('/')[2])}"
        f"{f'<br><code>{escaped(p.entry)}</code>' if p.entry else ''}</td><td>{escaped(p.reason)}</td></tr>"
        for p in problems
    )
    ways = [f'<a data-go href="{to(max(0, first - len(problems)))}">newer</a>'] if first else []
    if first + len(problems) < total:
        ways.append(f'<a data-go href="{to(first + len(problems))}">older</a>')
    pages = f'<p class="cc-pages"><span>{first + 1:,} to {first + len(problems):,}</span>{"".join(ways)}</p>'
    return (
        f'{head}<table class="cc-table is-wide"><thead><tr><th>When</th><th>File and entry</th><th>Reason</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>{pages}"
    )
