#!/usr/bin/env bash
# One expects a client that sends eight-bit content to say BODY=8BITMIME after MAIL where the server offers 8BITMIME, and to encode it where
# the server does not: RFC 6152 section 3 makes the parameter the client's promise, and section 4 forbids to send eight bits without it.
# Nodemailer 10.6.1 writes an attached message (message/rfc822) with "Content-Transfer-Encoding: 8bit", and the same bytes without BODY to a
# server that offers 8BITMIME and to one that does not; only the option `use8BitMime` of the envelope adds the word. Its own text is encoded.
# It matters because a relay that hears no BODY may hand the mail on as seven bits: the attached letter then loses its accents.
# Wrong guess: what decides on 8bit for a part also decides on BODY, since the connection already reads the server's extensions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" nodemailer@10.6.1 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import nodemailer from 'nodemailer'

/** What a server that offers `extensions` hears: the arguments of MAIL, and whether a byte of the content has eight bits. */
async function heard(extensions, envelope) {
  let [mail, isData, hasEightBits] = ['', false, false]
  const server = createServer(socket => {
    socket.write('220 relay.example ESMTP\r\n')
    let rest = ''
    socket.on('data', bytes => {
      rest += bytes.toString('latin1')
      const lines = rest.split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (isData) {
          if (/[\x80-\xff]/.test(line)) hasEightBits = true
          if (line !== '.') continue
          isData = false
        }
        if (line.startsWith('MAIL')) mail = line
        isData = line === 'DATA'
        if (line.startsWith('EHLO')) socket.write([...extensions.map(name => `250-${name}`), '250 relay.example', ''].join('\r\n'))
        else socket.write(isData ? '354 Go on\r\n' : line === 'QUIT' ? '221 Bye\r\n' : '250 OK\r\n')
      }
    })
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: server.address().port, ignoreTLS: true })
  const attachments = [{ contentType: 'message/rfc822', content: 'Subject: One\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGrüße\r\n' }]
  const addresses = { from: 'joe@example.com', to: 'ana@example.com' }
  await transport.sendMail({ ...addresses, text: 'Grüße', attachments, envelope: { ...addresses, ...envelope } })
  transport.close()
  server.close()
  return `${mail}, ${hasEightBits ? 'eight bits' : 'seven bits'}`
}

const { version } = JSON.parse(readFileSync('node_modules/nodemailer/package.json'))
const seen = [
  `Nodemailer ${version}, 8BITMIME offered: ${await heard(['8BITMIME'], {})}`,
  `Nodemailer ${version}, not offered: ${await heard([], {})}`,
  `Nodemailer ${version}, with use8BitMime: ${await heard(['8BITMIME'], { use8BitMime: true })}`,
]
console.log(seen.join('\n'))
const expected = [
  'Nodemailer 10.6.1, 8BITMIME offered: MAIL FROM:<joe@example.com>, eight bits',
  'Nodemailer 10.6.1, not offered: MAIL FROM:<joe@example.com>, eight bits',
  'Nodemailer 10.6.1, with use8BitMime: MAIL FROM:<joe@example.com> BODY=8BITMIME, eight bits',
]
if (seen.join('\n') !== expected.join('\n')) {
  console.error('this behaviour has changed')
  process.exitCode = 1
}
JS
node try.mjs
