"""Behind a connection that fails in every way: the client ends in time, with the right mail, or with an error that says why."""

import os
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

import httpx
import pytest
from mayfly_mail import Mailbox, MailboxExpiredError, Mayfly, MayflyError, UnexpectedMailError
from test_client import send

KEY = os.environ["MAYFLY_API_KEY"]
Fault = str | None


@contextmanager
def chaos(server: str, next_fault: Callable[[str], Fault]) -> Iterator[tuple[str, list[str]]]:
    """A proxy that spoils the responses for which ``next_fault`` names a fault, and the requests that it got."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            step = f"{self.command} {self.path.split('?')[0]}"
            requests.append(step)
            fault = next_fault(step)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if fault == "cut":
                return
            if fault == "bad gateway":
                return self.reply(502, b"<h1>Bad Gateway</h1>", {"content-type": "text/html"})
            if fault == "too many":
                return self.reply(429, b"Slow down", {"retry-after": "1"})
            sent = {name: value for name, value in self.headers.items() if name.lower() in ("authorization", "content-type", "idempotency-key")}
            answer = httpx.request(self.command, server + self.path, content=body, headers=sent, timeout=60)
            content = answer.content[:20] if fault == "not json" else answer.content
            length = len(content) + (10 if fault == "half" else 0)
            kept = {"content-type": answer.headers.get("content-type", "application/json"), "content-length": str(length)}
            self.reply(answer.status_code, content, kept)

        def reply(self, status: int, content: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"content-length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

        do_GET = do_POST = do_DELETE = handle_any

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_port}", requests
        proxy.shutdown()


@pytest.mark.parametrize("fault", ["cut", "half", "bad gateway", "too many", "not json"])
def test_what_fails_for_the_moment_is_tried_again(mayfly: Mayfly, fault: str) -> None:
    seen: Counter[str] = Counter()

    def twice(step: str) -> Fault:
        seen[step] += 1
        return fault if seen[step] <= 2 and not step.startswith("DELETE") else None

    before = len(list(mayfly.list_mailboxes()))
    with chaos(mayfly.url, twice) as (url, _), Mayfly(url, KEY) as behind, behind.create_mailbox() as mailbox:
        assert len(list(mayfly.list_mailboxes())) == before + 1
        threading.Timer(0.3, lambda: send(mailbox, text="Your code is 424242.")).start()
        assert mailbox.wait_for_code(timeout=30) == "424242"
        seen.clear()
        opened = behind.open_mailbox(mailbox.token)
        seen.clear()
        message = opened.read_message(opened.list_messages()[0].id)
        # Bytes that end early as if they were whole look like any others.
        assert fault == "not json" or b"424242" in message.raw()


def test_a_final_refusal_is_not_repeated(mayfly: Mayfly) -> None:
    with chaos(mayfly.url, lambda _: None) as (url, requests), Mayfly(url, KEY) as behind:
        with pytest.raises(MayflyError, match="domain_not_served"):
            behind.create_mailbox(domain="nobody.test")
        assert requests == ["POST /api/mailboxes"]


def test_a_server_that_stays_away_ends_a_wait_in_time(mailbox: Mailbox) -> None:
    with chaos(mailbox._api.url, lambda step: None if step == "GET /api/mailbox" else "cut") as (url, _), Mayfly(url, KEY) as behind:
        cut = behind.open_mailbox(mailbox.token)
        began = time.monotonic()
        calls: list[Callable[[], Any]] = [
            lambda: cut.wait_for_code(timeout=0.5),
            lambda: cut.expect_no_mail(within=0.5),
            lambda: cut.list_messages(timeout=0.5),
        ]
        for call in calls:
            with pytest.raises(MayflyError) as caught:
                call()
            assert caught.value.code == "network"
        assert time.monotonic() - began < 4


def test_a_mailbox_that_ends_during_a_wait_is_an_error_of_its_own(mayfly: Mayfly) -> None:
    mailbox = mayfly.create_mailbox(lifetime=60)
    threading.Timer(0.3, mailbox.delete).start()
    with pytest.raises(MailboxExpiredError, match="was deleted"):
        mailbox.wait_for_code(timeout=20)


@pytest.mark.parametrize("timeout", [float("nan"), float("inf"), -1, 1e9])
def test_a_wrong_time_is_a_value_error(mailbox: Mailbox, timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout must be a number of seconds"):
        mailbox.wait_for_message(timeout=timeout)


def test_options_of_a_wrong_type_are_named(mayfly: Mayfly, mailbox: Mailbox) -> None:
    wrong: Any = mailbox
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: wrong.wait_for_message(timeout="5000"), "timeout"),
        (lambda: wrong.wait_for_message(from_=5), "from"),
        (lambda: wrong.wait_for_message(after=5), "after"),
        (lambda: wrong.wait_for_message(sender="xyz"), "sender"),
        (lambda: wrong.wait_for_messages("2"), "count"),
    ]
    for call, name in calls:
        with pytest.raises(TypeError, match=name):
            call()
    with pytest.raises(ValueError, match="after"):
        wrong.wait_for_message(after="yesterday")


def test_several_messages_none_and_own_codes(mayfly: Mayfly, mailbox: Mailbox) -> None:
    mailbox.expect_no_mail(within=0.3)
    for subject in ("Seeds A1", "Other", "Seeds B2"):
        send(mailbox, subject=subject)
    assert [each.subject for each in mailbox.wait_for_messages(2, subject="seeds")] == ["Seeds A1", "Seeds B2"]
    assert mailbox.wait_for_code(code_pattern=r"Seeds (\w\d)") == "A1"
    with pytest.raises(UnexpectedMailError, match="'Other'"):
        mailbox.expect_no_mail(within=5, subject="other")


def test_a_key_makes_many_mailboxes_with_ids_and_an_empty_key_is_none(mayfly: Mayfly) -> None:
    made = mayfly.create_mailboxes(3, lifetime=60)
    assert len({each.address for each in made}) == 3 and all(each.id for each in made)
    assert made[0].token not in repr(made) and made[0].address in repr(made)
    for each in made:
        each.delete()
    with Mayfly(mayfly.url, "") as visitor, visitor.create_mailbox() as mailbox:
        assert mailbox.id is None
