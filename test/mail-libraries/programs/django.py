import os

import django
from django.conf import settings
from django.core.mail import send_mail

given = {}
exec("""SETUP""", given)
settings.configure(**{name: value for name, value in given.items() if name.isupper()})
django.setup()
send_mail("Your code", "Your code is 481516.", "app@shop.test", [os.environ["TO"]])
