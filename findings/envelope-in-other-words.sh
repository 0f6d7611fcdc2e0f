#!/usr/bin/env bash
# One expects an IMAP envelope to have the Date and the Subject of a mail as they stand in it: RFC 3501 section 7.4.2 makes it the header, parsed into
# its parts and no further; encoded words stay, and where a name or a field is missing there is NIL, and a group has its two marks.
# pymap 0.36.7 reads Date and writes it anew as "27-Nov-2026 10:00:00 +0100", the form of INTERNALDATE, which is no date of RFC 5322; it decodes encoded
# words to UTF-8, though nobody enabled that, writes "" for a name that is not there, and forgets the name of a group.
# It matters to whoever tests a client with a server in Python: the client passes there with code that no real server needs, and its own decoding is
# never tried; one that reads Date by its grammar, as Go's net/mail, finds no date in any mail.
# Wrong guess: what servers of this kind get wrong is SEARCH (28 searches, by date, header and set, were all right).
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pymap==0.36.7
port=$(python3 -c 'import socket; one = socket.socket(); one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
venv/bin/pymap --host 127.0.0.1 --port "$port" --no-tls --no-service admin --no-service managesieve dict --demo-data >server.log 2>&1 &
server=$!
cat >finding.py <<'PY'
import imaplib, sys, time

for _ in range(100):
    try:
        client = imaplib.IMAP4("127.0.0.1", int(sys.argv[1]))
        break
    except OSError:
        time.sleep(0.1)
client.login("demouser", "demopass")
client.create("Tests")
for mail in [
    "Date: Fri, 27 Nov 2026 10:00:00 +0100\r\nFrom: joe@two.example\r\nTo: Friends: ann@one.example;\r\nSubject: Hello\r\n\r\nHi\r\n",
    "Date: Fri, 27 Nov 2026 10:00:00 +0100 (CET)\r\nFrom: =?UTF-8?Q?J=C3=B6rg?= <joe@two.example>\r\nSubject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHi\r\n",
]:
    client.append("Tests", None, None, mail.encode())
client.select("Tests")
for number in ["1", "2"]:
    parts = client.fetch(number, "(ENVELOPE)")[1]
    print(" ".join(piece.decode() for part in parts for piece in (part if isinstance(part, tuple) else (part,))))
client.logout()
PY
cat >expected.txt <<'TXT'
1 (ENVELOPE ("27-Nov-2026 10:00:00 +0100" "Hello" (("" NIL "joe" "two.example")) (("" NIL "joe" "two.example")) (("" NIL "joe" "two.example")) (("" NIL "ann" "one.example")) NIL NIL NIL NIL))
2 (ENVELOPE ("27-Nov-2026 10:00:00 +0100" {7} Grüße  (({5} Jörg  NIL "joe" "two.example")) (({5} Jörg  NIL "joe" "two.example")) (({5} Jörg  NIL "joe" "two.example")) NIL NIL NIL NIL NIL))
TXT
venv/bin/python finding.py "$port" | tee seen.txt
diff expected.txt seen.txt
