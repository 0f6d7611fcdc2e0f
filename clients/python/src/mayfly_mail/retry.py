"""The time that a caller gave, and what is tried again within it. Also the check of options."""

from __future__ import annotations

import random
import re
import time
from datetime import datetime
from typing import Any, Callable, TypeVar

from .errors import MayflyError

#: No mailbox lives longer.
TIMEOUT_MAX = 86_400.0
_ATTEMPT_MIN, _ATTEMPT_MAX = 5.0, 15.0
_BACKOFF_FIRST, _BACKOFF_MAX = 0.2, 5.0
_RETRIES_MAX = 50
#: How long to try again what fails for the moment.
PATIENCE = 30.0

T = TypeVar("T")


class Deadline:
    def __init__(self, timeout: float) -> None:
        self._ends_at = time.monotonic() + timeout

    @property
    def left(self) -> float:
        return max(0.0, self._ends_at - time.monotonic())

    @property
    def attempt(self) -> float:
        """The time-out of one attempt: a connection that hangs must leave time for the next."""
        return min(_ATTEMPT_MAX, max(_ATTEMPT_MIN, self.left))

    def retry(self, attempt: Callable[[], T], also: frozenset[str] = frozenset()) -> T:
        """Tries again what fails for the moment, and what fails with a code in ``also``. A final refusal is never repeated."""
        failures = 0
        while True:
            try:
                return attempt()
            except MayflyError as error:
                wanted = error.retry_after or 0.0
                # The last attempt falls just before the end.
                pause = max(wanted, min(backoff(failures), self.left - _BACKOFF_FIRST / 2))
                may_repeat = error.is_transient or error.code in also
                if not may_repeat or failures >= _RETRIES_MAX or pause <= 0 or wanted >= self.left:
                    raise
                failures += 1
                time.sleep(pause)


def patiently(timeout: float, call: Callable[[float], T]) -> T:
    """A call that may be repeated, e.g. to read or to delete. ``call`` gets the time-out of one attempt."""
    check_seconds("timeout", timeout)
    deadline = Deadline(timeout)
    return deadline.retry(lambda: call(deadline.attempt))


def backoff(failures: int, maximum: float = _BACKOFF_MAX) -> float:
    """Doubles with each failure in a row. Many tests wait at once, so pauses vary by half."""
    return min(maximum, _BACKOFF_FIRST * 2.0 ** min(failures, 16)) * random.uniform(0.5, 1.0)


def check_seconds(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    if not 0 <= value <= TIMEOUT_MAX:
        raise ValueError(f"{name} must be a number of seconds from 0 to {TIMEOUT_MAX:g}, not {value!r}")


def check_count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be a whole number from 1, not {value!r}")


def check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r}")
    if not value:
        raise ValueError(f"{name} must not be empty")


def check_option(name: str, value: Any) -> None:
    """A text that may be missing. An empty condition, e.g. of a variable that is not set, would match any mail."""
    if value is not None:
        check_text(name, value)


def check_id(value: Any) -> None:
    """Of a message, mailbox or webhook. It becomes a part of a path."""
    check_text("id", value)
    if not re.fullmatch(r"[\w-]+", value, re.ASCII):
        raise ValueError(f"id must be an id, not {value!r}")


def read_secret(name: str, value: Any) -> str:
    """A key or token without the blanks around it, e.g. the end of its line in a file. No message shows it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    secret = value.strip()
    if not re.fullmatch("[!-~]*", secret):
        raise ValueError(f"{name} must have no blanks, line breaks or letters beyond ASCII")
    return secret


def parse_time(name: str, value: str) -> datetime:
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError as error:
        raise ValueError(f"{name} must be a message, a cursor, a datetime or an ISO 8601 time, not {value!r}") from error
