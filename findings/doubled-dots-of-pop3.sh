#!/usr/bin/env bash
# One expects a POP3 client to hand out the lines of a mail as they were written: RFC 1939 section 3 has the server put one more dot before each line
# that begins with a dot, and the client take it away again, in every reply of several lines.
# node-pop3 0.11.0 (npm) leaves it: ".profile" is "..profile", with RETR as with TOP. Python's poplib takes it away.
# It matters because few lines begin with a dot, so that tests pass: what breaks are quoted-printable letters wrapped before a dot, where a link
# to "mail.two.example" becomes one to "mail..two.example", and DKIM signatures, whose body hash no longer fits.
# Wrong guess: every client takes the dots away, since it looks at each line for the one that ends the reply, and only very long lines are at risk.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" node-pop3@0.11.0 >/dev/null 2>&1
cat >poplib_client.py <<'PY'
import poplib, sys

client = poplib.POP3("127.0.0.1", int(sys.argv[1]), timeout=10)
client.user("joe")
client.pass_("word")
print("poplib, RETR:", [line.decode() for line in client.retr(1)[1]])
print("poplib, TOP:", [line.decode() for line in client.top(1, 9)[1]])
client.quit()
PY
cat >finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import Pop3Command from 'node-pop3'

const mail = ['Subject: Two files', 'Content-Transfer-Encoding: quoted-printable', '', '.profile', 'https://mail=', '.two.example/', '...', '']
const stuffed = mail.map((line) => line.replace(/^\./, '..')).join('\r\n')
const server = createServer((socket) => {
  socket.write('+OK ready\r\n')
  let rest = ''
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop()
    for (const line of lines) {
      const command = line.split(' ')[0].toUpperCase()
      if (command === 'QUIT') socket.end('+OK\r\n')
      else socket.write(command === 'RETR' || command === 'TOP' ? `+OK\r\n${stuffed}.\r\n` : '+OK\r\n')
    }
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
console.log((await promisify(execFile)('python3', ['poplib_client.py', String(port)])).stdout.trim())
const client = new Pop3Command({ host: '127.0.0.1', port, user: 'joe', password: 'word' })
console.log('node-pop3, RETR:', JSON.stringify((await client.RETR(1)).trimEnd().split('\r\n')))
console.log('node-pop3, TOP:', JSON.stringify((await client.TOP(1, 9)).trimEnd().split('\r\n')))
await client.QUIT()
server.close()
JS
cat >expected.txt <<'TXT'
poplib, RETR: ['Subject: Two files', 'Content-Transfer-Encoding: quoted-printable', '', '.profile', 'https://mail=', '.two.example/', '...']
poplib, TOP: ['Subject: Two files', 'Content-Transfer-Encoding: quoted-printable', '', '.profile', 'https://mail=', '.two.example/', '...']
node-pop3, RETR: ["Subject: Two files","Content-Transfer-Encoding: quoted-printable","","..profile","https://mail=","..two.example/","...."]
node-pop3, TOP: ["Subject: Two files","Content-Transfer-Encoding: quoted-printable","","..profile","https://mail=","..two.example/","...."]
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
