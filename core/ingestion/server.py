"""A record from a FHIR server: every page of it, or an error and nothing; the token goes to that server alone.

`…/Patient/ID` is asked for by $everything, any other URL is read as it stands; both follow Bundle.link "next".
FHIR R4 http.html, bundle.html, operation-patient-everything.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import httpx
import orjson
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential_jitter,
)

from core.errors import IngestError
from core.fhir.read import Json, obj, objects, string
from core.ingestion.files import Source

_PATIENT = re.compile(r"/Patient/[A-Za-z0-9\-.]{1,64}/?$")
_EVERYTHING = re.compile(r"/Patient/([^/]+)/\$everything$")
_PAGE = 500  # resources asked for at a time; a server may send fewer
_LONGEST_PAGE = 256 << 20  # bytes, decompressed
_MOST_PAGES = 100_000
_TRIES, _LONGEST_WAIT = 4, 60.0  # seconds
_PASSING = frozenset({429, 502, 503, 504})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NOTHING = "Nothing was ingested."


class _TryAgain(Exception):
    """A failure that may pass; after how many seconds, if the server says so."""

    def __init__(self, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class _TokenFor(httpx.Auth):
    """The token with requests to the server that was named, and to no other that it leads to."""

    def __init__(self, first: httpx.URL, token: str) -> None:
        self._origin, self._token = _origin(first), token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if _origin(request.url) == self._origin:
            request.headers["Authorization"] = f"Bearer {self._token}"
        else:
            request.headers.pop("Authorization", None)
        yield request


def is_url(text: str) -> bool:
    """Whether it is a web address, not a path."""
    return text.lower().startswith(("http://", "https://"))


def download(
    url: str,
    into: Path,
    token: str = "",
    timeout: float = 60.0,
    on_page: Callable[[int], None] = lambda _: None,
) -> Source:
    """Write all pages of a record into the file `into`, one a line; raises IngestError when one is missing.

    `token` is sent as a bearer token to the server of `url` only. `on_page` is told how many pages have come.
    """
    first = _checked(url, bool(token))
    headers = {"Accept": "application/fhir+json", "User-Agent": "ChartCite"}
    auth = _TokenFor(first, token) if token else None
    with (
        httpx.Client(headers=headers, auth=auth, timeout=timeout, follow_redirects=True) as client,
        into.open("xb") as file,
    ):
        for number, body in enumerate(_pages(client, first), 1):
            file.write(body + b"\n")
            on_page(number)
        size = file.tell()
    return Source(_told(first), into, size, unit="page", lasting=False)


def _checked(url: str, secret: bool) -> httpx.URL:
    """The URL to begin with; raises IngestError for one that may not or cannot be asked."""
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise IngestError(f"The URL is not valid. Write https://server/base/Patient/ID. {_NOTHING}") from None
    if not address.host:
        raise IngestError(f"The URL names no server. Write https://server/base/Patient/ID. {_NOTHING}")
    if address.userinfo:
        raise IngestError(
            f"Give no password in the URL; set CHARTCITE_FHIR_TOKEN to a bearer token. {_NOTHING}"
        )
    if secret and address.scheme != "https" and address.host not in _LOOPBACK:
        raise IngestError(
            f"{_told(address)}: the token would travel unencrypted. Use https, or unset CHARTCITE_FHIR_TOKEN. {_NOTHING}"
        )
    if _PATIENT.search(address.path):
        return address.copy_with(path=address.path.rstrip("/") + "/$everything").copy_merge_params(
            {"_count": str(_PAGE)}
        )
    return address


def _pages(client: httpx.Client, first: httpx.URL) -> Iterator[bytes]:
    """Each page on one line; the next one only from the server that was asked, no page twice, and none missing."""
    address, asked, held = first, set[str](), set[str]()
    asked_for = _EVERYTHING.search(first.path)
    sent = counted = 0
    while len(asked) < _MOST_PAGES:
        asked.add(str(address))
        body, answered = _fetch(client, address)
        page = _page(body, address)
        # Line ends stand between the values of JSON only; within a text they are escaped.
        yield body.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b" ").replace(b"\n", b" ")
        sent += len(objects(page.get("entry")))
        total = page.get("total")
        counted = max(counted, total if isinstance(total, int) else 0)
        links = {
            string(k.get("relation")).casefold(): string(k.get("url")) for k in objects(page.get("link"))
        }
        held |= {string(r.get("id")) for r in _resources(page) if r.get("resourceType") == "Patient"}
        if "next" in links and not links["next"]:
            raise IngestError(f"{_told(first)}: the server names a next page without its address. {_NOTHING}")
        if page.get("resourceType") != "Bundle" or not links.get("next"):
            if asked_for and held and asked_for[1] not in held:
                raise IngestError(
                    f"{_told(first)}: the server sent the record of another patient. Check its address. {_NOTHING}"
                )
            if sent < counted:
                raise IngestError(
                    f"{_told(first)}: the server counts {counted:,} resources and sent {sent:,}. "
                    f"Run the same command again, or ask for less at a time. {_NOTHING}"
                )
            return
        try:
            address = answered.join(links["next"])
        except (httpx.InvalidURL, ValueError):
            raise IngestError(f"{_told(first)}: the link to the next page is no URL. {_NOTHING}") from None
        if _origin(address) not in (_origin(first), _origin(answered)):
            raise IngestError(
                f"{_told(first)}: the next page is said to be on another server ({address.host}), which is not asked. "
                f"Have the server name itself as you do. {_NOTHING}"
            )
        if str(address) in asked:
            raise IngestError(f"{_told(first)}: the pages of the server lead in a circle. {_NOTHING}")
    raise IngestError(f"{_told(first)} has more than {_MOST_PAGES:,} pages. {_NOTHING}")


def _fetch(client: httpx.Client, address: httpx.URL) -> tuple[bytes, httpx.URL]:
    """A page and the URL it came from, tried again while the failure may pass."""
    retrying = Retrying(
        stop=stop_after_attempt(_TRIES),
        wait=_wait,
        retry=retry_if_exception_type(_TryAgain),
        reraise=True,
    )
    try:
        return retrying(_fetch_once, client, address)
    except _TryAgain as error:
        raise IngestError(
            f"{_told(address)}: {error}, {_TRIES} times. Check the server, then run the same command again. {_NOTHING}"
        ) from None


def _wait(state: RetryCallState) -> float:
    """Seconds until the next try: what the server asks for, within bounds, else twice as long each time."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, _TryAgain) and error.after is not None:
        return min(error.after, _LONGEST_WAIT)
    return wait_exponential_jitter(multiplier=0.5, max=8.0, jitter=0.25)(state)


def _fetch_once(client: httpx.Client, address: httpx.URL) -> tuple[bytes, httpx.URL]:
    try:
        with client.stream("GET", address) as response:
            if response.status_code in _PASSING:
                raise _TryAgain(f"the server answered {response.status_code}", _retry_after(response))
            if not response.is_success:
                raise IngestError(_refusal(address, response.status_code))
            body = bytearray()
            for part in response.iter_bytes():
                body += part
                if len(body) > _LONGEST_PAGE:
                    raise IngestError(
                        f"{_told(address)}: a page has more than {_LONGEST_PAGE >> 20} MiB. {_NOTHING}"
                    )
            return bytes(body), response.url
    except httpx.TransportError as error:
        raise _TryAgain(f"no answer ({type(error).__name__})") from None
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise IngestError(f"{_told(address)} cannot be read ({type(error).__name__}). {_NOTHING}") from None


def _resources(page: Json) -> list[Json]:
    return [obj(e.get("resource")) for e in objects(page.get("entry"))] or [page]


def _page(body: bytes, address: httpx.URL) -> Json:
    try:
        page = obj(orjson.loads(body.removeprefix(b"\xef\xbb\xbf")))
    except orjson.JSONDecodeError:
        page = {}
    kind = page.get("resourceType")
    if kind == "OperationOutcome" or not isinstance(kind, str):
        what = "an error" if kind else "no FHIR JSON"
        raise IngestError(
            f"{_told(address)} answered with {what}. Check that it is the URL of a FHIR R4 server. {_NOTHING}"
        )
    return page


def _retry_after(response: httpx.Response) -> float | None:
    """Retry-After in seconds (RFC 9110 10.2.3); a date there is not read."""
    value = response.headers.get("Retry-After", "").strip()
    return float(value) if value.isascii() and value.isdigit() else None


def _refusal(address: httpx.URL, status: int) -> str:
    if status in (401, 403):
        advice = "Set CHARTCITE_FHIR_TOKEN to a bearer token that may read this record"
    elif status in (404, 410):
        advice = "Check the server's base URL and the patient's id"
    elif status in (400, 405, 422, 501) and address.path.endswith("$everything"):
        advice = "The server may not offer $everything: give it a search URL, or export the record to files"
    else:
        advice = "Check the URL and the server"
    return f"{_told(address)}: the server answered {status}. {advice}. {_NOTHING}"


def _origin(address: httpx.URL) -> tuple[str, str, int | None]:
    return address.scheme, address.host, address.port


def _told(address: httpx.URL) -> str:
    """The URL as it is shown and kept: without its query, which may hold what a record holds."""
    return str(address.copy_with(query=None, fragment=None))
