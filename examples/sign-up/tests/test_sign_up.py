import os

import httpx
from mayfly_mail import Mailbox

APP_URL = os.environ.get("APP_URL", "http://127.0.0.1:3000")


def test_sign_up(mailbox: Mailbox) -> None:
    httpx.post(f"{APP_URL}/sign-up", data={"email": mailbox.address})
    code = mailbox.wait_for_code(from_="garden-club.example")
    page = httpx.post(f"{APP_URL}/confirm", data={"email": mailbox.address, "code": code})
    assert f"Welcome, {mailbox.address}!" in page.text
