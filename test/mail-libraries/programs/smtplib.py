import os
import smtplib
from email.message import EmailMessage

mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "app@shop.test", os.environ["TO"], "Your code"
mail.set_content("Your code is 481516.")
with SETUP as server:
    server.send_message(mail)
