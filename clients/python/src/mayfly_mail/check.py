"""Checks what a mail program makes of a message: links, images, HTML that programs lack, and headers of bulk mail."""

from __future__ import annotations

import html as markup
import ipaddress
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Union
from urllib.parse import urljoin

import httpx

from .connections import connect_to, end_within, open_client
from .retry import Deadline

if TYPE_CHECKING:
    from .message import Message

_REDIRECTS_MAX = 10
_TARGETS_MAX = 200
_AT_ONCE = 8
_HEAD_REFUSED = (405, 501)
#: ``special``: not the internet at large. ``metadata``: where clouds tell their machines secrets. ``translated``: IPv6 blocks whose last
#: four bytes are an IPv4 address. ``carrying``: those that hold one at a place of their own. The npm client and the server have the
#: same file.
_BLOCKS = {
    kind: [ipaddress.ip_network(block) for block in blocks]
    for kind, blocks in json.loads(files(__package__).joinpath("special_addresses.json").read_text("utf-8")).items()
}
#: Gmail shows less of a longer message: its "[Message clipped]".
_GMAIL_HTML_BYTES_MAX = 102_000
#: Takes five seconds at 1.6 Mbit/s, which Lighthouse calls slow 4G.
_IMAGES_BYTES_MAX = 1_000_000


@dataclass(frozen=True)
class _Target:
    url: str
    #: Of the last response; without one, ``error`` says why.
    status: int | None = None
    #: The addresses it was sent on to, in their order.
    redirects: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class CheckedLink(_Target):
    #: What is shown for it.
    text: str = ""


@dataclass(frozen=True)
class CheckedImage(_Target):
    #: Of an image of the message, or as its server states them.
    bytes: int | None = None
    has_alt: bool = False


@dataclass(frozen=True)
class Problem:
    #: E.g. ``link_broken``, ``text_missing`` or ``bare_line_feed``.
    kind: str
    detail: str
    #: The rule that the mail breaks, e.g. ``RFC 5322 2.1.1``, and what to do; ``None`` if it breaks none.
    rule: str | None = None
    remedy: str | None = None


@dataclass(frozen=True)
class CheckedMessage:
    links: list[CheckedLink]
    images: list[CheckedImage]
    #: Features such as ``display:grid`` and the programs that lack them, what most lack first.
    unsupported: list[tuple[str, list[str]]]
    problems: list[Problem]


def check_message(message: Message, follow: bool, timeout: float) -> CheckedMessage:
    deadline = Deadline(timeout)
    links = [CheckedLink(link.url, text=link.label) for link in message.all_links if re.match("https?:", link.url, re.I)][:_TARGETS_MAX]
    images = _images(message)
    if follow:
        with open_client(limits=httpx.Limits(max_keepalive_connections=0)) as http, ThreadPoolExecutor(_AT_ONCE) as pool:
            links = list(pool.map(lambda link: _visit_link(http, link, deadline), links))
            images = list(pool.map(lambda image: _visit_image(http, image, deadline), images))
    return CheckedMessage(links, images, _unsupported(message.html or ""), _problems(message, links, images))


def unescape(text: str) -> str:
    """Character references as characters. Python reads no number of thousands of digits."""
    return markup.unescape(re.sub("&#([0-9]{8,})", lambda found: f"&#{found[1].lstrip('0')[:8] or 0}", text))


def _images(message: Message) -> list[CheckedImage]:
    parts = {name: each.size for each in message.attachments for name in each.references}
    found: dict[str, CheckedImage] = {}
    for tag in re.findall(r"<img\b[^<>]{0,10000}>", message.html or "", re.I)[:_TARGETS_MAX]:
        source = re.search(r"""\ssrc\s*=\s*["']?([^"'\s>]*)""", tag, re.I)
        url = unescape(source[1]) if source else ""
        image = CheckedImage(url, has_alt=re.search(r"\salt\s*=", tag, re.I) is not None)
        if url.startswith("data:"):
            image = replace(image, url=f"{url[:40]}…", bytes=len(url) * 3 // 4)
        elif url in parts:
            image = replace(image, bytes=parts[url])
        elif not re.match("https?:", url, re.I):
            image = replace(image, error="the message has no such part")
        found[image.url] = image
    return list(found.values())


def _visit_link(http: httpx.Client, link: CheckedLink, deadline: Deadline) -> CheckedLink:
    status, redirects, error, _ = _request(http, link.url, deadline)
    return replace(link, status=status, redirects=redirects, error=error)


def _visit_image(http: httpx.Client, image: CheckedImage, deadline: Deadline) -> CheckedImage:
    if image.bytes is not None or image.error is not None:
        return image
    status, redirects, error, size = _request(http, image.url, deadline)
    return replace(image, status=status, redirects=redirects, error=error, bytes=size)


def _request(http: httpx.Client, url: str, deadline: Deadline) -> tuple[int | None, tuple[str, ...], str | None, int | None]:
    """With HEAD, which confirms and unsubscribes nothing where servers keep to RFC 9110, and with GET where the address in the mail
    does not answer that. The sender chooses these addresses, so they reach no cloud's metadata, and no public host sends us on into
    this network.
    """
    redirects: list[str] = []
    method, target = "HEAD", url
    try:
        host = _host(url)
        addresses = _addresses(host)
        while len(redirects) <= _REDIRECTS_MAX:
            if any(map(_is_metadata, addresses)):
                return None, tuple(redirects), "it is an address of this machine's own link, or of a cloud's metadata", None
            left = max(0.1, min(deadline.attempt, deadline.left))
            end_within(left)
            connect_to(host, [str(address) for address in addresses])
            with http.stream(method, target, timeout=left) as response:
                status, headers = response.status_code, response.headers
            if method == "HEAD" and status in _HEAD_REFUSED and not redirects:
                method = "GET"
            elif 300 <= status < 400 and "location" in headers:
                target = urljoin(target, headers["location"])
                if not re.match("https?:", target):
                    return status, tuple(redirects), f"it leads to {target}", None
                host = _host(target)
                following = _addresses(host)
                if all(map(_is_public, addresses)) and not all(map(_is_public, following)):
                    return status, tuple(redirects), f"it leads into a private network: {target}", None
                redirects.append(target)
                addresses, method = following, "HEAD"
            else:
                length = headers.get("content-length", "")
                return status, tuple(redirects), None, int(length) if length.isdigit() else None
        return None, tuple(redirects), f"more than {_REDIRECTS_MAX} redirects", None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return None, tuple(redirects), str(error) or type(error).__name__, None


_Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]


def _host(url: str) -> str:
    """As it is connected to: ``host`` of ``httpx`` shows an internationalised name in its own script."""
    return httpx.URL(url).raw_host.decode("ascii")


def _addresses(host: str) -> list[_Address]:
    # The dot at the end of an absolute name changes nothing about where it leads.
    try:
        found = dict.fromkeys(str(each[4][0]) for each in socket.getaddrinfo(host.rstrip("."), None))
    except (OSError, UnicodeError):
        return []
    return [ipaddress.ip_address(text.partition("%")[0]) for text in found]


def _is_public(ip: _Address) -> bool:
    return not _is_within(ip, "special") and not _is_metadata(ip)


def _is_metadata(ip: _Address) -> bool:
    return _is_within(ip, "metadata") or (_is_within(ip, "carrying") and any(_is_within(each, "metadata") for each in _carried(ip)))


def _carried(ip: _Address) -> list[_Address]:
    """Each four bytes in a row. RFC 6052 leaves out the ninth byte, which is zero."""
    used = ip.packed[:8] + ip.packed[9:]
    return [ipaddress.IPv4Address(used[at : at + 4]) for at in range(len(used) - 3)]


def _is_within(ip: _Address, kind: str) -> bool:
    if any(ip in block for block in _BLOCKS["translated"]):
        ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return any(ip in block for block in _BLOCKS[kind])


def _unsupported(html: str) -> list[tuple[str, list[str]]]:
    known = json.loads(files(__package__).joinpath("mail_features.json").read_text("utf-8"))
    sheets = re.findall(r"<style\b[^<>]*>([^<]*)", html, re.I)
    attributes = [one or other for one, other in re.findall(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')""", html, re.I)]
    css = re.sub(r"/\*.*?(?:\*/|\Z)", " ", ";\n".join([*sheets, *attributes]), flags=re.S)
    found = [
        (feature, [program for bit, program in enumerate(known["programs"]) if int(mask, 36) >> bit & 1])
        for mask, names in known["lacking"].items()
        for feature in names.split(",")
        if re.search(_pattern(feature), html if feature[0] in "<[." else css, re.I)
    ]
    return sorted(found, key=lambda each: -len(each[1]))


def _pattern(feature: str) -> str:
    """Every repetition is bounded: what a mail holds may not make a search slow."""
    name = re.sub(r"[<>\[\]()@.:]|^1", "", feature)
    if feature.startswith("<"):
        return rf"<{name}[\s/>]"
    if feature.startswith("["):
        return rf"<[a-z][^<>]{{0,2000}}\s{name}[\s=>]"
    if feature.startswith("."):
        return rf"""<img\b[^<>]{{0,2000}}\.{name}["'?#\s>]"""
    if feature.startswith("@media ("):
        return rf"@media[^{{]{{0,200}}\({feature[8:-1]}"
    if feature.startswith("@"):
        return rf"@{name}\b"
    if feature.startswith(":"):
        return rf"{feature}\b[^;{{}}]{{0,500}}\{{"
    if feature.endswith("()"):
        return rf"[^\w-]{name}\("
    if feature.startswith("1"):
        return rf"[\s:(,.]\d{{1,9}}{name}\b"
    prop, value = feature.split(":")
    return rf"(?:^|[;{{\s]){prop}\s{{0,9}}:[^;{{}}]{{0,200}}{value}"


_UNSUBSCRIBE = re.compile(r"unsubscri|abmeld|d[ée]sabonn|darse de baja|cancelar (?:la )?suscripci|annulla l.iscrizione", re.I)


def _problems(message: Message, links: list[CheckedLink], images: list[CheckedImage]) -> list[Problem]:
    html, text = message.html or "", message.text or ""
    found: list[Problem] = []
    for target in [*links, *images]:
        # After a redirect it is not asked with GET, so nothing is known.
        is_unknown = target.redirects and target.status in _HEAD_REFUSED
        if target.error is not None or ((target.status or 0) >= 400 and not is_unknown):
            kind = "image_broken" if isinstance(target, CheckedImage) else "link_broken"
            found.append(Problem(kind, f"{target.url}: {target.error or target.status}"))
    found += [Problem("image_without_alt", image.url) for image in images if not image.has_alt]
    weight = sum(image.bytes or 0 for image in images)
    if weight > _IMAGES_BYTES_MAX:
        found.append(Problem("images_heavy", f"{weight} bytes of images"))
    if len(html.encode()) > _GMAIL_HTML_BYTES_MAX:
        found.append(Problem("html_clipped", f"{len(html.encode())} bytes of HTML; Gmail shows {_GMAIL_HTML_BYTES_MAX}"))
    if html and not text.strip():
        found.append(Problem("text_missing", "There is HTML and no text beside it"))
    precedence = (message.header("precedence") or "").lower()
    is_bulk = message.header("list-id") is not None or precedence in ("bulk", "list") or _UNSUBSCRIBE.search(html + text)
    if is_bulk and message.header("list-unsubscribe") is None:
        found.append(Problem("list_unsubscribe_missing", "Bulk mail without List-Unsubscribe (RFC 2369)"))
    if html and not re.search("color-scheme", html, re.I):
        found.append(Problem("dark_mode_unstated", "No `color-scheme`: programs may invert its colours in dark mode"))
    return found + message.warnings
