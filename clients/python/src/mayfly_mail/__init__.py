"""Disposable e-mail addresses for Python tests, from a Mayfly server of your own."""

from .check import CheckedImage, CheckedLink, CheckedMessage, Problem
from .client import Mayfly, PlannedFailure
from .errors import MailboxExpiredError, MailTimeoutError, MayflyError, UnexpectedMailError
from .mailbox import Mailbox
from .message import Address, Attachment, Authentication, Link, Message, Report, Summary
from .webhooks import ReceivedWebhooks, Webhook, WebhookEvent, Webhooks, verify_webhook

__all__ = [
    "Address",
    "Attachment",
    "Authentication",
    "CheckedImage",
    "CheckedLink",
    "CheckedMessage",
    "Link",
    "MailTimeoutError",
    "Mailbox",
    "MailboxExpiredError",
    "Mayfly",
    "MayflyError",
    "Message",
    "PlannedFailure",
    "Problem",
    "ReceivedWebhooks",
    "Report",
    "Summary",
    "UnexpectedMailError",
    "Webhook",
    "WebhookEvent",
    "Webhooks",
    "verify_webhook",
]
