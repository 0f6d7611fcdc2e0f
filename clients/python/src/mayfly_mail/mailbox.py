"""One mailbox: its token is all it takes to read it."""

from __future__ import annotations

import inspect
import json
import re
import time
import unicodedata
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Callable, Generator, Iterator, NamedTuple, TypeVar
from urllib.parse import urlsplit

from .api import REQUEST_TIMEOUT, Api
from .errors import MailboxExpiredError, MailTimeoutError, MayflyError, UnexpectedMailError, describe_message
from .message import Message, Summary, parse_message, parse_summary
from .retry import (
    PATIENCE,
    Deadline,
    backoff,
    check_count,
    check_id,
    check_option,
    check_seconds,
    parse_time,
    patiently,
)
from .webhooks import Webhooks

#: Shorter than the server allows, so that a connection that died silently leaves time for another.
POLL_MAX = 20.0
#: How much longer than its own time-out a long poll may take before its connection counts as dead.
ANSWER = 5.0
#: At the end of a test nobody wants to wait for a server that hangs.
DISPOSE = 5.0
#: How long after the end of its mailbox a server is expected to say so.
END = 60.0
#: The server sends something at least every 20 seconds; a stream silent for this long is dead.
SILENCE = 45.0

T = TypeVar("T")
After = Summary | str | datetime | None
Match = Callable[[Message], bool]
_CURSOR = re.compile("[0-9]{1,15}")


class _Listed(NamedTuple):
    #: Newest first.
    rows: list[Summary]
    cursor: str


class Mailbox:
    def __init__(self, api: Api, *, address: str, token: str, expires_at: str, seconds_left: float, id: str | None = None) -> None:
        self.address = address
        #: Only mailboxes that were created with an API key have one, and only where they were created.
        self.id = id
        #: Who has it can read and delete this mailbox.
        self.token = token
        self.expires_at = datetime.fromisoformat(expires_at.replace("Z", "+00:00"))
        #: Of this mailbox alone, if an API key created it.
        self.webhooks = Webhooks(api, token, "/api/mailbox/webhooks")
        self._api = api
        #: By a clock that nobody sets.
        self._ends_at = time.monotonic() + seconds_left

    def __repr__(self) -> str:
        return f"Mailbox({self.address!r})"

    def wait_for_message(
        self,
        *,
        from_: str | None = None,
        envelope_to: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        match: Match | None = None,
        timeout: float = 30.0,
    ) -> Message:
        """The first message that matches; one that is already there counts.

        Conditions are case-insensitive substrings. ``envelope_to`` searches the recipients of the envelope (also of Bcc, each with its
        tag), ``to`` those and the addresses of To and Cc.
        """
        __tracebackhide__ = True
        conditions = {"from": from_, "envelope_to": envelope_to, "to": to, "subject": subject, "body": body}
        _check_match(match)
        return self._wait("message", conditions, after, timeout, lambda m: m if _holds(match, m) else None)

    def wait_for_messages(
        self,
        count: int,
        *,
        from_: str | None = None,
        envelope_to: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        match: Match | None = None,
        timeout: float = 30.0,
    ) -> list[Message]:
        """The first ``count`` messages that match, oldest first."""
        __tracebackhide__ = True
        check_count("count", count)
        _check_match(match)
        conditions = {"from": from_, "envelope_to": envelope_to, "to": to, "subject": subject, "body": body}
        found: list[Message] = []

        def collect(message: Message) -> list[Message] | None:
            if _holds(match, message):
                found.append(message)
            return found if len(found) >= count else None

        missing = f"it matches, but {count} were wanted; the same bytes twice are one message"
        return self._wait(f"{count} messages", conditions, after, timeout, collect, missing)

    def expect_no_mail(
        self,
        *,
        within: float,
        from_: str | None = None,
        envelope_to: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
    ) -> None:
        """Watches for ``within`` seconds. Raises ``UnexpectedMailError`` as soon as a message matches, also one already there."""
        __tracebackhide__ = True
        check_seconds("within", within)
        conditions = {"from": from_, "envelope_to": envelope_to, "to": to, "subject": subject, "body": body}
        try:
            found = self._wait("message", conditions, after, within, lambda m: m)
        except MailTimeoutError:
            return
        sender = found.sender.address or "(no sender)"
        raise UnexpectedMailError(
            f"A mail came to {self.address} that should not have: {found.subject!r} from {sender}", self.list_messages()[::-1]
        )

    def wait_for_code(
        self,
        *,
        from_: str | None = None,
        envelope_to: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        code_pattern: str | re.Pattern[str] | None = None,
        timeout: float = 30.0,
    ) -> str:
        """The one-time code of the first message that matches and has one.

        With ``code_pattern``, what its first group matches in subject or text, or all of it without a group.
        """
        __tracebackhide__ = True
        conditions = {"from": from_, "envelope_to": envelope_to, "to": to, "subject": subject, "body": body}
        pattern = _compile(code_pattern)
        what = "message with a code" if pattern is None else f"message with a code like {pattern.pattern}"
        return self._wait(what, conditions, after, timeout, lambda m: _find_code(m, pattern), "no code")

    def wait_for_link(
        self,
        *,
        host: str | None = None,
        from_: str | None = None,
        envelope_to: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        timeout: float = 30.0,
    ) -> str:
        """The confirmation link of the first message that has one; with ``host``, the first link of any kind that leads there."""
        __tracebackhide__ = True
        conditions = {"from": from_, "envelope_to": envelope_to, "to": to, "subject": subject, "body": body}
        what = "message with a confirmation link" if host is None else f"message with a link to {host}"
        _check_host(host)
        return self._wait(what, conditions, after, timeout, lambda m: _find_link(m, host), "no such link")

    def list_messages(self, *, timeout: float = PATIENCE) -> list[Summary]:
        """What the mailbox holds, newest first."""
        return patiently(timeout, self._listed).rows

    def read_message(self, id: str, *, timeout: float = PATIENCE) -> Message:
        check_id(id)
        return patiently(timeout, lambda attempt: self._read(id, attempt))

    def delete_message(self, id: str, *, timeout: float = PATIENCE) -> None:
        """One that is already gone is no error."""
        check_id(id)
        path = f"/api/mailbox/messages/{id}"
        try:
            patiently(timeout, lambda attempt: self._api.send("DELETE", path, token=self.token, timeout=attempt))
        except MayflyError as error:
            if error.code != "message_not_found":
                raise

    def messages(self, after: After = None) -> Iterator[Message]:
        """Every message as it arrives, beginning with those already there; each comes once, ordered by arrival. Ends with the mailbox.

        The event stream only says that something is new: what it is comes from the list. In the stream itself a message whose
        sender was checked late comes behind newer ones.
        """
        _check_after(after)
        return self._live(after)

    def _live(self, after: After) -> Iterator[Message]:
        yielded: set[str] = set()
        failures = 0
        was_found = False
        while True:
            try:
                cursor = yield from self._unseen(after, yielded)
                was_found = True
                headers = {"last-event-id": cursor}
                with self._api.stream("/api/mailbox/events", token=self.token, headers=headers, timeout=SILENCE) as lines:
                    failures = 0
                    for data in _events(lines):
                        kind, id = _parse_event(data)
                        if kind == "expired":
                            return
                        if kind == "message" and id not in yielded:
                            yield from self._unseen(after, yielded)
            except MayflyError as error:
                if was_found and error.code == "mailbox_not_found":
                    return
                left = self._ends_at + END - time.monotonic()
                if not error.is_transient or left <= 0:
                    raise
                time.sleep(min(error.retry_after or 0, left))
            time.sleep(backoff(failures, 10.0))
            failures += 1

    def delete(self) -> None:
        """Destroys the mailbox and its mail. One that is already gone is no error."""
        patiently(PATIENCE, self._destroy)

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # One attempt, and no error if the server is away: the mailbox expires by itself.
        try:
            self._destroy(DISPOSE)
        except MayflyError as failure:
            if not failure.is_transient:
                raise

    def _destroy(self, timeout: float) -> None:
        try:
            self._api.send("DELETE", "/api/mailbox", token=self.token, timeout=timeout)
        except MayflyError as error:
            if error.code != "mailbox_not_found":
                raise

    def _wait(
        self,
        what: str,
        conditions: dict[str, str | None],
        after: After,
        timeout: float,
        pick: Callable[[Message], T | None],
        missing: str = "does not match",
    ) -> T:
        """The list is read before each wait, since a message may come between two waits."""
        __tracebackhide__ = True
        check_seconds("timeout", timeout)
        for name, value in conditions.items():
            check_option(name, value)
        _check_after(after)
        deadline = Deadline(timeout)
        seen: set[str] = set()
        try:
            while True:
                listed = deadline.retry(lambda: self._listed(deadline.attempt))
                for row in reversed(listed.rows):
                    if row.id in seen:
                        continue
                    message = deadline.retry(lambda: self._read_unless_removed(row.id, deadline.attempt))
                    seen.add(row.id)
                    if message is not None and _matches(message, conditions, after):
                        found = pick(message)
                        if found is not None:
                            return found
                if deadline.left <= 0:
                    raise self._timed_out(f"No {what}", conditions, after, timeout, missing, listed)
                deadline.retry(lambda: self._poll(listed.cursor, deadline))
        except MayflyError as error:
            if error.code != "mailbox_not_found":
                raise
            has_expired = datetime.now(timezone.utc).timestamp() >= self.expires_at.timestamp() - 1
            reason = f"expired at {self.expires_at.isoformat()}" if has_expired else "was deleted"
            raise MailboxExpiredError(f"The mailbox {self.address} {reason}. {error}") from error

    def _listed(self, timeout: float) -> _Listed:
        return self._api.json(_parse_list, "GET", "/api/mailbox/messages", token=self.token, timeout=timeout)

    def _poll(self, cursor: str, deadline: Deadline) -> None:
        seconds = min(POLL_MAX, deadline.left)
        query = {"after": cursor, "timeoutSeconds": round(seconds, 3)}
        self._api.json(lambda _: None, "GET", "/api/mailbox/wait", token=self.token, query=query, timeout=seconds + ANSWER)

    def _timed_out(
        self,
        failure: str,
        conditions: dict[str, str | None],
        after: After,
        timeout: float,
        missing: str,
        listed: _Listed,
    ) -> MailTimeoutError:
        given = " and ".join(f"{name} containing {value!r}" for name, value in conditions.items() if value is not None)
        rows = listed.rows[::-1]
        arrived = [row for row in rows if _is_after(row, after)]
        if conditions["to"] is not None or conditions["body"] is not None:
            missing = "other `to` or `body`"
        ignored = [(row, _mismatch(row, conditions, after) or missing) for row in rows]
        head = "What arrived:" if arrived else "Nothing arrived since:"
        lines = [head, *(f"{describe_message(row)}  ({reason})" for row, reason in ignored)]
        story = "\n".join(lines) if rows else "No mail arrived at all."
        wanted = f" with {given}" if given else ""
        return MailTimeoutError(
            f"{failure}{wanted} came to {self.address} within {timeout:g} s. {story}", arrived, ignored
        )

    def _unseen(self, after: After, yielded: set[str]) -> Generator[Message, None, str]:
        """What is in the list and was not yielded yet; returns the cursor of the list."""
        listed = self._listed(REQUEST_TIMEOUT)
        for row in reversed(listed.rows):
            if row.id in yielded or not _is_after(row, after):
                continue
            message = self._read_unless_removed(row.id, REQUEST_TIMEOUT)
            # Before the message is yielded: a loop that ends there has received it.
            yielded.add(row.id)
            if message is not None:
                yield message
        return listed.cursor

    def _read(self, id: str, timeout: float) -> Message:
        path = f"/api/mailbox/messages/{id}"

        def parse(found: dict[str, Any]) -> Message:
            return parse_message(found, lambda below, timeout: self._bytes(path + below, timeout))

        return self._api.json(parse, "GET", path, token=self.token, timeout=timeout)

    def _read_unless_removed(self, id: str, timeout: float) -> Message | None:
        try:
            return self._read(id, timeout)
        except MayflyError as error:
            if error.code == "message_not_found":
                return None
            raise

    def _bytes(self, path: str, timeout: float) -> bytes:
        return patiently(timeout, lambda attempt: self._api.send("GET", path, token=self.token, timeout=attempt, whole=False).content)


def _events(lines: Iterator[str]) -> Iterator[str]:
    """The data of each server-sent event (WHATWG HTML 9.2.6)."""
    data: list[str] = []
    for line in lines:
        if line == "":
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))


def _parse_event(data: str) -> tuple[str, str | None]:
    """Its type, and the id of a new message."""
    try:
        event = json.loads(data)
        return event["type"], event["message"]["id"] if event["type"] == "message" else None
    except (KeyError, TypeError, ValueError) as error:
        raise MayflyError("unreadable_reply", "The event stream holds no event of Mayfly", status=200) from error


def _parse_list(found: dict[str, Any]) -> _Listed:
    return _Listed([parse_summary(row) for row in found["messages"]], str(found["cursor"]))


def _check_after(after: Any) -> None:
    if after is None or isinstance(after, (Summary, datetime)):
        return
    if not isinstance(after, str):
        raise TypeError(f"after must be a message, a cursor, a datetime or an ISO 8601 time, not {after!r}")
    if not _CURSOR.fullmatch(after):
        parse_time("after", after)


def _check_match(match: Any) -> None:
    if match is not None and not callable(match):
        raise TypeError(f"match must be a function, not {match!r}")


def _holds(match: Match | None, message: Message) -> bool:
    """A coroutine is true whatever it returns, and would match any mail."""
    result: Any = match is None or match(message)
    if inspect.iscoroutine(result):
        result.close()
    if inspect.isawaitable(result):
        raise TypeError("match must return true or false, not a coroutine")
    return bool(result)


def _compile(pattern: Any) -> re.Pattern[str] | None:
    if pattern is None:
        return None
    if not isinstance(getattr(pattern, "pattern", pattern), str):
        raise TypeError(f"code_pattern must be a regular expression for text, not {pattern!r}")
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"code_pattern is no regular expression: {error}") from error


def _check_host(host: Any) -> None:
    check_option("host", host)
    if host is not None and not re.fullmatch(r"[^\s/@.][^\s/@]*", host):
        raise ValueError(f"host must be the name of a host, e.g. shop.test or localhost:3000, not {host!r}")


def _matches(message: Message, conditions: dict[str, str | None], after: After) -> bool:
    """The same conditions as on the server: ``to`` searches the envelope, To and Cc."""
    body = message.text if message.text is not None else message.html or ""
    addresses = [*message.envelope_to, *(each.address for each in [*message.to, *message.cc])]
    return (
        _mismatch(message, conditions, after) is None
        and _contains([body], conditions["body"])
        and _contains(addresses, conditions["to"])
    )


def _mismatch(message: Summary, conditions: dict[str, str | None], after: After) -> str | None:
    """Which condition a message does not meet, as far as its row in the list tells."""
    if not _is_after(message, after):
        return "before `after`"
    if not _contains([f"{message.sender.name} <{message.sender.address}>"], conditions["from"]):
        return "other `from`"
    if not _contains([message.subject], conditions["subject"]):
        return "other `subject`"
    if not _contains(message.envelope_to, conditions["envelope_to"]):
        return "other `envelope_to`"
    return None


def _contains(texts: list[str], wanted: str | None) -> bool:
    return wanted is None or any(_comparable(wanted) in _comparable(text) for text in texts)


def _comparable(text: str) -> str:
    """Some systems write ``é`` as one character, some as two."""
    return unicodedata.normalize("NFC", text).lower()


def _is_after(message: Summary, after: After) -> bool:
    if after is None:
        return True
    if isinstance(after, str) and not _CURSOR.fullmatch(after):
        after = parse_time("after", after)
    if isinstance(after, datetime):
        # As the rest of Python has it, a datetime without a zone is local time.
        return parse_time("received_at", message.received_at).timestamp() > after.timestamp()
    return int(message.cursor) > int(after.cursor if isinstance(after, Summary) else after)


def _find_code(message: Message, pattern: re.Pattern[str] | None) -> str | None:
    if pattern is None:
        return message.codes[0] if message.codes else None
    shown = message.html_text if message.html_text is not None else message.text or ""
    found = pattern.search(f"{message.subject}\n{shown}")
    if found is None:
        return None
    return (found.group(1) if pattern.groups and found.group(1) is not None else found.group()) or None


def _find_link(message: Message, host: str | None) -> str | None:
    confirmations = [link.url for link in message.links]
    if host is None:
        return confirmations[0] if confirmations else None
    urls = [*confirmations, *(link.url for link in message.all_links)]
    return next((url for url in urls if _leads_to(url, host.lower())), None)


def _leads_to(url: str, host: str) -> bool:
    try:
        parts = urlsplit(url)
        name = (parts.hostname or "").lower()
    except ValueError:
        return False
    if parts.scheme not in ("http", "https"):
        return False
    return parts.netloc.lower() == host or name == host or name.endswith(f".{host}")
