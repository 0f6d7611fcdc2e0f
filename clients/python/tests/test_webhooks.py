"""Webhooks as a test receives them. The server must be allowed to reach this machine, as one that `start()` of the JavaScript client is."""

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import chain
from typing import Any

import httpx
import pytest
from mayfly_mail import Mailbox, Mayfly, MayflyError, ReceivedWebhooks, verify_webhook
from test_client import send


def test_a_test_waits_for_the_webhook_of_its_mail(mayfly: Mayfly, mailbox: Mailbox) -> None:
    with ReceivedWebhooks(mailbox.webhooks) as of_mailbox, ReceivedWebhooks(mayfly.webhooks) as of_key:
        send(mailbox)
        message = mailbox.wait_for_message()
        for received in (of_mailbox, of_key):
            event = received.wait_for_webhook(message_id=message.id)
            assert (event.type, event.data["mailboxId"]) == ("message.received", mailbox.id)
        assert of_key.webhook is not None and mayfly.webhooks.test(of_key.webhook.id)
        assert of_key.wait_for_webhook(type="webhook.test").data == {"webhookId": of_key.webhook.id}
        with pytest.raises(MayflyError, match="None came"):
            of_key.wait_for_webhook(timeout=0.2)
    assert list(chain(mailbox.webhooks.list(), mayfly.webhooks.list())) == []


def test_a_request_is_accepted_by_its_signature_and_age() -> None:
    key, body = b"0123456789abcdef01234567", b'{"type":"message.received","timestamp":"","data":{"messageId":"m"}}'
    secret = f"whsec_{base64.b64encode(key).decode()}"

    def headers(at: int, signed: bytes = body) -> dict[str, str]:
        signature = base64.b64encode(hmac.new(key, f"msg_1.{at}.".encode() + signed, hashlib.sha256).digest()).decode()
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,bm90aGluZw== v1,{signature}"}

    now = int(time.time())
    odd = [headers(now) | {"Webhook-Timestamp": value} for value in ("²", "9" * 5000, "-1")]
    assert verify_webhook(secret, headers(now), body).data == {"messageId": "m"}
    for wrong, reason in ((headers(now, b"{}"), "another secret"), (headers(now - 301), "five minutes"), ({}, "five minutes"), *((each, "five minutes") for each in odd)):
        with pytest.raises(MayflyError, match=reason) as caught:
            verify_webhook(secret, wrong, body)
        assert caught.value.code == "webhook_invalid"
    for signed in (b"not json", b"[]", b'{"type":"message.received"}', b"\xff"):
        with pytest.raises(MayflyError, match="no event of Mayfly") as caught:
            verify_webhook(secret, headers(now, signed), signed)
        assert caught.value.code == "webhook_invalid"


def forged() -> tuple[dict[str, str], bytes]:
    """Signed with the empty key, which everybody knows."""
    body, now = b'{"type":"message.received","timestamp":"","data":{}}', int(time.time())
    signature = base64.b64encode(hmac.new(b"", f"msg_1.{now}.".encode() + body, hashlib.sha256).digest()).decode()
    return {"webhook-id": "msg_1", "webhook-timestamp": str(now), "webhook-signature": f"v1,{signature}"}, body


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_%", "whsec_²"])
def test_a_secret_that_is_none_accepts_nothing(secret: str) -> None:
    headers, body = forged()
    with pytest.raises(ValueError, match="secret must be one of a webhook"):
        verify_webhook(secret, headers, body)


def test_nothing_is_accepted_before_the_secret_is_known() -> None:
    early: list[int] = []

    class Server(BaseHTTPRequestHandler):
        """Posts to the new webhook before it answers."""

        def do_POST(self) -> None:
            url = json.loads(self.rfile.read(int(self.headers["content-length"])))["url"]
            headers, body = forged()
            early.append(httpx.post(url, headers=headers, content=body).status_code)
            webhook = {"id": "w", "url": url, "createdAt": "", "failures": 0, "secret": f"whsec_{'A' * 32}"}
            self._reply(json.dumps(webhook).encode())

        def do_DELETE(self) -> None:
            self._reply(b"{}")

        def _reply(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mayfly = Mayfly(f"http://127.0.0.1:{server.server_port}", api_key="key")
        with mayfly, ReceivedWebhooks(mayfly.webhooks) as received, pytest.raises(MayflyError, match="None came"):
            received.wait_for_webhook(timeout=0.1)
        server.shutdown()
    assert early == [503]
