"""The one way the client calls a server."""

from __future__ import annotations

import json
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterator, Mapping, TypeVar
from urllib.parse import urlsplit

import httpx

from .connections import end_within, open_client
from .errors import MayflyError

REQUEST_TIMEOUT = 30.0

T = TypeVar("T")


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes


class Api:
    def __init__(self, url: str) -> None:
        self.url = _plain(url)
        # Each wait of a thread holds a connection.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        self._http = open_client(base_url=self.url, timeout=REQUEST_TIMEOUT, limits=limits)

    def close(self) -> None:
        self._http.close()

    def json(self, parse: Callable[[Any], T], method: str, path: str, **options: Any) -> T:
        """What ``parse`` makes of the reply, which is ``None`` for 204."""
        reply = self.send(method, path, **options)
        try:
            found = None if reply.status == 204 else json.loads(reply.content)
        except RecursionError as error:
            raise self._unreadable(reply) from error
        except ValueError as error:
            # A proxy may end a response in the middle as if it were whole.
            if "json" in reply.headers.get("content-type", ""):
                raise MayflyError("network", f"{self.url} sent half a response: {error}") from error
            raise self._unreadable(reply) from error
        try:
            return parse(found)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise self._unreadable(reply) from error

    def send(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = REQUEST_TIMEOUT,
        whole: bool = True,
    ) -> Reply:
        """``timeout`` is for the whole response, without ``whole`` for how long nothing may come of it."""
        sent = {**(headers or {}), **({} if token is None else {"authorization": f"Bearer {token}"})}
        given = {name: value for name, value in (query or {}).items() if value is not None}
        chunks: list[bytes] = []
        end_within(timeout)
        try:
            with self._http.stream(method, path, headers=sent, json=body, params=given, timeout=timeout) as response:
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if not whole:
                        end_within(timeout)
        except httpx.RequestError as error:
            raise MayflyError("network", f"{self.url} did not answer: {error}") from error
        reply = Reply(response.status_code, response.headers, b"".join(chunks))
        if response.is_error:
            raise self._problem(reply)
        return reply

    @contextmanager
    def stream(self, path: str, *, token: str, headers: Mapping[str, str], timeout: float) -> Iterator[Iterator[str]]:
        """The lines of an event stream."""
        sent = {**headers, "accept": "text/event-stream", "authorization": f"Bearer {token}"}
        end_within(REQUEST_TIMEOUT)
        try:
            with self._http.stream("GET", path, headers=sent, timeout=httpx.Timeout(REQUEST_TIMEOUT, read=timeout)) as response:
                if response.is_error:
                    raise self._problem(Reply(response.status_code, response.headers, response.read()))
                yield _heard(response.iter_lines(), timeout)
        except httpx.RequestError as error:
            raise MayflyError("network", f"{self.url} was lost: {error}") from error

    def _problem(self, reply: Reply) -> MayflyError:
        status = reply.status
        try:
            problem = json.loads(reply.content)
            fields = "; ".join(f"{each['path']}: {each['message']}" for each in problem.get("errors", []))
            parts = [problem["title"], problem.get("detail"), fields, f"({problem['code']}, {status})"]
            message = " ".join(part for part in parts if part)
            wait = problem.get("retryAfterSeconds")
            # Neither words nor NaN, and no code that is a list.
            if not isinstance(problem["code"], str) or not (wait is None or wait >= 0):
                return self._unreadable(reply)
            return MayflyError(problem["code"], message, status=status, retry_after=wait)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return self._unreadable(reply)

    def _unreadable(self, reply: Reply) -> MayflyError:
        """Also the page of a proxy in front of a server that restarts, which may have a ``Retry-After`` of its own."""
        location = reply.headers.get("location")
        message = (
            f"{self.url} redirects to {location}: use the address that it redirects to"
            if location
            else f"{self.url} answered {reply.status} with something that is not a reply of Mayfly. Is it the right address?"
        )
        return MayflyError("unreadable_reply", message, status=reply.status, retry_after=_retry_after(reply.headers))


def _heard(lines: Iterator[str], timeout: float) -> Iterator[str]:
    end_within(timeout)
    for line in lines:
        yield line
        # In between, this thread may have read messages.
        end_within(timeout)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Whole seconds, or a date by the clock of who sent it (RFC 9110 10.2.3)."""
    value = headers.get("retry-after", "")
    if re.fullmatch("[0-9]+", value):
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except (OverflowError, ValueError):
        return None
    try:
        now = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (OverflowError, ValueError):
        now = time.time()
    return max(0.0, until - now)


def _plain(url: str) -> str:
    """Without a slash or blanks at its ends."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url must be the http or https address of a Mayfly server, not {url!r}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("url must have no user name, password, query or fragment")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
