"""``message.check()`` on mail that a test sent, with links to a server of its own."""

import ipaddress
import json
import os
import smtplib
import socket
import threading
import time
from contextlib import contextmanager
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterator
from urllib.parse import urlsplit

import pytest
from mayfly_mail import Mailbox, Message
from mayfly_mail.check import _host, _is_metadata, _is_public, _unsupported, unescape


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
    assert [(link.text, link.status, len(link.redirects)) for link in checked.links] == [("x", 200, 0), ("x", 200, 1), ("x", 410, 0), ("x", None, 0)]
    assert "GET /gone" not in requests and checked.images[0].bytes == 2_000_000
    kinds = ["link_broken", "link_broken", "image_broken", "image_without_alt", "images_heavy", "text_missing", "dark_mode_unstated"]
    assert [each.kind for each in checked.problems if each.rule is None] == kinds


def test_links_come_with_their_texts_each_once(mailbox: Mailbox) -> None:
    html = '<a href="https://a.test/?b=1&amp;c">Track <b>it</b></a><a href=https://b.test><img src="x" alt="Our shop"></a><a href="https://b.test">again</a>'
    message = receive(mailbox, html)
    assert [(link.url, link.label) for link in message.all_links] == [("https://a.test/?b=1&c", "Track it"), ("https://b.test", "Our shop")]
    assert mailbox.wait_for_link(host="b.test") == "https://b.test"


def test_the_addresses_of_the_internet_at_large() -> None:
    path = Path(__file__).parents[3] / "test/fixtures/public-addresses.json"
    for kind, addresses in json.loads(path.read_text("utf-8")).items():
        assert {ip: _is_public(ipaddress.ip_address(ip)) for ip in addresses} == dict.fromkeys(addresses, kind == "public")
    metadata = json.loads(path.read_text("utf-8"))["metadata"]
    assert all(_is_metadata(ipaddress.ip_address(ip)) for ip in metadata)


def test_a_sender_reaches_no_metadata_and_this_network_through_no_public_host(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = ["http://127.0.0.1/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/", "http://[64:ff9b::a00:1]/", "http://localhost/"]
    metadata = ["http://169.254.169.254./latest", "http://[::ffff:a9fe:a9fe]/", "http://[fe80::1]/", "http://[fd00:ec2::254]/"]
    metadata += ["http://100.100.100.200/", "http://192.0.0.192/", "http://168.63.129.16/", "http://[fd20:ce::254]/"]
    locations = [*into, "http://9.9.9.9/get-only"]
    urls = [*(f"http://9.9.9.9/{index}" for index in range(len(locations))), *metadata]
    message = receive(mailbox, "".join(f'<a href="{url}">x</a>' for url in urls))
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        """Answers for every host, so that nothing leaves this machine."""

        def handle_any(self) -> None:
            asked.append(f"{self.command} {self.path}")
            name = urlsplit(self.path).path[1:]
            self.send_response(302 if name.isdecimal() else 405)
            if name.isdecimal():
                self.send_header("location", locations[int(name)])
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

        do_GET = do_HEAD = handle_any

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
        checked = message.check()
        server.shutdown()
    errors = [link.error for link in checked.links]
    assert errors[: len(into)] == [f"it leads into a private network: {url}" for url in into]
    assert errors[-len(metadata) :] == ["it is an address of this machine's own link, or of a cloud's metadata"] * len(metadata)
    asked_of_public = [f"HEAD http://9.9.9.9/{index}" for index in range(len(locations))]
    assert sorted(asked) == [*asked_of_public, "HEAD http://9.9.9.9/get-only"]
    assert not [each.detail for each in checked.problems if each.detail.startswith(f"http://9.9.9.9/{len(into)}")]


def test_the_connection_goes_to_the_address_that_was_judged(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _host("http://b\u00fccher.test/") == "xn--bcher-kva.test", "as it is connected to"
    look_up = socket.getaddrinfo

    def judged(host: str, port: Any, *more: Any, **named: Any) -> Any:
        """Names are judged without a port. A second look-up would lead to where the server is."""
        return look_up("127.0.0.2" if port is None else host, port, *more, **named)

    with site() as (origin, requests):
        message = receive(mailbox, f'<a href="{origin.replace("127.0.0.1", "localhost")}/old">x</a>')
        monkeypatch.setattr(socket, "getaddrinfo", judged)
        (link,) = message.check().links
    assert (link.status, requests) == (None, [])
    assert link.error is not None and "refused" in link.error


def test_features_that_programs_lack_are_named_and_nothing_is_requested(mailbox: Mailbox) -> None:
    style = "<style>a:hover { color: red } .x { display: grid; width: 9vw }</style>"
    with site() as (origin, requests):
        message = receive(mailbox, f'{style}<p style="cursor:default"></p><video></video><a href="{origin}/unsubscribe">Unsubscribe</a>')
        checked = message.check(follow=False)
        assert requests == []
    assert {feature for feature, _ in checked.unsupported} == {":hover", "1vw", "<video>", "cursor:", "display:grid"}
    assert dict(checked.unsupported)["display:grid"] == ["Outlook (Windows)"]
    assert "list_unsubscribe_missing" in [each.kind for each in checked.problems]


def test_a_hostile_mail_neither_slows_the_checks_nor_breaks_them() -> None:
    began = time.process_time()
    assert _unsupported(f"<style>a{'/*a' * 300_000}*/:hover{{</style>")[0][0] == ":hover"
    assert _unsupported(f"<style>a:hover{{}}{'/*a' * 300_000}</style>")[0][0] == ":hover"
    assert time.process_time() - began < 5
    assert unescape(f"&#{'0' * 5000}65;&#{'9' * 5000};&#{'0' * 8};") == "A\ufffd\ufffd"
