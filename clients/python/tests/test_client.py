"""Against a real server: MAYFLY_URL, MAYFLY_API_KEY and MAYFLY_SMTP_PORT name it."""

import os
import smtplib
import threading
from email.message import EmailMessage

import pytest
from mayfly_client import Mailbox, MailTimeoutError, Mayfly, MayflyError

pytest_plugins = ["pytester"]


def send(mailbox: Mailbox, subject: str = "Hello", text: str = "Hello.", attachment: bytes | None = None) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Shop <hello@shop.test>", mailbox.address, subject
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


def test_errors_have_a_code(mayfly: Mayfly) -> None:
    with mayfly.create_mailbox(lifetime=60) as mailbox:
        pass
    with pytest.raises(MayflyError) as caught:
        mayfly.open_mailbox(mailbox.token)
    assert (caught.value.code, caught.value.status) == ("mailbox_not_found", 404)
    with pytest.raises(MayflyError) as caught, Mayfly("http://127.0.0.1:9") as nobody:
        nobody.create_mailbox()
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
