#!/usr/bin/env bash
# One expects "To: Friends: Ann <ann@two.example>, joe@two.example;" to come out of an IMAP envelope as a group or as its two members: RFC 9051 section
# 7.5.2, as RFC 3501 before it, has a server mark the beginning and the end of a group by two addresses without a host.
# Dovecot 2.3.19 (Debian 12) does so. IMAPClient 4.1.0 leaves the marks in the list: str() of the first is "Friends", str() of the last raises an
# AttributeError. imapflow 2.10.2 removes the last and makes of the first a recipient "Friends" whose address is empty.
# It matters to whoever lists recipients by IMAP: "undisclosed-recipients:;", which many newsletters have, is such a group, and raises too.
# Wrong guess: str() gives "Friends@None", and imapflow "Friends@". (Needs root.)
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq 'dovecot-core=1:2.3.19.1*' 'dovecot-imapd=1:2.3.19.1*' >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
npm install --silent --no-save --ignore-scripts --prefix "$folder" imapflow@2.10.2 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check IMAPClient==4.1.0
mkdir -p mail/cur mail/new mail/tmp
for to in 'Friends: Ann <ann@two.example>, joe@two.example;' 'undisclosed-recipients:;'; do
  printf '%s\r\n' 'From: app@shop.example' "To: $to" 'Subject: Hello' '' 'Hello' >"mail/cur/$(ls mail/cur | wc -l).home:2,S"
done
chmod -R 777 mail
cat >dovecot.sh <<'TXT'
#!/usr/bin/env bash
cat | env -i LD_LIBRARY_PATH=usr/lib/dovecot MAIL_UID=65534 MAIL_GID=65534 USER=joe HOME="$PWD/mail" MAIL_LOCATION="maildir:$PWD/mail" \
  BASE_DIR="$PWD/mail" LOG_PATH=/dev/stderr usr/lib/dovecot/imap -O 2>/dev/null | cat
TXT
cat >finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ImapFlow } from 'imapflow'

const server = createServer((socket) => {
  const dovecot = spawn('bash', ['dovecot.sh'])
  socket.pipe(dovecot.stdin)
  dovecot.stdout.pipe(socket)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth: { user: 'joe', pass: '' }, logger: false })
await client.connect()
await client.mailboxOpen('INBOX')
for await (const { seq, envelope } of client.fetch('1:*', { envelope: true })) console.log(`${seq}: imapflow ${JSON.stringify(envelope.to)}`)
await client.logout()
await once(spawn('venv/bin/python', ['finding.py', String(port)], { stdio: 'inherit' }), 'exit')
server.close()
JS
cat >finding.py <<'PY'
import sys

import imapclient

client = imapclient.IMAPClient("127.0.0.1", int(sys.argv[1]), ssl=False)
client.select_folder("INBOX")
for number, found in sorted(client.fetch(client.search(), ["ENVELOPE"]).items()):
    for address in found[b"ENVELOPE"].to:
        try:
            print(f"{number}: IMAPClient {address}")
        except AttributeError as error:
            print(f"{number}: IMAPClient {address.mailbox}: {error}")
client.logout()
PY
cat >expected.txt <<'TXT'
Dovecot: ((NIL NIL "Friends" NIL)("Ann" NIL "ann" "two.example")(NIL NIL "joe" "two.example")(NIL NIL NIL NIL))
Dovecot: ((NIL NIL "undisclosed-recipients" NIL)(NIL NIL NIL NIL))
1: imapflow [{"name":"Friends","address":""},{"name":"Ann","address":"ann@two.example"},{"name":"","address":"joe@two.example"}]
2: imapflow [{"name":"undisclosed-recipients","address":""}]
1: IMAPClient Friends
1: IMAPClient Ann <ann@two.example>
1: IMAPClient joe@two.example
1: IMAPClient None: 'NoneType' object has no attribute 'encode'
2: IMAPClient undisclosed-recipients
2: IMAPClient None: 'NoneType' object has no attribute 'encode'
TXT
{
  (printf 'a SELECT INBOX\r\nb FETCH 1:* ENVELOPE\r\nc LOGOUT\r\n'; sleep 1) | bash dovecot.sh | tr -d '\r' |
    sed -n 's/.*shop.example")) \(((.*))\) NIL NIL NIL.*/Dovecot: \1/p'
  node finding.mjs
} | tee seen.txt
diff expected.txt seen.txt
