"""What the server says of messages, as typed values."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Callable

from .check import CheckedMessage, Problem, check_message
from .retry import PATIENCE, check_seconds


@dataclass(frozen=True)
class Address:
    name: str
    address: str


@dataclass(frozen=True)
class Link:
    url: str
    label: str


@dataclass(frozen=True)
class Attachment:
    index: int
    filename: str
    content_type: str
    size: int
    content_id: str | None
    #: The ``src`` of each image in the HTML that means this attachment.
    references: list[str]
    #: Hash of the decoded bytes, in hex.
    sha256: str | None
    _fetch: Callable[[float], bytes] = field(repr=False, compare=False)

    def content(self, *, timeout: float = PATIENCE) -> bytes:
        """The decoded bytes."""
        return self._fetch(timeout)


@dataclass(frozen=True)
class Report:
    """What a server or mail program reports on another mail: a bounce, a receipt, a complaint."""

    #: ``failed``, ``delayed``, ``delivered``, ``read``, ``deleted``, ``processed`` or ``complaint``.
    kind: str
    #: As RFC 3464, 8098 or 5965 names them.
    fields: list[tuple[str, str]]
    text: str


@dataclass(frozen=True)
class Authentication:
    """Results of SPF, DKIM, DMARC and ARC, e.g. ``pass``, ``fail`` or ``none`` (RFC 8601)."""

    spf: str
    dkim: str
    dmarc: str
    arc: str
    #: The domain that they vouch for.
    domain: str | None


@dataclass(frozen=True)
class Summary:
    """A row of the mailbox."""

    id: str
    #: Pass the message as ``after`` to wait for the next one.
    cursor: str
    subject: str
    sender: Address
    #: The addresses of the mailbox that the envelope named, each with its tag.
    envelope_to: list[str]
    received_at: str
    preview: str
    #: One-time codes, best guess first.
    codes: list[str]
    #: ``vouched``, ``unknown`` or ``contradicted``: the sender is probably somebody else.
    verdict: str
    #: Why, e.g. ``signed``, ``unverified`` or ``policy``.
    verdict_reason: str
    #: What the verdict rests on; ``None`` while the sender is being checked.
    authentication: Authentication | None


@dataclass(frozen=True)
class Message(Summary):
    """A whole message. Strangers wrote it: ``html`` is not sanitised."""

    to: list[Address]
    cc: list[Address]
    text: str | None
    html: str | None
    headers: list[tuple[str, str]]
    links: list[Link]
    #: Every link that a reader sees, each URL once, with the text that is shown for it. ``links`` has the confirmation links.
    all_links: list[Link]
    #: What a reader sees of the HTML, in a message without a text, or whose text is HTML.
    html_text: str | None
    report: Report | None
    attachments: list[Attachment]
    #: Faults that other servers refuse and programs misread, with the rule and what to do.
    warnings: list[Problem]
    _raw: Callable[[float], bytes] = field(repr=False, compare=False)

    def header(self, name: str) -> str | None:
        """The first header of this name, upper or lower case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def check(self, *, follow: bool = True, timeout: float = PATIENCE) -> CheckedMessage:
        """Checks links, images, HTML that mail programs lack, and headers.

        Requests each link and image from this machine, with HEAD where that works; with ``follow=False`` none.
        """
        check_seconds("timeout", timeout)
        return check_message(self, follow, timeout)

    def raw(self, *, timeout: float = PATIENCE) -> bytes:
        """The message byte for byte as it arrived."""
        return self._raw(timeout)


def parse_address(json: dict[str, Any]) -> Address:
    return Address(name=json["name"], address=json["address"])


def _parse_authentication(json: dict[str, Any] | None) -> Authentication | None:
    if json is None:
        return None
    return Authentication(spf=json["spf"], dkim=json["dkim"], dmarc=json["dmarc"], arc=json["arc"], domain=json.get("domain"))


def _parse_report(json: dict[str, Any] | None) -> Report | None:
    if json is None:
        return None
    return Report(kind=json["kind"], fields=[(each["name"], each["value"]) for each in json["fields"]], text=json["text"])


def parse_summary(json: dict[str, Any]) -> Summary:
    return Summary(
        id=json["id"],
        cursor=json["cursor"],
        subject=json["subject"],
        sender=parse_address(json["from"]),
        envelope_to=list(json["envelopeTo"]),
        received_at=json["receivedAt"],
        preview=json["preview"],
        codes=list(json["codes"]),
        verdict=json["verdict"],
        verdict_reason=json["verdictReason"],
        authentication=_parse_authentication(json.get("authentication")),
    )


def parse_message(json: dict[str, Any], fetch: Callable[[str, float], bytes]) -> Message:
    """``fetch`` takes a path below the message and a time-out, and returns its bytes."""
    return Message(
        **vars(parse_summary(json)),
        to=[parse_address(each) for each in json["to"]],
        cc=[parse_address(each) for each in json["cc"]],
        text=json.get("text"),
        html=json.get("html"),
        headers=[(header["name"], header["value"]) for header in json["headers"]],
        links=[Link(url=link["url"], label=link["label"]) for link in json["links"]],
        all_links=[Link(url=link["url"], label=link["text"]) for link in json["allLinks"]],
        html_text=json.get("htmlText"),
        report=_parse_report(json.get("report")),
        attachments=[
            Attachment(
                index=each["index"],
                filename=each["filename"],
                content_type=each["contentType"],
                size=each["size"],
                content_id=each.get("contentId"),
                references=list(each.get("references", [])),
                sha256=each.get("sha256"),
                _fetch=partial(fetch, f"/attachments/{each['index']}"),
            )
            for each in json["attachments"]
        ],
        warnings=[Problem(each["kind"], each["detail"], each["rule"], each["remedy"]) for each in json["warnings"]],
        _raw=partial(fetch, "/raw"),
    )
