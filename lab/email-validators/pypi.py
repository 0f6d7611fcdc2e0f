"""Prints one line of JSON for each validator of PyPI: whether it takes each of the addresses that are its arguments."""

import json
import sys
from importlib.metadata import version

import django
import email_validator
import marshmallow
import pydantic
import validators
import wtforms
from django.conf import settings
from django.core.validators import EmailValidator
from fastapi_mail import MessageSchema, MessageType

addresses = sys.argv[1:]


def show(kind, package, title, check):
    """`check` raises, or returns something false, for an address that it refuses."""
    accepted = []
    for address in addresses:
        try:
            accepted.append(check(address) is not False)
        except (ValueError, django.core.exceptions.ValidationError, marshmallow.ValidationError):
            accepted.append(False)
    print(json.dumps({"kind": kind, "title": title, "version": version(package), "accepted": accepted}))


class Form(wtforms.Form):
    email = wtforms.StringField(validators=[wtforms.validators.Email()])


class Model(pydantic.BaseModel):
    email: pydantic.EmailStr


def mail(address):
    MessageSchema(subject="Hello", recipients=[address], body="Hello", subtype=MessageType.plain)


settings.configure()
special = "list of special names"
show(special, "email-validator", "email-validator, `check_deliverability=False`",
     lambda address: bool(email_validator.validate_email(address, check_deliverability=False)))
show(special, "pydantic", "pydantic `EmailStr`", lambda address: bool(Model(email=address)))
show(special, "fastapi-mail", "fastapi-mail `MessageSchema`", mail)
show(special, "WTForms", "WTForms `Email()`", lambda address: Form(data={"email": address}).validate())
show("syntax", "Django", "Django `EmailValidator`", lambda address: EmailValidator()(address))
show("syntax", "marshmallow", "marshmallow `fields.Email`", lambda address: bool(marshmallow.fields.Email().deserialize(address)))
show("syntax", "validators", "validators `email`", lambda address: validators.email(address) is True)
show("DNS", "email-validator", "email-validator, its default", lambda address: bool(email_validator.validate_email(address)))
