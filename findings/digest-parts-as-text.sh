#!/usr/bin/env bash
# One expects the parts of a multipart/digest that name no type to be messages: RFC 2046 section 5.1.5 makes message/rfc822 their default,
# as mailing lists have sent digests since 1996.
# mailparser 3.9.31 takes them for text/plain: the header lines of each message are shown as words of the letter, their encoded subjects and
# bodies stay encoded. postal-mime 4.0.0 reads the same mail as messages.
# It matters because two popular parsers show two different letters, and a test that asserts on the text passes with one of them only.
# Wrong guess: both know the default type, which is one line in the standard's section on multipart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.9.31 >/dev/null
cat >try.mjs <<'JS'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const message = (subject, words) => [
  '',
  'From: list@sender.example',
  `Subject: ${subject}`,
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  words,
]
const raw = Buffer.from(
  [
    'From: digest@sender.example',
    'MIME-Version: 1.0',
    'Content-Type: multipart/digest; boundary=sep',
    '',
    '--sep',
    ...message('=?utf-8?Q?Caf=C3=A9?=', 'caf=C3=A9 one'),
    '--sep',
    ...message('second', 'two'),
    '--sep--',
    '',
  ].join('\r\n'),
)
const report = (name, text) =>
  console.log(`${name}: subject decoded ${text.includes('Café')}, body decoded ${text.includes('café one')}, transfer encoding shown ${text.includes('Content-Transfer-Encoding')}`)
report('postal-mime', (await PostalMime.parse(raw)).text)
const parsed = await simpleParser(raw)
report('mailparser', parsed.text)
console.log(`mailparser: attachments ${parsed.attachments.length}`)
JS
cat >expected.txt <<'TXT'
postal-mime: subject decoded true, body decoded true, transfer encoding shown false
mailparser: subject decoded false, body decoded false, transfer encoding shown true
mailparser: attachments 0
TXT
echo 'postal-mime 4.0.0, mailparser 3.9.31'
node try.mjs | tee seen.txt
diff expected.txt seen.txt
