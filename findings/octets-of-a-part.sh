#!/usr/bin/env bash
# One expects the size of a part in BODYSTRUCTURE to be the length of what BODY[1] hands out: RFC 3501 section 7.4.2 makes it the octets of the body in
# its transfer encoding, and the number of lines behind it those of the body.
# pymap 0.36.7 counts the header fields too, those of the whole mail where there are no parts and those of the part where there are. What it hands out
# of a part ends with the line end before the next boundary, which RFC 2046 section 5.1.1 counts to the boundary: "one", "two" are 12 octets, not 10.
# It matters to whoever tests a client with a server in Python: a client that fetches by pieces, BODY[1]<0.4096>, or shows sizes and progress, has
# sums there that are never right, and a text gets an empty line at its end.
# Wrong guess: a server that hands out the right octets counts them right, as its RFC822.SIZE does.
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
plain = ["Subject: Hello", "From: joe@two.example", "", "one", "two", ""]
mixed = ["Subject: Hello", "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=x", "",
         "--x", "Content-Type: text/plain", "", "one", "two", "",
         "--x", "Content-Type: application/octet-stream", "Content-Transfer-Encoding: base64", "", "AAECAw==", "--x--", ""]
for mail in [plain, mixed]:
    client.append("Tests", None, None, "\r\n".join(mail).encode())
client.select("Tests")
for number, parts in [("1", ["1"]), ("2", ["1", "2"])]:
    print(client.fetch(number, "(BODYSTRUCTURE)")[1][0].decode())
    for part in parts:
        octets = client.fetch(number, f"(BODY.PEEK[{part}])")[1][0][1]
        print(f"   part {part}:", len(octets), "octets", octets.count(b"\n"), "line ends")
client.logout()
PY
cat >expected.txt <<'TXT'
1 (BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7BIT" 51 5 NIL NIL NIL NIL))
   part 1: 10 octets 2 line ends
2 (BODYSTRUCTURE (("text" "plain" NIL NIL NIL "7BIT" 40 4 NIL NIL NIL NIL)("application" "octet-stream" NIL NIL NIL "base64" 87 NIL NIL NIL NIL) "mixed" ("boundary" "x") NIL NIL NIL))
   part 1: 12 octets 3 line ends
   part 2: 10 octets 1 line ends
TXT
venv/bin/python finding.py "$port" | tee seen.txt
diff expected.txt seen.txt
