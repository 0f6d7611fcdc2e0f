"""A Mayfly server as a program sees it."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from types import TracebackType
from typing import Any, Iterator

from .api import Api
from .errors import MayflyError
from .mailbox import Mailbox

#: More than the server ever asks for.
_COUNTER_MAX = 1_000_000
_CREATION_TRIES = 3
#: Lost answers, and the first attempt still being worked on. What the server refuses is not asked for again.
_UNANSWERED = {"network", "unavailable", "idempotency_key_in_use"}


class Mayfly:
    """``api_key``: a key of an account, or an API token of the server; without one its limits and bot check for visitors apply."""

    def __init__(self, url: str, api_key: str | None = None) -> None:
        self._api = Api(url)
        self._api_key = api_key
        self._provider: str | None = None
        self.url = self._api.url

    def create_mailbox(
        self, *, lifetime: int | None = None, domain: str | None = None, local_part: str | None = None
    ) -> Mailbox:
        """A new address; ``lifetime`` is in seconds and needs an API key, as ``local_part`` does."""
        wanted = {"lifetimeSeconds": lifetime, "domain": domain, "localPart": local_part, "botCheck": self._bot_check()}
        body = {name: value for name, value in wanted.items() if value is not None}
        made = self._create(body, {"idempotency-key": secrets.token_hex(16)})
        return Mailbox(self._api, address=made["email"], token=made["token"], expires_at=made["expiresAt"])

    def open_mailbox(self, token: str) -> Mailbox:
        """The mailbox of a token, e.g. one that another process created."""
        found = self._api.json("GET", "/api/mailbox", token=token)
        return Mailbox(self._api, address=found["email"], token=token, expires_at=found["expiresAt"])

    def list_mailboxes(self) -> Iterator[dict[str, Any]]:
        """The live mailboxes of this API token, or of all API keys of the account, newest first.

        Only those that this very key created have an ``email``.
        """
        cursor: str | None = None
        while True:
            page = self._api.json("GET", "/api/mailboxes", token=self._api_key, query={"cursor": cursor})
            yield from page["mailboxes"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def delete_all_mailboxes(self) -> int:
        """Deletes every mailbox of the list; returns their number.

        Careful: with an API key these are the mailboxes of ALL API keys of the account, also those that other programs are using.
        """
        return int(self._api.json("DELETE", "/api/mailboxes", token=self._api_key)["destroyed"])

    def close(self) -> None:
        self._api.close()

    def __enter__(self) -> Mayfly:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _create(self, body: dict[str, Any], headers: dict[str, str]) -> Any:
        """An answer that was lost is asked for again under the same key, so that there is one mailbox and it is this one."""
        for attempt in range(1, _CREATION_TRIES + 1):
            try:
                return self._api.json("POST", "/api/mailboxes", body=body, token=self._api_key, headers=headers)
            except MayflyError as error:
                is_lost = error.status >= 502 or error.code in _UNANSWERED
                if not is_lost or attempt == _CREATION_TRIES:
                    raise
                time.sleep(max(error.retry_after or 0, 0.3 * attempt))
        raise AssertionError("the last attempt returns or raises")

    def _bot_check(self) -> str | None:
        if self._api_key is not None:
            return None
        if self._provider is None:
            self._provider = self._api.json("GET", "/api/config")["botCheck"]["provider"]
        if self._provider == "off":
            return None
        if self._provider == "pow":
            return _solve(self._api.json("GET", "/api/bot-check/challenge", query={"action": "generate_email"}))
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
