#!/usr/bin/env bash
# One expects that a flowed paragraph of a quoted reply is joined without the quote mark of its next line: RFC 3676 section 4.5 removes the
# quote mark of each line before lines are joined, so "> one " and "> two" are the paragraph "> one two".
# postal-mime 4.0.0 and mailparser 3.9.31 join the lines as they are, so that the mark stands inside the paragraph: "> one > two".
# It matters because every flowed reply that quotes more than one line is shown with marks between its words, and a code or a URL that was
# wrapped inside a quotation comes out broken.
# Wrong guess: both strip the marks, since both already join lines and know DelSp.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.9.31 >/dev/null
cat >try.mjs <<'JS'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const mail = (parameters, lines) =>
  Buffer.from(['From: ana@sender.example', `Content-Type: text/plain; charset=utf-8; format=flowed${parameters}`, '', ...lines, ''].join('\r\n'))
const cases = [
  ['flowed', mail('', ['> one ', '> two'])],
  ['flowed, two levels', mail('', ['>> one ', '>> two'])],
  ['flowed, DelSp', mail('; delsp=yes', ['> on ', '> e'])],
]
const seen = []
for (const [name, raw] of cases) {
  seen.push(`postal-mime, ${name}: ${JSON.stringify((await PostalMime.parse(raw)).text.trim())}`)
  seen.push(`mailparser, ${name}: ${JSON.stringify((await simpleParser(raw)).text.trim())}`)
}
console.log(seen.join('\n'))
JS
cat >expected.txt <<'TXT'
postal-mime, flowed: "> one > two"
mailparser, flowed: "> one > two"
postal-mime, flowed, two levels: ">> one >> two"
mailparser, flowed, two levels: ">> one >> two"
postal-mime, flowed, DelSp: "> on> e"
mailparser, flowed, DelSp: "> on> e"
TXT
echo 'postal-mime 4.0.0, mailparser 3.9.31'
node try.mjs | tee seen.txt
diff expected.txt seen.txt
