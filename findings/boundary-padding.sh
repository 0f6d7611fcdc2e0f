#!/usr/bin/env bash
# One expects a part to be found although blanks follow its boundary: RFC 2046 section 5.1.1 has `transport-padding` in the grammar of both
# boundary lines, and says that a receiver must handle it, since gateways pad lines.
# mailparser 3.9.31 does not take "--x" with blanks after it for a boundary: the letter has no text and no attachment, without an error; blanks
# after the closing one become words of the letter. postal-mime 4.0.0 and Python's email read all of it.
# It matters to whoever tests with a mail that passed a gateway of fixed line lengths: an empty letter looks like a sender's fault.
# Wrong guess: all three strip blanks, as each of them does in the middle of header fields.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.9.31 pyodide@314.0.7 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { loadPyodide } from 'pyodide'

const python = await loadPyodide({ stdout: () => undefined })
const READ = `
import email, email.policy
found = email.message_from_string(raw, policy=email.policy.default)
"".join(part.get_content() for part in found.walk() if part.get_content_type() == "text/plain")`
const mail = (opening, closing) =>
  [
    'From: joe@example.com',
    'Subject: Padding',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="x"',
    '',
    `--x${opening}`,
    'Content-Type: text/plain',
    '',
    'Your table is booked.',
    `--x--${closing}`,
    '',
  ].join('\r\n')

const versions = ['postal-mime', 'mailparser'].map(name => `${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version}`)
const seen = []
for (const [place, raw] of Object.entries({ 'no padding': mail('', ''), 'the first': mail('   ', ''), 'the last': mail('', '   ') })) {
  python.globals.set('raw', raw)
  const texts = [(await PostalMime.parse(raw)).text, (await simpleParser(raw)).text, python.runPython(READ)]
  const words = texts.map(text => (text === undefined ? 'no text' : JSON.stringify(text.trim())))
  seen.push(`${place}: ${versions[0]} ${words[0]}, ${versions[1]} ${words[1]}, Python's email ${words[2]}`)
}
console.log(seen.join('\n'))
const all = '"Your table is booked."'
const expected = [
  `no padding: postal-mime 4.0.0 ${all}, mailparser 3.9.31 ${all}, Python's email ${all}`,
  `the first: postal-mime 4.0.0 ${all}, mailparser 3.9.31 no text, Python's email ${all}`,
  `the last: postal-mime 4.0.0 ${all}, mailparser 3.9.31 "Your table is booked.\\n--x--", Python's email ${all}`,
]
if (seen.join('\n') !== expected.join('\n')) {
  console.error('this behaviour has changed')
  process.exitCode = 1
}
JS
node try.mjs
