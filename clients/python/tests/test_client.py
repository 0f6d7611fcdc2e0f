"""Against a real server: MAYFLY_URL, MAYFLY_API_KEY and MAYFLY_SMTP_PORT name it."""

import os
import smtplib
import socket
import threading
import time
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from mayfly_mail import Mailbox, MailTimeoutError, Mayfly, MayflyError, PlannedFailure

pytest_plugins = ["pytester"]


def send(
    mailbox: Mailbox,
    subject: str = "Hello",
    text: str = "Hello.",
    attachment: bytes | None = None,
    sender: str = "Shop <hello@shop.test>",
    name: str = "",
) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, f"{name} <{mailbox.address}>".strip(), subject
    mail.set_content(text)
    if attachment is not None:
        mail.add_attachment(attachment, maintype="application", subtype="octet-stream", filename="seeds.bin")
    with smtplib.SMTP("127.0.0.1", int(os.environ["MAYFLY_SMTP_PORT"])) as smtp:
        smtp.send_message(mail)


def test_a_message_has_text_headers_attachments_and_its_bytes(mailbox: Mailbox) -> None:
    send(mailbox, subject="Your seeds", attachment=b"\x00\xff")
    message = mailbox.wait_for_message(from_="SHOP", subject="seeds", to=mailbox.address, body="hello")
    assert (message.text or "").strip() == "Hello."
    assert message.header("subject") == "Your seeds"
    assert [each.content() for each in message.attachments] == [b"\x00\xff"]
    assert b"Subject: Your seeds" in message.raw()


def test_to_matches_addresses_and_no_names(mailbox: Mailbox) -> None:
    send(mailbox, text="Your code is 424242.", name="Grace Hopper")
    with pytest.raises(MailTimeoutError):
        mailbox.wait_for_message(to="grace hopper", timeout=0.3)
    with pytest.raises(MailTimeoutError):
        mailbox.wait_for_code(to="grace hopper", timeout=0.3)
    assert mailbox.wait_for_code(to=mailbox.address.upper(), timeout=20) == "424242"


def test_the_bcc_of_a_tag_is_told_from_other_mail(mailbox: Mailbox) -> None:
    tagged = mailbox.address.replace("@", "+Invoice@")
    send(mailbox)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "app@shop.test", "customer@shop.test", "Invoice"
    mail.add_attachment(b"abc", maintype="application", subtype="octet-stream", filename="a.bin")
    with smtplib.SMTP("127.0.0.1", int(os.environ["MAYFLY_SMTP_PORT"])) as smtp:
        smtp.send_message(mail, to_addrs=[tagged])
    found = mailbox.wait_for_message(envelope_to="+INVOICE@")
    assert (found.subject, found.envelope_to) == ("Invoice", [tagged])
    assert found.attachments[0].sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert mailbox.wait_for_message(to="+invoice@").id == found.id
    with pytest.raises(MailTimeoutError, match="other `envelope_to`"):
        mailbox.wait_for_message(envelope_to="+receipt@", timeout=0.3)


def test_an_address_fails_on_purpose_before_it_takes_mail() -> None:
    with Mayfly(os.environ["MAYFLY_URL"], os.environ["MAYFLY_API_KEY"]) as mayfly:
        with mayfly.create_mailbox(failure=PlannedFailure("rcpt", reply="450 4.2.1", attempts=2)) as mailbox:
            for _ in range(2):
                with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                    send(mailbox)
                assert refused.value.recipients[mailbox.address] == (450, b"4.2.1 Refused on purpose")
            send(mailbox)
            assert mailbox.wait_for_message().subject == "Hello"
        for each in mayfly.create_mailboxes(2, failure=PlannedFailure("rcpt", reply="450")):
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                send(each)
            each.delete()


def test_codes_and_links_pass_by_mail_without_them(mailbox: Mailbox) -> None:
    send(mailbox)
    threading.Timer(0.3, lambda: send(mailbox, text="Your code is 424242.")).start()
    assert mailbox.wait_for_code(timeout=20) == "424242"
    last = mailbox.wait_for_message(match=lambda each: bool(each.codes))
    send(mailbox, subject="Confirm your address", text="Please confirm: https://app.shop.test/confirm/x.")
    assert mailbox.wait_for_link(host="shop.test", after=last) == "https://app.shop.test/confirm/x"


def test_a_time_out_says_what_arrived(mailbox: Mailbox) -> None:
    send(mailbox, subject="Your invoice")
    with pytest.raises(MailTimeoutError, match="(?s)No message with subject containing 'confirm'.*'Your invoice'") as caught:
        mailbox.wait_for_message(subject="confirm", timeout=0.3)
    assert [each.subject for each in caught.value.arrived] == ["Your invoice"]


def test_messages_are_live_and_come_once(mailbox: Mailbox) -> None:
    for subject in ["one", "two", "last"]:
        send(mailbox, subject=subject)
    subjects: list[str] = []
    for message in mailbox.messages():
        subjects.append(message.subject)
        if message.subject == "last":
            break
    assert subjects == ["one", "two", "last"]


def test_a_message_whose_sender_is_checked_late_keeps_its_place(mailbox: Mailbox) -> None:
    # The DNS of the tests answers nothing for this domain, so its check ends with a time-out.
    send(mailbox, subject="one", sender="Ann <ann@slow.test>")
    send(mailbox, subject="two")
    deadline = time.monotonic() + 30
    while any(each.authentication is None for each in mailbox.list_messages()):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    first = mailbox.list_messages()[-1]
    assert (first.verdict, first.verdict_reason) == ("unknown", "unverified")
    send(mailbox, subject="last")
    for after, expected in [(None, ["one", "two", "last"]), (first, ["two", "last"])]:
        subjects: list[str] = []
        for message in mailbox.messages(after):
            subjects.append(message.subject)
            if message.subject == "last":
                break
        assert subjects == expected


def test_a_lost_answer_to_a_creation_leaves_one_mailbox(mayfly: Mayfly) -> None:
    server = urlsplit(mayfly.url)
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        lost = threading.Thread(target=_lose_first_answer, args=(proxy, (server.hostname, server.port)), daemon=True)
        lost.start()
        before = len(list(mayfly.list_mailboxes()))
        url = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        with Mayfly(url, os.environ["MAYFLY_API_KEY"]) as behind:
            made = behind.create_mailbox(lifetime=60)
        listed = list(mayfly.list_mailboxes())
    assert len(listed) == before + 1
    assert made.address in [each["email"] for each in listed]
    mayfly.open_mailbox(made.token).delete()


def _lose_first_answer(proxy: socket.socket, server: tuple[str | None, int | None]) -> None:
    """Passes requests on, and closes the first connection after the server has answered on it."""
    is_first = True
    while True:
        try:
            client, _ = proxy.accept()
        except OSError:
            return
        with client, socket.create_connection(server) as upstream:
            while request := client.recv(65536):
                upstream.sendall(request)
                if b"{" not in request:
                    continue
                answer = upstream.recv(65536)
                if is_first:
                    is_first = False
                    break
                client.sendall(answer)


def test_errors_have_a_code(mayfly: Mayfly) -> None:
    with mayfly.create_mailbox(lifetime=60) as mailbox:
        pass
    with pytest.raises(MayflyError) as caught:
        mayfly.open_mailbox(mailbox.token)
    assert (caught.value.code, caught.value.status) == ("mailbox_not_found", 404)
    with pytest.raises(MayflyError) as caught, Mayfly("http://127.0.0.1:9") as nobody:
        nobody.create_mailbox(timeout=0.3)
    assert caught.value.code == "network"


def test_a_failed_test_lists_its_mail(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os, smtplib
        def test_fails(mailbox):
            with smtplib.SMTP("127.0.0.1", int(os.environ["MAYFLY_SMTP_PORT"])) as smtp:
                smtp.sendmail("a@shop.test", mailbox.address, "Subject: Wrong mail\\r\\n\\r\\nHello.")
            mailbox.wait_for_message()
            assert False
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Mail to *", "*'Wrong mail'*"])
