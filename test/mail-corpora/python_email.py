"""Reads mails with Python's own email package: a second opinion on what they say.

Paths come on standard input, one a line; one JSON object a line goes out:
{"subject", "from": [name, address], "plain", "html", "parts": [{"type", "name", "sha256", "text"}]}
plain and html are the bodies that get_body() would show.
What Python cannot read is null. Text ends its lines with LF; the sha256 is that of the decoded bytes.
"""

import hashlib
import json
import sys
from email import message_from_bytes, policy
from email.utils import parseaddr


def attempt(read):
    """Python's header and charset code raises on some hostile mail: then it has no opinion."""
    try:
        return read()
    except Exception:  # noqa: BLE001
        return None


def unescaped(text):
    """Python keeps the bytes of 8-bit fields as lone surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def sender(message):
    """Where there is no name the comment is one: what parseaddr says, the older half of the package."""
    field = message["from"]
    if field is None or not field.addresses:
        return ["", ""]
    first = field.addresses[0]
    raw = next(value for key, value in message.raw_items() if key.lower() == "from")
    comment, address = parseaddr(raw)
    name = first.display_name or (comment if address == first.addr_spec else "")
    return [unescaped(name), unescaped("" if first.addr_spec == "<>" else first.addr_spec)]


def text_of(part):
    payload = part.get_payload(decode=True)
    charset = part.get_content_charset("ascii")
    return payload.decode(charset, "replace").replace("\r\n", "\n").replace("\r", "\n")


def describe(part):
    payload = attempt(lambda: part.get_payload(decode=True))
    return {
        "type": attempt(part.get_content_type),
        "name": attempt(lambda: part.get_filename() and unescaped(part.get_filename())),
        "sha256": None if payload is None else hashlib.sha256(payload).hexdigest(),
        "text": attempt(lambda: text_of(part)) if part.get_content_maintype() == "text" else None,
    }


def leaves(part):
    """Down to the single parts. Python makes messages of every message/*; only whole, unencoded ones are."""
    is_report = part.get_content_maintype() == "message" and part.get_content_type() not in ("message/rfc822", "message/global")
    is_encoded = part.get("content-transfer-encoding", "").strip().lower() in ("base64", "quoted-printable")
    if not part.is_multipart() or is_report or (is_encoded and part.get_content_maintype() == "message"):
        return [part]
    return [leaf for child in part.iter_parts() for leaf in leaves(child)] if part.get_content_maintype() == "multipart" else leaves(part.get_payload(0))


def body(message, kind):
    part = message.get_body((kind,))
    return None if part is None else text_of(part)


def read(path):
    with open(path, "rb") as file:
        message = message_from_bytes(file.read(), policy=policy.default)
    return {
        "subject": attempt(lambda: unescaped(str(message["subject"] or ""))),
        "from": attempt(lambda: sender(message)),
        "plain": attempt(lambda: body(message, "plain")),
        "html": attempt(lambda: body(message, "html")),
        "parts": attempt(lambda: [describe(part) for part in leaves(message)]),
    }


for line in sys.stdin:
    print(json.dumps(attempt(lambda: read(line.rstrip("\n")))))
