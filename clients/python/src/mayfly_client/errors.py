"""Every way a call can fail, as one class with a stable code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .message import Summary


class MayflyError(Exception):
    """``code`` is the server's problem code, or ``network``, ``unreadable_reply``, ``timeout``, ``bot_check_unsolvable``."""

    def __init__(self, code: str, message: str, *, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        #: HTTP status; 0 when no answer came.
        self.status = status
        #: Seconds until a retry makes sense.
        self.retry_after = retry_after


class MailTimeoutError(MayflyError):
    """No mail that matches came in time. ``arrived`` is what the mailbox holds instead, oldest first."""

    def __init__(self, message: str, arrived: list[Summary]) -> None:
        super().__init__("timeout", message)
        self.arrived = arrived


_PASSING = {"network", "internal", "unavailable", "storage_full", "rate_limited", "streams_max"}


def is_passing(error: MayflyError) -> bool:
    """Whether it passes by itself. A proxy before a server that restarts answers 502 to 504 with its own page."""
    return error.code in _PASSING or (error.code == "unreadable_reply" and error.status >= 502)



def describe_arrived(arrived: list[Summary]) -> str:
    """One line for each message."""
    if not arrived:
        return "No mail arrived at all."
    lines = [
        f"  {m.received_at}  {m.sender.address or '(no sender)'}  {m.subject!r}{f', code {m.codes[0]}' if m.codes else ''}"
        for m in arrived
    ]
    return "What arrived:\n" + "\n".join(lines)
