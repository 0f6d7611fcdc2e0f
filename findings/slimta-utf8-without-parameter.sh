#!/usr/bin/env bash
# One expects a relay that hands over a sender in UTF-8 to write the parameter SMTPUTF8 after it, since RFC 6531 section 3.4 demands it of each
# such MAIL command, and a server without the parameter is to take ASCII alone.
# python-slimta 5.0.5 looks whether the server offers SMTPUTF8, writes the address in UTF-8 if it does, and no parameter in either case.
# It matters to servers that keep to the RFC: they refuse the address for good, so mail from such senders returns, although both sides speak
# SMTPUTF8. A server that offers none gets nothing: the relay ends in an error of Python's encoding, where RFC 6531 wants a bounce.
# Wrong guess: the parameter is there, and without the offer the mail is refused for good.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet python-slimta==5.0.5 setuptools==80.9.0
cat >try.py <<'PY'
import gevent
from gevent.server import StreamServer
from slimta.envelope import Envelope
from slimta.relay.smtp.static import StaticSmtpRelay


def try_with(extensions):
    heard = []

    def serve(socket, _):
        lines = socket.makefile("rwb", buffering=0)
        lines.write(b"220 mx.example\r\n")
        in_data = False
        for line in lines:
            word = line[:4].strip().upper()
            if in_data:
                in_data = line != b".\r\n"
                if not in_data:
                    lines.write(b"250 taken\r\n")
                continue
            if word == b"MAIL":
                heard.append(line.strip().decode())
            in_data = word == b"DATA"
            offers = b"".join(b"250-" + each + b"\r\n" for each in [b"mx.example", *extensions]) + b"250 8BITMIME\r\n"
            lines.write(offers if word == b"EHLO" else b"354 go on\r\n" if in_data else b"250 ok\r\n")

    server = StreamServer(("127.0.0.1", 0), serve)
    server.start()
    relay = StaticSmtpRelay("127.0.0.1", server.server_port, ehlo_as="sender.example", pool_size=1)
    envelope = Envelope("señora@bücher.example", ["joe@two.example"])
    envelope.parse(b"Subject: x\r\n\r\nx\r\n")
    try:
        with gevent.Timeout(20):
            relay.attempt(envelope, 0)
        result = "taken"
    except Exception as error:
        result = type(error).__name__
    server.stop()
    return f"{heard[0] if heard else 'no MAIL'} ({result})"


print(f"SMTPUTF8 offered: {try_with([b'SMTPUTF8'])}")
print(f"SMTPUTF8 not offered: {try_with([])}")
PY
venv/bin/python try.py 2>log.txt | tee seen.txt
cat >expected.txt <<'TXT'
SMTPUTF8 offered: MAIL FROM:<señora@bücher.example> (taken)
SMTPUTF8 not offered: no MAIL (UnicodeEncodeError)
TXT
diff expected.txt seen.txt
