"""One mailbox: its token is all it takes to read it."""

from __future__ import annotations

import html
import json
import re
import time
from datetime import datetime
from types import TracebackType
from typing import Callable, Generator, Iterator, TypeVar
from urllib.parse import urlsplit

from .api import Api
from .errors import MailTimeoutError, MayflyError, describe_arrived, is_passing
from .message import Message, Summary, parse_message, parse_summary

#: The longest the server holds one request.
WAIT_MAX = 55.0
#: The server sends something at least every 20 seconds; a stream silent for this long is dead.
SILENCE = 45.0

T = TypeVar("T")
After = Summary | str | datetime | None


class Mailbox:
    def __init__(self, api: Api, *, address: str, token: str, expires_at: str) -> None:
        self.address = address
        #: Who has it can read and delete this mailbox.
        self.token = token
        self.expires_at = datetime.fromisoformat(expires_at.replace("Z", "+00:00"))
        self._api = api

    def __repr__(self) -> str:
        return f"Mailbox({self.address!r})"

    def wait_for_message(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        match: Callable[[Message], bool] | None = None,
        timeout: float = 30.0,
    ) -> Message:
        """The first message that matches; one that is already there counts. Conditions are case-insensitive substrings."""
        conditions = {"from": from_, "to": to, "subject": subject, "body": body}
        return self._wait("message", conditions, after, timeout, lambda m: m if match is None or match(m) else None)

    def wait_for_code(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        timeout: float = 30.0,
    ) -> str:
        """The one-time code of the first message that matches and has one."""
        conditions = {"from": from_, "to": to, "subject": subject, "body": body}
        return self._wait("message with a code", conditions, after, timeout, lambda m: m.codes[0] if m.codes else None)

    def wait_for_link(
        self,
        *,
        host: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        body: str | None = None,
        after: After = None,
        timeout: float = 30.0,
    ) -> str:
        """The confirmation link of the first message that has one; with ``host``, the first link of any kind that leads there."""
        conditions = {"from": from_, "to": to, "subject": subject, "body": body}
        what = "message with a confirmation link" if host is None else f"message with a link to {host}"
        return self._wait(what, conditions, after, timeout, lambda m: _find_link(m, host))

    def list_messages(self) -> list[Summary]:
        """What the mailbox holds, newest first."""
        found = self._api.json("GET", "/api/mailbox/messages", token=self.token)
        return [parse_summary(each) for each in found["messages"]]

    def read_message(self, id: str) -> Message:
        path = f"/api/mailbox/messages/{id}"
        return parse_message(self._api.json("GET", path, token=self.token), lambda below: self._bytes(path + below))

    def messages(self, after: After = None) -> Iterator[Message]:
        """Every message as it arrives, beginning with those already there; each comes once, ordered by arrival. Ends with the mailbox.

        The event stream only says that something is new: what it is comes from the list. In the stream itself a message whose
        sender was checked late comes behind newer ones.
        """
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
                        event = json.loads(data)
                        if event["type"] == "expired":
                            return
                        if event["type"] == "message" and event["message"]["id"] not in yielded:
                            yield from self._unseen(after, yielded)
            except MayflyError as error:
                if was_found and error.code == "mailbox_not_found":
                    return
                if not is_passing(error):
                    raise
                time.sleep(error.retry_after or 0)
            time.sleep(min(10.0, 0.2 * 2**failures))
            failures += 1

    def delete(self) -> None:
        """Destroys the mailbox and its mail. One that is already gone is no error."""
        try:
            self._api.send("DELETE", "/api/mailbox", token=self.token)
        except MayflyError as error:
            if error.code != "mailbox_not_found":
                raise

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.delete()

    def _wait(
        self, what: str, conditions: dict[str, str | None], after: After, timeout: float, pick: Callable[[Message], T | None]
    ) -> T:
        """The list is read before each wait, since a message may come between two waits."""
        deadline = time.monotonic() + timeout
        seen: set[str] = set()
        while True:
            listed = self._retried(deadline, lambda: self._api.json("GET", "/api/mailbox/messages", token=self.token))
            for row in reversed(listed["messages"]):
                if row["id"] in seen:
                    continue
                seen.add(row["id"])
                message = self._retried(deadline, lambda: self._read_unless_removed(row["id"]))
                if message is not None and _matches(message, conditions, after):
                    found = pick(message)
                    if found is not None:
                        return found
            left = deadline - time.monotonic()
            if left <= 0:
                arrived = [each for each in reversed(self.list_messages()) if _is_after(each, after)]
                given = " and ".join(f"{name} containing {value!r}" for name, value in conditions.items() if value is not None)
                wanted = f" with {given}" if given else ""
                raise MailTimeoutError(
                    f"No {what}{wanted} came to {self.address} within {timeout:g} s. {describe_arrived(arrived)}", arrived
                )
            seconds = min(WAIT_MAX, left)
            query = {"after": listed["cursor"], "timeoutSeconds": round(seconds, 3)}
            self._retried(
                deadline,
                lambda: self._api.json("GET", "/api/mailbox/wait", token=self.token, query=query, timeout=seconds + 10),
            )

    def _retried(self, deadline: float, attempt: Callable[[], T]) -> T:
        """A lost connection or a server that restarts does not end a wait that has time left."""
        failures = 0
        while True:
            try:
                return attempt()
            except MayflyError as error:
                pause = max(error.retry_after or 0, 0.2 * 2 ** min(failures, 4))
                if not is_passing(error) or time.monotonic() + pause >= deadline:
                    raise
                failures += 1
                time.sleep(pause)

    def _unseen(self, after: After, yielded: set[str]) -> Generator[Message, None, str]:
        """What is in the list and was not yielded yet; returns the cursor of the list."""
        listed = self._api.json("GET", "/api/mailbox/messages", token=self.token)
        for row in reversed(listed["messages"]):
            if row["id"] in yielded or not _is_after(parse_summary(row), after):
                continue
            message = self._read_unless_removed(row["id"])
            # Before the message is yielded: a loop that ends there has received it.
            yielded.add(row["id"])
            if message is not None:
                yield message
        return str(listed["cursor"])

    def _read_unless_removed(self, id: str) -> Message | None:
        try:
            return self.read_message(id)
        except MayflyError as error:
            if error.code == "message_not_found":
                return None
            raise

    def _bytes(self, path: str) -> bytes:
        return self._api.send("GET", path, token=self.token).content


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


def _matches(message: Message, conditions: dict[str, str | None], after: After) -> bool:
    """The same conditions as on the server: ``from`` searches name and address, ``to`` only addresses."""
    texts = {
        "from": [f"{message.sender.name} <{message.sender.address}>"],
        "to": [each.address for each in [*message.to, *message.cc]],
        "subject": [message.subject],
        "body": [message.text if message.text is not None else message.html or ""],
    }
    return _is_after(message, after) and all(
        wanted is None or any(wanted.lower() in text.lower() for text in texts[name]) for name, wanted in conditions.items()
    )


def _is_after(message: Summary, after: After) -> bool:
    if after is None:
        return True
    if isinstance(after, datetime):
        return datetime.fromisoformat(message.received_at.replace("Z", "+00:00")) > after
    return int(message.cursor) > int(after.cursor if isinstance(after, Summary) else after)


def _find_link(message: Message, host: str | None) -> str | None:
    confirmations = [link.url for link in message.links]
    if host is None:
        return confirmations[0] if confirmations else None
    hrefs = [html.unescape(a or b) for a, b in re.findall(r"""<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')""", message.html or "", re.I)]
    bare = [link.rstrip(".,;:!?)]") for link in re.findall(r"""https?://[^\s<>"']+""", message.text or "", re.I)]
    return next((url for url in [*confirmations, *hrefs, *bare] if _leads_to(url, host.lower())), None)


def _leads_to(url: str, host: str) -> bool:
    try:
        parts = urlsplit(url)
        name = (parts.hostname or "").lower()
    except ValueError:
        return False
    if parts.scheme not in ("http", "https"):
        return False
    return parts.netloc.lower() == host or name == host or name.endswith(f".{host}")
