# The same with openapi-python-client. Its arguments are the API token and the URL.
import json
import sys

from mayfly_client import AuthenticatedClient
from mayfly_client.api.mailboxes import create_mailbox
from mayfly_client.api.messages import read_raw_message, wait_for_message
from mayfly_client.models import CreateMailbox

token, url = sys.argv[1:]
made = create_mailbox.sync(client=AuthenticatedClient(base_url=url, token=token), body=CreateMailbox())
print(made.email, flush=True)
mailbox = AuthenticatedClient(base_url=url, token=made.token)
message = wait_for_message.sync(client=mailbox, timeout_seconds=30)
raw = read_raw_message.sync(message.id, client=mailbox)
print(json.dumps({"code": message.codes[0], "raw": b"Subject:" in raw.payload.read()}))
