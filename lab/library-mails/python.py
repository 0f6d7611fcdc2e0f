"""Writes the mail with Python's own library. Its argument is the folder to write to."""

import platform
import sys
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

PDF = "Preisliste für Ana.pdf"

message = EmailMessage(policy=SMTP)
message["From"] = Address(Path("from-name").read_text(), addr_spec="ana@shop.example")
message["To"] = "name@mayfly.test"
message["Subject"] = Path("subject").read_text()
message.set_content(Path("text").read_text())
message.add_alternative(Path("html").read_text(), subtype="html")
html = message.get_payload()[1]
html.add_related(Path("logo.png").read_bytes(), "image", "png", cid="<logo@shop.example>", filename="logo.png")
message.add_alternative(Path("invite.ics").read_text(), subtype="calendar", params={"method": "REQUEST"})
message.add_attachment(Path(PDF).read_bytes(), "application", "pdf", filename=PDF)
Path(sys.argv[1], f"python-email-{platform.python_version()}.eml").write_bytes(bytes(message))
