"""The one way the client calls a server."""

from __future__ import annotations

import json
from typing import Any, Iterator, Mapping
from contextlib import contextmanager

import httpx

from .errors import MayflyError

REQUEST_TIMEOUT = 30.0


class Api:
    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=self.url, timeout=REQUEST_TIMEOUT)

    def close(self) -> None:
        self._http.close()

    def json(self, method: str, path: str, **options: Any) -> Any:
        """The reply; ``None`` for 204."""
        response = self.send(method, path, **options)
        if response.status_code == 204:
            return None
        try:
            return response.json()
        except ValueError as error:
            # A proxy may end a response in the middle as if it were whole.
            if "json" in response.headers.get("content-type", ""):
                raise MayflyError("network", f"{self.url} sent half a response: {error}") from error
            raise self._unreadable(response) from error

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
    ) -> httpx.Response:
        sent = {**(headers or {}), **({} if token is None else {"authorization": f"Bearer {token}"})}
        given = {name: value for name, value in (query or {}).items() if value is not None}
        try:
            response = self._http.request(method, path, headers=sent, json=body, params=given, timeout=timeout)
        except httpx.TransportError as error:
            raise MayflyError("network", f"{self.url} did not answer: {error}") from error
        if response.is_error:
            raise self._problem(response)
        return response

    @contextmanager
    def stream(self, path: str, *, token: str, headers: Mapping[str, str], timeout: float) -> Iterator[Iterator[str]]:
        """The lines of an event stream."""
        sent = {**headers, "accept": "text/event-stream", "authorization": f"Bearer {token}"}
        try:
            with self._http.stream("GET", path, headers=sent, timeout=httpx.Timeout(REQUEST_TIMEOUT, read=timeout)) as response:
                if response.is_error:
                    response.read()
                    raise self._problem(response)
                yield response.iter_lines()
        except httpx.TransportError as error:
            raise MayflyError("network", f"{self.url} was lost: {error}") from error

    def _problem(self, response: httpx.Response) -> MayflyError:
        status = response.status_code
        try:
            problem = json.loads(response.content)
            fields = "; ".join(f"{each['path']}: {each['message']}" for each in problem.get("errors", []))
            parts = [problem["title"], problem.get("detail"), fields, f"({problem['code']}, {status})"]
            message = " ".join(part for part in parts if part)
            return MayflyError(problem["code"], message, status=status, retry_after=problem.get("retryAfterSeconds"))
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._unreadable(response)

    def _unreadable(self, response: httpx.Response) -> MayflyError:
        """Also the page of a proxy in front of a server that restarts, which may have a ``Retry-After`` of its own."""
        status, wait = response.status_code, response.headers.get("retry-after", "")
        return MayflyError(
            "unreadable_reply",
            f"{self.url} answered {status} with something that is not a reply of Mayfly. Is it the right address?",
            status=status,
            retry_after=float(wait) if wait.isdigit() else None,
        )
