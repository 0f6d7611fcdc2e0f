"""A mailbox per test; when the test fails, the report lists what arrived."""

from __future__ import annotations

import os
from typing import Generator, Iterator

import pytest

from .client import Mayfly
from .errors import MayflyError, describe_arrived
from .mailbox import Mailbox

_MAILBOX = pytest.StashKey[Mailbox]()


@pytest.fixture(scope="session")
def mayfly() -> Iterator[Mayfly]:
    """The server of ``MAYFLY_URL``, with the key or token of ``MAYFLY_API_KEY`` if there is one."""
    url = os.environ.get("MAYFLY_URL")
    if not url:
        pytest.fail("Set MAYFLY_URL to the address of a Mayfly server, e.g. http://localhost:8080", pytrace=False)
    with Mayfly(url, os.environ.get("MAYFLY_API_KEY") or None) as client:
        yield client


@pytest.fixture
def mailbox(mayfly: Mayfly, request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A new mailbox for this test, deleted after it."""
    with mayfly.create_mailbox() as made:
        request.node.stash[_MAILBOX] = made
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    made = item.stash.get(_MAILBOX, None)
    if made is not None and report.when == "call" and report.failed:
        try:
            arrived = describe_arrived(made.list_messages(timeout=5)[::-1])
        except MayflyError as error:
            arrived = f"The mailbox could not be read: {error}"
        report.sections.append((f"Mail to {made.address}", arrived))
    return report
