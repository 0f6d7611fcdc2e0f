#!/usr/bin/env bash
# One expects a mail to "Friends: joe@two.example, bob@two.example;" to go to Joe and Bob: RFC 5322 section 3.4 has groups in To and Cc, and what a library
# turns into envelope recipients are the members; a group without members, "undisclosed-recipients:;", adds nobody.
# emailjs 5.0.3 writes "RCPT TO:<undefined>" for each group, and "Cc: Friends <undefined>", encoded, into the mail: the members are nowhere. Nodemailer
# 10.6.1 writes to the members.
# It matters because nothing fails at once: a server that adds its own domain takes "undefined", so mail goes to a mailbox of that name, or the whole
# mail is refused for an address that nobody wrote.
# Wrong guess: the library, whose module for addresses names groups in its own types, sends to their members.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" emailjs@5.0.3 nodemailer@10.6.1 >/dev/null 2>&1
cat >finding.mjs <<'JS'
import { createServer } from 'node:net'
import { Message, SMTPClient } from 'emailjs'
import { createTransport } from 'nodemailer'

const lines = []
const server = createServer((socket) => {
  socket.write('220 mx.two.example\r\n')
  let rest = ''
  let inMail = false
  socket.on('data', (chunk) => {
    const whole = (rest + chunk).split('\r\n')
    rest = whole.pop()
    for (const line of whole) {
      if (/^(rcpt|to:|cc:)/i.test(line)) lines.push(line)
      if (inMail && line !== '.') continue
      inMail = /^data$/i.test(line)
      if (/^quit$/i.test(line)) socket.end('221 bye\r\n')
      else socket.write(inMail ? '354 go on\r\n' : '250 mx.two.example\r\n')
    }
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const nodemailer = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
const emailjs = new SMTPClient({ host: '127.0.0.1', port })
const from = 'ann@one.example'
const subject = 'Hello'
for (const cc of ['Friends: joe@two.example, bob@two.example;', 'undisclosed-recipients:;']) {
  const to = 'eve@two.example'
  for (const [name, send] of [
    ['Nodemailer', () => nodemailer.sendMail({ from, to, cc, subject, text: 'Hi' })],
    ['emailjs', () => emailjs.sendAsync(new Message({ from, to, cc, subject, text: 'Hi' }))],
  ]) {
    lines.length = 0
    await send()
    console.log(`${name}, Cc ${cc}`)
    for (const line of lines) console.log('  ', line)
  }
}
process.exit()
JS
cat >expected.txt <<'TXT'
Nodemailer, Cc Friends: joe@two.example, bob@two.example;
   RCPT TO:<eve@two.example>
   RCPT TO:<joe@two.example>
   RCPT TO:<bob@two.example>
   To: eve@two.example
   Cc: Friends:joe@two.example, bob@two.example;
emailjs, Cc Friends: joe@two.example, bob@two.example;
   RCPT TO:<eve@two.example>
   RCPT TO:<undefined>
   To: eve@two.example
   Cc: =?UTF-8?Q?Friends?= <undefined>
Nodemailer, Cc undisclosed-recipients:;
   RCPT TO:<eve@two.example>
   To: eve@two.example
   Cc: "undisclosed-recipients":;
emailjs, Cc undisclosed-recipients:;
   RCPT TO:<eve@two.example>
   RCPT TO:<undefined>
   To: eve@two.example
   Cc: =?UTF-8?Q?undisclosed-recipients?= <undefined>
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
