"""Connections that keep to a deadline: ``httpx`` bounds each read, so that a header line now and then holds a call for ever."""

from __future__ import annotations

import math
import ssl
import threading
import time
from typing import Any, Iterable, Sequence

import httpcore
import httpx


class _Thread(threading.local):
    ends_at = math.inf
    host: str | None = None
    addresses: Sequence[str] = ()


_thread = _Thread()


def end_within(seconds: float) -> None:
    """For all that this thread does on clients of ``open_client`` until it says otherwise."""
    _thread.ends_at = time.monotonic() + seconds


def connect_to(host: str, addresses: Sequence[str]) -> None:
    """Until it says otherwise, this thread connects to these addresses where it means ``host``: a second look-up may find others."""
    _thread.host, _thread.addresses = host, addresses


def open_client(**options: Any) -> httpx.Client:
    client = httpx.Client(**options)
    # Also those of the proxies that the environment names.
    for transport in (client._transport, *client._mounts.values()):
        pool: Any = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _Backend()
    return client


def _left(timeout: float | None, error: type[Exception]) -> float:
    left = _thread.ends_at - time.monotonic()
    if left <= 0:
        raise error("it took too long")
    return min(left, math.inf if timeout is None else timeout)


class _Backend(httpcore.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        # A proxy that the environment names has another name, and looks up the host itself.
        addresses = _thread.addresses if host == _thread.host else [host]
        if not addresses:
            raise httpcore.ConnectError(f"{host} has no address")
        for address in addresses[:-1]:
            try:
                return self._connect(address, port, timeout, local_address, socket_options)
            except httpcore.NetworkError:
                continue
        return self._connect(addresses[-1], port, timeout, local_address, socket_options)

    def _connect(
        self, host: str, port: int, timeout: float | None, local_address: str | None, socket_options: Iterable[Any] | None
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(super().connect_tcp(host, port, left, local_address, socket_options))


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout, httpcore.ConnectTimeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
