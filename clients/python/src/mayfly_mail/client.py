"""A Mayfly server as a program sees it."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from types import TracebackType
from typing import Any, Iterator

from .api import Api
from .errors import MayflyError
from .mailbox import Mailbox
from .retry import PATIENCE, Deadline, check_count, check_seconds, check_text, patiently
from .webhooks import Webhooks

#: More than the server ever asks for.
_COUNTER_MAX = 1_000_000
#: The server's limit of one batch.
_BATCH_MAX = 100
#: The first attempt, whose answer was lost, is still being worked on.
_UNDER_WAY = frozenset({"idempotency_key_in_use"})


class Mayfly:
    """``api_key``: a key of an account, or an API token of the server; an empty one means none.

    Without one the server's limits and bot check for visitors apply.
    """

    def __init__(self, url: str, api_key: str | None = None) -> None:
        check_text("url", url)
        check_text("api_key", api_key, may_be_empty=True)
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url must be the http or https address of a Mayfly server, not {url!r}")
        self._api = Api(url)
        self._api_key = api_key or None
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
        timeout: float = 30.0,
    ) -> Mailbox:
        """A new address; ``lifetime`` is in seconds and needs an API key, as ``local_part`` does.

        What fails for the moment is tried again for ``timeout`` seconds, and there is one mailbox in the end.
        """
        check_text("local_part", local_part)
        body = self._wanted(lifetime, domain, timeout)
        deadline = Deadline(timeout)
        more = {"localPart": local_part, "botCheck": self._bot_check(deadline)}
        body.update({name: value for name, value in more.items() if value is not None})
        return self._opened(self._create(deadline, "/api/mailboxes", body))

    def create_mailboxes(
        self, count: int, *, lifetime: int | None = None, domain: str | None = None, timeout: float = 30.0
    ) -> list[Mailbox]:
        """``count`` new addresses, each hundred of them in one request. Needs an API key."""
        check_count("count", count)
        body = self._wanted(lifetime, domain, timeout)
        deadline = Deadline(timeout)
        made: list[Mailbox] = []
        while len(made) < count:
            batch = {**body, "count": min(_BATCH_MAX, count - len(made))}
            made += map(self._opened, self._create(deadline, "/api/mailboxes/batch", batch)["mailboxes"])
        return made

    def open_mailbox(self, token: str, *, timeout: float = PATIENCE) -> Mailbox:
        """The mailbox of a token, e.g. one that another process created."""
        check_text("token", token)
        found = patiently(timeout, lambda attempt: self._api.json("GET", "/api/mailbox", token=token, timeout=attempt))
        return self._opened({**found, "token": token})

    def list_mailboxes(self) -> Iterator[dict[str, Any]]:
        """The live mailboxes of this API token, or of all API keys of the account, newest first.

        Only those that this very key created have an ``email``.
        """
        cursor: str | None = None
        while True:
            page = patiently(PATIENCE, lambda attempt: self._page(cursor, attempt))
            yield from page["mailboxes"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def delete_all_mailboxes(self) -> int:
        """Deletes every mailbox of the list; returns their number, without those of an attempt whose response was lost.

        Careful: with an API key these are the mailboxes of ALL API keys of the account, also those that other programs are using.
        """
        deleted = patiently(PATIENCE, lambda attempt: self._api.json("DELETE", "/api/mailboxes", token=self._api_key, timeout=attempt))
        return int(deleted["destroyed"])

    def close(self) -> None:
        self._api.close()

    def __enter__(self) -> Mayfly:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _page(self, cursor: str | None, timeout: float) -> dict[str, Any]:
        query = {"cursor": cursor}
        found: dict[str, Any] = self._api.json("GET", "/api/mailboxes", token=self._api_key, query=query, timeout=timeout)
        return found

    def _opened(self, made: dict[str, Any]) -> Mailbox:
        return Mailbox(self._api, address=made["email"], token=made["token"], expires_at=made["expiresAt"], id=made.get("id"))

    @staticmethod
    def _wanted(lifetime: int | None, domain: str | None, timeout: float) -> dict[str, Any]:
        check_seconds("timeout", timeout)
        check_text("domain", domain)
        if lifetime is not None:
            check_count("lifetime", lifetime)
        wanted = {"lifetimeSeconds": lifetime, "domain": domain}
        return {name: value for name, value in wanted.items() if value is not None}

    def _create(self, deadline: Deadline, path: str, body: dict[str, Any]) -> Any:
        """Asked again under the same key, so that a lost answer leaves no second mailbox."""
        headers = {"idempotency-key": secrets.token_hex(16)}
        return deadline.retry(
            lambda: self._api.json("POST", path, body=body, token=self._api_key, headers=headers, timeout=deadline.attempt),
            _UNDER_WAY,
        )

    def _bot_check(self, deadline: Deadline) -> str | None:
        if self._api_key is not None:
            return None
        if self._provider is None:
            config = deadline.retry(lambda: self._api.json("GET", "/api/config", timeout=deadline.attempt))
            self._provider = config["botCheck"]["provider"]
        if self._provider == "off":
            return None
        if self._provider == "pow":
            query = {"action": "generate_email"}
            path = "/api/bot-check/challenge"
            return _solve(deadline.retry(lambda: self._api.json("GET", path, query=query, timeout=deadline.attempt)))
        raise MayflyError("bot_check_unsolvable", f"{self.url} asks visitors for reCAPTCHA. Use an API key.")


def _solve(challenge: dict[str, Any]) -> str:
    """The server's proof of work: PBKDF2 of nonce and counter until the key begins as wanted."""
    wanted = challenge["parameters"]
    digest = {"PBKDF2/SHA-256": "sha256", "PBKDF2/SHA-384": "sha384", "PBKDF2/SHA-512": "sha512"}[wanted["algorithm"]]
    nonce, salt = bytes.fromhex(wanted["nonce"]), bytes.fromhex(wanted["salt"])
    for counter in range(_COUNTER_MAX):
        password = nonce + counter.to_bytes(4, "big")
        key = hashlib.pbkdf2_hmac(digest, password, salt, wanted["cost"], wanted["keyLength"]).hex()
        if key.startswith(wanted["keyPrefix"].lower()):
            solved = {"challenge": challenge, "solution": {"counter": counter, "derivedKey": key}}
            return base64.b64encode(json.dumps(solved).encode()).decode()
    raise MayflyError("bot_check_unsolvable", "The proof of work has no solution")
