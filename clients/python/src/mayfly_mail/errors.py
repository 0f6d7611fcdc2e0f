"""Every way a call can fail, as one class with a stable code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .message import Summary


class MayflyError(Exception):
    """``code`` is the server's problem code, or ``network``, ``unreadable_reply``, ``timeout``,
    ``unexpected_mail``, ``bot_check_unsolvable``, ``webhook_invalid``.
    """

    def __init__(self, code: str, message: str, *, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        #: HTTP status; 0 when no answer came.
        self.status = status
        #: Seconds until a retry makes sense.
        self.retry_after = retry_after


    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later: no response, or a status that says so. Other 4xx are final."""
        return self.code == "network" or self.status >= 500 or self.status in (408, 425, 429)


class MailTimeoutError(MayflyError):
    """No mail that matches came in time."""

    def __init__(self, message: str, arrived: list[Summary], ignored: list[tuple[Summary, str]] | None = None) -> None:
        super().__init__("timeout", message)
        #: What arrived, without what is older than ``after``; oldest first.
        self.arrived = arrived
        #: Everything in the mailbox, each with the reason why it did not count; oldest first.
        self.ignored = ignored or []


class MailboxExpiredError(MayflyError):
    """The mailbox ended while a call waited for its mail."""

    def __init__(self, message: str) -> None:
        super().__init__("mailbox_not_found", message, status=404)


class UnexpectedMailError(MayflyError):
    """``expect_no_mail`` saw a message that matches. ``arrived`` is what came, oldest first."""

    def __init__(self, message: str, arrived: list[Summary]) -> None:
        super().__init__("unexpected_mail", message)
        self.arrived = arrived


def describe_arrived(arrived: list[Summary]) -> str:
    """One line for each message."""
    if not arrived:
        return "No mail arrived at all."
    return "What arrived:\n" + "\n".join(map(describe_message, arrived))


def describe_message(message: Summary) -> str:
    code = f", code {message.codes[0]}" if message.codes else ""
    return f"  {message.received_at}  {message.sender.address or '(no sender)'}  {message.subject!r}{code}"
