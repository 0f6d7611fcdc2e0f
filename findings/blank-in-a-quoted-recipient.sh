#!/usr/bin/env bash
# One expects the recipient <"joe doe"@two.example> to be an address for a server: RFC 5321 section 4.1.2 has quoted local parts with blanks and "@"
# in them, and section 4.5.3.1.1 names no other limit for them than 64 octets.
# smtp-server 3.21.6 answers "501 Error: Bad recipient address syntax", also to "a@b" in quotes and to a sender; "joe.doe" and "joe,doe" in quotes it
# takes. Nodemailer 10.6.1, of the same author, writes all of them, so the two cannot hand one over; aiosmtpd 1.4.6 takes them.
# It matters because many fake servers for tests are built on smtp-server: an address that real servers take looks like a fault of the sender.
# Wrong guess: if one of the servers is strict about quotes, it is with ">" inside, and never with what the sister project sends.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" nodemailer@10.6.1 smtp-server@3.21.6 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check aiosmtpd==1.4.6
cat >server.py <<'PY'
import socket

from aiosmtpd.controller import Controller

class Handler:
    async def handle_DATA(self, server, session, envelope):
        return "250 taken"

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
controller = Controller(Handler(), hostname="127.0.0.1", port=port)
controller.start()
print(port, flush=True)
input()
controller.stop()
PY
cat >finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import nodemailer from 'nodemailer'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], onData: (stream, session, done) => stream.on('end', done).resume() })
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const python = spawn('venv/bin/python', ['server.py'], { stdio: ['pipe', 'pipe', 'inherit'] })
const [line] = await once(python.stdout, 'data')

for (const [name, port] of [['smtp-server 3.21.6', server.server.address().port], ['aiosmtpd 1.4.6', Number(line)]]) {
  for (const to of ['"joe.doe"@two.example', '"joe,doe"@two.example', '"joe doe"@two.example', '"a@b"@two.example']) {
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
    const said = await transport.sendMail({ envelope: { from: 'ann@one.example', to }, text: 'x' }).then(({ response }) => response, (error) => error.response)
    console.log(`${name}: ${to} ${said.slice(0, 3)}`)
  }
}
python.stdin.end('\n')
server.close()
JS
cat >expected.txt <<'TXT'
smtp-server 3.21.6: "joe.doe"@two.example 250
smtp-server 3.21.6: "joe,doe"@two.example 250
smtp-server 3.21.6: "joe doe"@two.example 501
smtp-server 3.21.6: "a@b"@two.example 501
aiosmtpd 1.4.6: "joe.doe"@two.example 250
aiosmtpd 1.4.6: "joe,doe"@two.example 250
aiosmtpd 1.4.6: "joe doe"@two.example 250
aiosmtpd 1.4.6: "a@b"@two.example 250
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
