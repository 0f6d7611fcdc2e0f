"""Webhooks as a test receives them. The server must be allowed to reach this machine, as one that `start()` of the JavaScript client is."""

import base64
import hashlib
import hmac
import time
from itertools import chain

import pytest
from mayfly_client import Mailbox, Mayfly, MayflyError, ReceivedWebhooks, verify_webhook
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
    assert verify_webhook(secret, headers(now), body).data == {"messageId": "m"}
    for wrong, reason in ((headers(now, b"{}"), "another secret"), (headers(now - 301), "five minutes"), ({}, "five minutes")):
        with pytest.raises(MayflyError, match=reason) as caught:
            verify_webhook(secret, wrong, body)
        assert caught.value.code == "webhook_invalid"
