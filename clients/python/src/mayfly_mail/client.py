"""A Mayfly server as a program sees it."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Iterator, TypeVar

from .api import Api
from .errors import MayflyError
from .mailbox import Mailbox
from .retry import PATIENCE, Deadline, check_count, check_id, check_option, check_seconds, check_text, patiently, read_secret
from .webhooks import Webhooks

#: More than the server ever asks for: one derivation takes at most a tenth of a second.
_COUNTER_MAX = 1_000_000
_SIZES_MAX = {"cost": 100_000, "keyLength": 64}
_DIGESTS = {"PBKDF2/SHA-256": "sha256", "PBKDF2/SHA-384": "sha384", "PBKDF2/SHA-512": "sha512"}
#: The server's limit of one batch.
_BATCH_MAX = 100
#: The first attempt, whose answer was lost, is still being worked on.
_UNDER_WAY = frozenset({"idempotency_key_in_use"})


T = TypeVar("T")


@dataclass(frozen=True)
class PlannedFailure:
    """``reply`` (``450 4.2.1``, ``550 5.1.1``, or ``cut`` to end the connection) at a ``stage``: ``rcpt``, ``data`` or ``message``.

    It is sent after ``delay`` seconds, for the first ``attempts``; then the address takes mail. Without ``reply`` it is only slow.
    """

    stage: str
    reply: str | None = None
    delay: int | None = None
    attempts: int | None = None

    def wire(self) -> dict[str, Any]:
        fields = {"stage": self.stage, "reply": self.reply, "delaySeconds": self.delay, "attempts": self.attempts}
        return {name: value for name, value in fields.items() if value is not None}


class Mayfly:
    """``api_key``: a key of an account, or an API token of the server; an empty one means none.

    Without one the server's limits and bot check for visitors apply.
    """

    def __init__(self, url: str, api_key: str | None = None) -> None:
        check_text("url", url)
        self._api_key = read_secret("api_key", "" if api_key is None else api_key) or None
        self._api = Api(url)
        self._provider: str | None = None
        self.url = self._api.url
        #: Of all mailboxes of this API token, or of all API keys of the account.
        self.webhooks = Webhooks(self._api, self._api_key, "/api/webhooks")

    def __repr__(self) -> str:
        return f"Mayfly({self.url!r})"

    def create_mailbox(
        self,
        *,
        lifetime: int | None = None,
        domain: str | None = None,
        local_part: str | None = None,
        failure: PlannedFailure | None = None,
        timeout: float = 30.0,
    ) -> Mailbox:
        """A new address; ``lifetime`` is in seconds and needs an API key, as ``local_part`` does.

        With ``failure``, which needs an API key too, it refuses mail on purpose before it takes any.

        What fails for the moment is tried again for ``timeout`` seconds, and there is one mailbox in the end.
        """
        check_option("local_part", local_part)
        body = self._wanted(lifetime, domain, failure, timeout)
        deadline = Deadline(timeout)
        more = {"localPart": local_part, "botCheck": self._bot_check(deadline)}
        body.update({name: value for name, value in more.items() if value is not None})
        return self._create(self._opened, deadline, "/api/mailboxes", body)

    def create_mailboxes(
        self,
        count: int,
        *,
        lifetime: int | None = None,
        domain: str | None = None,
        failure: PlannedFailure | None = None,
        timeout: float = 30.0,
    ) -> list[Mailbox]:
        """``count`` new addresses or none, each hundred of them in one request. Needs an API key."""
        check_count("count", count)
        body = self._wanted(lifetime, domain, failure, timeout)
        deadline = Deadline(timeout)
        made: list[Mailbox] = []
        try:
            while len(made) < count:
                batch = {**body, "count": min(_BATCH_MAX, count - len(made))}
                made += self._create(self._opened_batch, deadline, "/api/mailboxes/batch", batch)
        except MayflyError:
            for mailbox in made:
                mailbox.__exit__(None, None, None)
            raise
        return made

    def open_mailbox(self, token: str, *, timeout: float = PATIENCE) -> Mailbox:
        """The mailbox of a token, e.g. one that another process created."""
        secret = read_secret("token", token)
        check_text("token", secret)

        def opened(found: dict[str, Any]) -> Mailbox:
            return self._opened({**found, "token": secret})

        return patiently(timeout, lambda attempt: self._api.json(opened, "GET", "/api/mailbox", token=secret, timeout=attempt))

    def list_mailboxes(self) -> Iterator[dict[str, Any]]:
        """The live mailboxes of this API token, or of all API keys of the account, newest first.

        Only those that this very key created have an ``email``.
        """
        cursor: str | None = None
        while True:
            mailboxes, cursor = patiently(PATIENCE, lambda attempt: self._page(cursor, attempt))
            yield from mailboxes
            if cursor is None:
                return

    def delete_mailbox(self, id: str) -> None:
        """Deletes a mailbox of the list by its id. One that is already gone is no error."""
        check_id(id)
        path = f"/api/mailboxes/{id}"
        try:
            patiently(PATIENCE, lambda attempt: self._api.send("DELETE", path, token=self._api_key, timeout=attempt))
        except MayflyError as error:
            if error.code != "mailbox_not_found":
                raise

    def delete_all_mailboxes(self) -> int:
        """Deletes every mailbox of the list; returns their number, without those of an attempt whose response was lost.

        Careful: with an API key these are the mailboxes of ALL API keys of the account, also those that other programs are using.
        """

        def number(found: dict[str, Any]) -> int:
            return int(found["destroyed"])

        return patiently(
            PATIENCE, lambda attempt: self._api.json(number, "DELETE", "/api/mailboxes", token=self._api_key, timeout=attempt)
        )

    def domains(self, *, timeout: float = PATIENCE) -> list[str]:
        """The domains that the server receives mail for."""

        def names(found: dict[str, Any]) -> list[str]:
            return list(found["domains"])

        return patiently(timeout, lambda attempt: self._api.json(names, "GET", "/api/config", timeout=attempt))

    def close(self) -> None:
        self._api.close()

    def __enter__(self) -> Mayfly:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _page(self, cursor: str | None, timeout: float) -> tuple[list[dict[str, Any]], str | None]:
        def page(found: dict[str, Any]) -> tuple[list[dict[str, Any]], str | None]:
            return found["mailboxes"], found.get("nextCursor")

        return self._api.json(page, "GET", "/api/mailboxes", token=self._api_key, query={"cursor": cursor}, timeout=timeout)

    def _opened(self, made: dict[str, Any]) -> Mailbox:
        return Mailbox(
            self._api,
            address=made["email"],
            token=made["token"],
            expires_at=made["expiresAt"],
            seconds_left=made["secondsLeft"],
            id=made.get("id"),
        )

    def _opened_batch(self, made: dict[str, Any]) -> list[Mailbox]:
        return [self._opened(each) for each in made["mailboxes"]]

    @staticmethod
    def _wanted(lifetime: int | None, domain: str | None, failure: PlannedFailure | None, timeout: float) -> dict[str, Any]:
        check_seconds("timeout", timeout)
        check_option("domain", domain)
        if lifetime is not None:
            check_count("lifetime", lifetime)
        wanted = {"lifetimeSeconds": lifetime, "domain": domain, "failure": failure and failure.wire()}
        return {name: value for name, value in wanted.items() if value is not None}

    def _create(self, parse: Callable[[Any], T], deadline: Deadline, path: str, body: dict[str, Any]) -> T:
        """Asked again under the same key, so that a lost answer leaves no second mailbox."""
        headers = {"idempotency-key": secrets.token_hex(16)}
        return deadline.retry(
            lambda: self._api.json(parse, "POST", path, body=body, token=self._api_key, headers=headers, timeout=deadline.attempt),
            _UNDER_WAY,
        )

    def _bot_check(self, deadline: Deadline) -> str | None:
        if self._api_key is not None:
            return None
        if self._provider is None:
            self._provider = deadline.retry(lambda: self._api.json(_provider, "GET", "/api/config", timeout=deadline.attempt))
        if self._provider == "off":
            return None
        if self._provider == "pow":
            query = {"action": "generate_email"}
            path = "/api/bot-check/challenge"
            challenge = deadline.retry(lambda: self._api.json(_challenge, "GET", path, query=query, timeout=deadline.attempt))
            return _solve(challenge, deadline)
        raise MayflyError("bot_check_unsolvable", f"{self.url} asks visitors for reCAPTCHA. Use an API key.")


def _provider(config: dict[str, Any]) -> str:
    return str(config["botCheck"]["provider"])


def _challenge(found: dict[str, Any]) -> dict[str, Any]:
    wanted = found["parameters"]
    for name, most in _SIZES_MAX.items():
        check_count(name, wanted[name])
        if wanted[name] > most:
            raise MayflyError("bot_check_unsolvable", f"The proof of work has a {name} of {wanted[name]}, more than {most}")
    # What is no challenge fails here, as a reply that cannot be read.
    _DIGESTS[wanted["algorithm"]], bytes.fromhex(wanted["nonce"]), bytes.fromhex(wanted["salt"]), wanted["keyPrefix"].lower()
    return found


def _solve(challenge: dict[str, Any], deadline: Deadline) -> str:
    """The server's proof of work: PBKDF2 of nonce and counter until the key begins as wanted."""
    wanted = challenge["parameters"]
    digest = _DIGESTS[wanted["algorithm"]]
    nonce, salt = bytes.fromhex(wanted["nonce"]), bytes.fromhex(wanted["salt"])
    for counter in range(_COUNTER_MAX):
        password = nonce + counter.to_bytes(4, "big")
        key = hashlib.pbkdf2_hmac(digest, password, salt, wanted["cost"], wanted["keyLength"]).hex()
        if key.startswith(wanted["keyPrefix"].lower()):
            solved = {"challenge": challenge, "solution": {"counter": counter, "derivedKey": key}}
            return base64.b64encode(json.dumps(solved).encode()).decode()
        if deadline.left <= 0:
            break
    raise MayflyError("bot_check_unsolvable", "The proof of work has no solution, or none in time")
