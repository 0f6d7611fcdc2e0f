"""Behind a connection that fails in every way: the client ends in time, with the right mail, or with an error that says why."""

import gzip
import json
import os
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator, Mapping

import httpx
import pytest
from mayfly_mail import Mailbox, MailboxExpiredError, MailTimeoutError, Mayfly, MayflyError, UnexpectedMailError
from mayfly_mail.api import Api, Reply
from test_client import send

KEY = os.environ["MAYFLY_API_KEY"]
Fault = str | None
#: How a response begins, and what then comes for ever.
DRIPS = {
    "byte": (b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n", b" "),
    "header": (b"HTTP/1.1 200 OK\r\n", b"x-a: b\r\n"),
    "early hint": (b"", b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
    "empty gzip": (
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\na\r\n" + gzip.compress(b"")[:10] + b"\r\n",
        b"5\r\n\x00\x00\x00\xff\xff\r\n",
    ),
}


@contextmanager
def chaos(
    server: str, next_fault: Callable[[str], Fault], replies: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, list[str]]]:
    """A proxy that spoils the responses for which ``next_fault`` names a fault, and the requests that it got.

    ``replies``: what it answers itself, by path.
    """
    requests: list[str] = []
    upstream = httpx.Client(timeout=60, limits=httpx.Limits(max_connections=None))

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            step = f"{self.command} {self.path.split('?')[0]}"
            requests.append(step)
            fault = next_fault(step)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            reply = (replies or {}).get(self.path.split("?")[0])
            if reply is not None:
                return self.reply(200, json.dumps(reply).encode(), {"content-type": "application/json"})
            if fault == "cut":
                return
            if fault == "bad gateway":
                return self.reply(502, b"<h1>Bad Gateway</h1>", {"content-type": "text/html"})
            if fault == "too many today":
                return self.reply(429, b"Slow down", {"retry-after": formatdate(time.time() + 86_400, usegmt=True)})
            if fault == "moved":
                return self.reply(301, b"", {"location": server + self.path})
            if fault in ("refused", "other server"):
                return self.reply(400 if fault == "refused" else 200, b"{}", {"content-type": "application/json"})
            if fault in DRIPS:
                return self.drip(*DRIPS[fault])
            if fault == "too many":
                return self.reply(429, b"Slow down", {"retry-after": "1"})
            sent = {name: value for name, value in self.headers.items() if name.lower() in ("authorization", "content-type", "idempotency-key")}
            answer = upstream.request(self.command, server + self.path, content=body, headers=sent)
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

        def drip(self, beginning: bytes, part: bytes) -> None:
            """Something now and then, and never the end."""
            try:
                self.wfile.write(beginning)
                while True:
                    self.wfile.write(part)
                    time.sleep(0.2)
            except OSError:
                return

        def log_message(self, format: str, *args: Any) -> None:
            pass

        do_GET = do_POST = do_DELETE = handle_any

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_port}", requests
        proxy.shutdown()
    upstream.close()


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
    with chaos(mayfly.url, lambda _: "too many today") as (url, requests), Mayfly(url, KEY) as behind:
        with pytest.raises(MayflyError) as caught:
            behind.create_mailbox()
        assert (caught.value.status, caught.value.retry_after, len(requests)) == (429, 86_400, 1)


@pytest.mark.parametrize(("fault", "reason"), [("moved", "redirects to http"), ("other server", "not a reply of Mayfly")])
def test_a_wrong_address_is_named_at_once(mayfly: Mayfly, fault: str, reason: str) -> None:
    with chaos(mayfly.url, lambda _: fault) as (url, requests), Mayfly(url, KEY) as behind:
        with pytest.raises(MayflyError, match=reason):
            behind.create_mailbox()
        assert requests == ["POST /api/mailboxes"]


@pytest.mark.parametrize("fault", DRIPS)
def test_a_response_that_never_ends_is_given_up(mayfly: Mayfly, fault: str) -> None:
    with chaos(mayfly.url, lambda _: fault) as (url, _), Mayfly(url, KEY) as behind:
        with pytest.raises(MayflyError, match="timed out|took too long") as caught:
            behind.domains(timeout=0.5)
        assert caught.value.code == "network"


@pytest.mark.parametrize(("name", "size"), [("cost", 2_000_000_000), ("keyLength", 1_500_000_000)])
def test_a_proof_of_work_beyond_all_measure_is_refused(mayfly: Mayfly, name: str, size: int) -> None:
    wanted = {"algorithm": "PBKDF2/SHA-256", "nonce": "00", "salt": "00", "cost": 1, "keyLength": 32, "keyPrefix": "ff", name: size}
    replies = {"/api/config": {"botCheck": {"provider": "pow"}}, "/api/bot-check/challenge": {"parameters": wanted}}
    with chaos(mayfly.url, lambda _: None, replies) as (url, _), Mayfly(url) as visitor:
        with pytest.raises(MayflyError, match=f"{name} of {size}, more than") as caught:
            visitor.create_mailbox()
        assert caught.value.code == "bot_check_unsolvable"


def test_the_end_of_a_block_is_no_error_while_the_server_is_away(mayfly: Mayfly) -> None:
    away: Callable[[str], Fault] = lambda step: "bad gateway" if step.startswith("DELETE") else None
    with chaos(mayfly.url, away) as (url, requests), Mayfly(url, KEY) as behind:
        with behind.create_mailbox() as mailbox:
            pass
        assert requests[-1] == "DELETE /api/mailbox"
    mayfly.open_mailbox(mailbox.token).delete()


def test_the_loop_over_new_mail_ends_some_time_after_its_mailbox(mayfly: Mayfly) -> None:
    with chaos(mayfly.url, lambda _: "too many today") as (url, _), Mayfly(url, KEY) as behind:
        ended = Mailbox(behind._api, address="a@b.test", token="t", expires_at="2026-01-01T00:00:00Z", seconds_left=-61)
        with pytest.raises(MayflyError) as caught:
            next(ended.messages())
        assert caught.value.status == 429


def test_many_mailboxes_are_created_or_none(mayfly: Mayfly) -> None:
    before = {each["id"] for each in mayfly.list_mailboxes()}
    batches = iter([None, "refused"])
    with chaos(mayfly.url, lambda step: next(batches) if step.endswith("/batch") else None) as (url, _), Mayfly(url, KEY) as behind:
        with pytest.raises(MayflyError):
            behind.create_mailboxes(150)
    assert {each["id"] for each in mayfly.list_mailboxes()} == before


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


def test_more_than_a_hundred_threads_wait_at_once(mayfly: Mayfly) -> None:
    waits = 110
    together, met = threading.Barrier(waits), threading.Event()

    def meet(step: str) -> Fault:
        if step == "GET /api/mailbox/wait" and not met.is_set():
            # Shorter than a wait: what was given up must not be counted twice.
            together.wait(15)
            met.set()
        return None

    with chaos(mayfly.url, meet) as (url, _), Mayfly(url, KEY) as behind, ThreadPoolExecutor(waits) as threads:
        mailboxes = behind.create_mailboxes(waits)
        found = [threads.submit(each.wait_for_message, timeout=60) for each in mailboxes]
        assert met.wait(20)
        for each in mailboxes:
            send(each, subject=each.address)
        assert [each.result().subject for each in found] == [each.address for each in mailboxes]
        mayfly.delete_all_mailboxes()


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
        (lambda: wrong.wait_for_message(match="x"), "match"),
        (lambda: wrong.wait_for_code(code_pattern=rb"\d"), "code_pattern"),
        (lambda: wrong.messages(after=5), "after"),
        (lambda: mayfly.open_mailbox(None), "token"),  # type: ignore[arg-type]
        (lambda: Mayfly(None), "url"),  # type: ignore[arg-type]
    ]
    for call, name in calls:
        with pytest.raises(TypeError, match=name):
            call()
    values: list[tuple[Callable[[], Any], str]] = [
        (lambda: mailbox.wait_for_message(after="yesterday"), "after"),
        (lambda: mailbox.wait_for_message(from_=""), "from must not be empty"),
        (lambda: mailbox.wait_for_code(code_pattern="("), "code_pattern"),
        (lambda: mailbox.wait_for_link(host="https://shop.test"), "host"),
        (lambda: mailbox.read_message(".."), "id"),
        (lambda: mayfly.webhooks.delete("../mailboxes"), "id"),
        (lambda: Mayfly("https://ann:secret@mayfly.test"), "^url must have no user name(?!.*secret)"),
        (lambda: Mayfly(mayfly.url, "mft_secret\nx"), "^api_key must have no blanks(?!.*secret)"),
    ]
    for call, name in values:
        with pytest.raises(ValueError, match=name):
            call()


def test_a_condition_that_is_no_answer_matches_nothing(mailbox: Mailbox) -> None:
    async def is_ours(_: Any) -> bool:
        return False

    wrong: Any = is_ours
    send(mailbox)
    with pytest.raises(TypeError, match="not a coroutine"):
        mailbox.wait_for_message(match=wrong)
    with pytest.raises(MailTimeoutError):
        mailbox.wait_for_code(code_pattern=r"\d*", timeout=0.3)


def test_a_key_with_the_end_of_its_line_is_that_key(mayfly: Mayfly) -> None:
    with Mayfly(f" {mayfly.url}/ ", f"{KEY}\n") as same, same.create_mailbox() as mailbox:
        assert mailbox.id is not None
        assert same.open_mailbox(f"{mailbox.token}\n").address == mailbox.address
        assert same.domains() == [mailbox.address.split("@")[1]]
        send(mailbox)
        mailbox.delete_message(mailbox.wait_for_message().id)
        assert mailbox.list_messages() == []
        same.delete_mailbox(mailbox.id)
        same.delete_mailbox(mailbox.id)
        with pytest.raises(MailboxExpiredError):
            mailbox.wait_for_message()


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


def test_a_strange_refusal_is_an_error_of_the_client() -> None:
    api = Api("http://mayfly.test")
    many = b"[" * 200_000
    wrong = [b'"retryAfterSeconds": NaN', b'"retryAfterSeconds": "soon"', b'"retryAfterSeconds": -5', b'"code": ["a"]']
    year = {"retry-after": f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"}
    for content in [many, *(b'{"code": "rate_limited", "title": "x", %s}' % field for field in wrong)]:
        error = api._problem(Reply(429, year, content))
        assert (error.code, error.retry_after) == ("unreadable_reply", None)
    api.close()
