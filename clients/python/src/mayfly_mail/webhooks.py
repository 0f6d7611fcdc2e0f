"""Webhooks of an API key, an API token or one mailbox, and the check of the requests that they send."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Mapping

from .api import Api
from .errors import MayflyError
from .retry import PATIENCE, check_id, check_option, check_seconds, check_text, patiently

#: How old a request may be, in seconds.
_AGE_MAX = 300
#: standardwebhooks.com asks for at least that many bytes.
_KEY_BYTES_MIN = 24


@dataclass(frozen=True)
class Webhook:
    id: str
    url: str
    created_at: str
    #: Failed attempts in a row.
    failures: int
    last_failure: str | None
    #: Why it sends nothing until its secret is rotated.
    disabled_reason: str | None
    #: For ``verify_webhook``; only when it was just created or rotated.
    secret: str | None


@dataclass(frozen=True)
class WebhookEvent:
    #: The same for every attempt to deliver this event.
    id: str
    type: str
    timestamp: str
    #: ``mailboxId``, ``messageId`` and ``receivedAt``; the list ``envelopeTo``, but not for an API key that did not make the mailbox;
    #: with ``webhook.test`` the ``webhookId``.
    data: dict[str, Any]


class Webhooks:
    """What is created, tested or rotated is not tried again: a lost response may have had its effect."""

    def __init__(self, api: Api, token: str | None, path: str) -> None:
        self._api = api
        self._token = token
        self._path = path

    def create(self, url: str) -> Webhook:
        """Only its result has the ``secret``."""
        check_text("url", url)
        return self._api.json(_parse, "POST", self._path, body={"url": url}, token=self._token)

    def list(self) -> list[Webhook]:
        return patiently(PATIENCE, lambda attempt: self._api.json(_parse_all, "GET", self._path, token=self._token, timeout=attempt))

    def delete(self, id: str) -> None:
        """One that is already gone is no error."""
        path = self._of(id)
        try:
            patiently(PATIENCE, lambda attempt: self._api.send("DELETE", path, token=self._token, timeout=attempt))
        except MayflyError as error:
            if error.code != "not_found":
                raise

    def test(self, id: str) -> bool:
        """Sends an event of the type ``webhook.test`` at once; whether it was delivered."""
        return self._api.json(_parse_test, "POST", f"{self._of(id)}/test", token=self._token)

    def rotate(self, id: str) -> Webhook:
        """A new secret. For 24 hours requests are signed with the old one too."""
        return self._api.json(_parse, "POST", f"{self._of(id)}/rotate", token=self._token)

    def _of(self, id: str) -> str:
        check_id(id)
        return f"{self._path}/{id}"


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> WebhookEvent:
    """Checks signature and age of a request that a webhook sent, and parses it.

    ``body``: the bytes as they came. Raises ``MayflyError`` ``webhook_invalid``, and ``ValueError`` for a secret that is none of a
    webhook, e.g. an empty one. See standardwebhooks.com.
    """
    key = _key_of(secret)
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > _AGE_MAX:
        raise _invalid("its time is not of the last five minutes")
    signed = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    wanted = f"v1,{base64.b64encode(signed).decode()}".encode()
    if not any(hmac.compare_digest(each.encode(), wanted) for each in given.get("webhook-signature", "").split(" ")):
        raise _invalid("its signature was made with another secret")
    try:
        event = json.loads(body)
        return WebhookEvent(id=id, type=event["type"], timestamp=event["timestamp"], data=dict(event["data"]))
    except (ValueError, TypeError, KeyError) as error:
        raise _invalid("its body is no event of Mayfly") from error


def _key_of(secret: str) -> bytes:
    if not isinstance(secret, str):
        raise TypeError(f"secret must be a string, not {type(secret).__name__}")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise ValueError("secret must be one of a webhook (whsec_…)") from error
    # Anybody can sign with an empty key.
    if len(key) < _KEY_BYTES_MIN:
        raise ValueError(f"secret must be one of a webhook (whsec_…): its key has {len(key)} bytes, fewer than {_KEY_BYTES_MIN}")
    return key


class ReceivedWebhooks:
    """Receives on this machine what a webhook sends: ``with ReceivedWebhooks(mailbox.webhooks) as received: …``.

    The server must be allowed to reach it (``WEBHOOK_ALLOW_PRIVATE=127.0.0.1``). ``url``: where the server reaches it, if elsewhere.
    """

    def __init__(self, webhooks: Webhooks, *, host: str = "127.0.0.1", port: int = 0, url: str | None = None) -> None:
        self._webhooks = webhooks
        self._events: list[WebhookEvent] = []
        self._seen: set[str] = set()
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer((host, port), self._handler())
        self._url = url or f"http://{host}:{self._server.server_port}/"
        self.webhook: Webhook | None = None

    def __enter__(self) -> ReceivedWebhooks:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            self.webhook = self._webhooks.create(self._url)
        except MayflyError:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop()
        if self.webhook is not None:
            try:
                self._webhooks.delete(self.webhook.id)
            except MayflyError as failure:
                # It ends with its mailbox.
                if failure.code != "mailbox_not_found" and not failure.is_transient:
                    raise

    def wait_for_webhook(self, *, type: str | None = None, message_id: str | None = None, timeout: float = 30.0) -> WebhookEvent:
        """The first event that matches and that no earlier call returned; one that is already there counts."""
        check_seconds("timeout", timeout)
        check_option("type", type)
        check_option("message_id", message_id)
        ends_at = time.monotonic() + timeout
        with self._changed:
            while True:
                for event in self._events:
                    if type in (None, event.type) and message_id in (None, event.data.get("messageId")):
                        self._events.remove(event)
                        return event
                left = ends_at - time.monotonic()
                if left <= 0:
                    came = f"What came: {self._events}" if self._events else "None came."
                    raise MayflyError("timeout", f"No webhook that matches came to {self._url} within {timeout:g} s. {came}")
                self._changed.wait(left)

    def _stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _receive(self, headers: Mapping[str, str], body: bytes) -> int:
        secret = self.webhook.secret if self.webhook else None
        # It is sent again: nothing can be checked before the response of ``create``.
        if secret is None:
            return 503
        try:
            event = verify_webhook(secret, headers, body)
        except MayflyError:
            return 401
        with self._changed:
            # It is sent again when its response was lost.
            if event.id not in self._seen:
                self._events.append(event)
            self._seen.add(event.id)
            self._changed.notify_all()
        return 204

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receive = self._receive

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                self.send_response(receive(dict(self.headers.items()), body))
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


def _parse(json: dict[str, Any]) -> Webhook:
    return Webhook(
        id=json["id"],
        url=json["url"],
        created_at=json["createdAt"],
        failures=json["failures"],
        last_failure=json.get("lastFailure"),
        disabled_reason=json.get("disabledReason"),
        secret=json.get("secret"),
    )


def _parse_all(json: dict[str, Any]) -> list[Webhook]:
    return [_parse(each) for each in json["webhooks"]]


def _parse_test(json: dict[str, Any]) -> bool:
    return bool(json["delivered"])


def _invalid(reason: str) -> MayflyError:
    return MayflyError("webhook_invalid", f"This is no request of the webhook: {reason}")
