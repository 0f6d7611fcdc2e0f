"""``message.check()`` on mail that a test sent, with links to a server of its own."""

import os
import smtplib
import threading
from contextlib import contextmanager
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator

from mayfly_client import Mailbox, Message


@contextmanager
def site() -> Iterator[tuple[str, list[str]]]:
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            requests.append(f"{self.command} {self.path}")
            self.send_response({"/old": 301, "/gone": 410}.get(self.path, 200))
            if self.path == "/old":
                self.send_header("location", "/new")
            self.send_header("content-length", "2000000" if self.path == "/large.webp" else "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

        do_GET = do_HEAD = handle_any

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()


def receive(mailbox: Mailbox, html: str) -> Message:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Shop <hello@shop.test>", mailbox.address, "Hello"
    mail.set_content(html, subtype="html")
    with smtplib.SMTP("127.0.0.1", int(os.environ["MAYFLY_SMTP_PORT"])) as smtp:
        smtp.send_message(mail)
    return mailbox.wait_for_message()


def test_links_images_and_missing_parts_are_reported(mailbox: Mailbox) -> None:
    with site() as (origin, requests):
        links = "".join(f'<a href="{origin}{path}">x</a>' for path in ("/new", "/old", "/gone"))
        message = receive(mailbox, f'{links}<a href="http://127.0.0.1:9/">x</a><img src="{origin}/large.webp"><img alt="" src="cid:no">')
        checked = message.check()
    assert [(link.status, len(link.redirects)) for link in checked.links] == [(200, 0), (200, 1), (410, 0), (None, 0)]
    assert "GET /gone" not in requests and checked.images[0].bytes == 2_000_000
    kinds = ["link_broken", "link_broken", "image_broken", "image_without_alt", "images_heavy", "text_missing", "dark_mode_unstated"]
    assert [kind for kind, _ in checked.problems] == kinds


def test_features_that_programs_lack_are_named_and_nothing_is_requested(mailbox: Mailbox) -> None:
    style = "<style>a:hover { color: red } .x { display: grid; width: 9vw }</style>"
    with site() as (origin, requests):
        message = receive(mailbox, f'{style}<p style="cursor:default"></p><video></video><a href="{origin}/unsubscribe">Unsubscribe</a>')
        checked = message.check(follow=False)
        assert requests == []
    assert {feature for feature, _ in checked.unsupported} == {":hover", "1vw", "<video>", "cursor:", "display:grid"}
    assert dict(checked.unsupported)["display:grid"] == ["Outlook (Windows)"]
    assert "list_unsubscribe_missing" in [kind for kind, _ in checked.problems]
