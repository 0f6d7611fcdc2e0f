#!/usr/bin/env bash
# One expects comments to be read over wherever the grammar allows them: RFC 2045 section 5.1 says that two Content-Type fields which differ in
# a comment alone mean the same, and RFC 5322 section 3.6.4 has CFWS between the identifiers of References.
# mailparser 3.9.31 makes a type of "text/plain (words)", so that the only text of the letter becomes an attachment without a name; a comment
# in References becomes identifiers of its words. After the last parameter it reads a comment over.
# postal-mime 4.0.0 gets the types right, and hands References on as one text.
# It matters to whoever asserts on the text of a mail, or threads by References: old mailers and lists write such comments.
# Wrong guess: a parser reads comments over in all places or in none; that it depends on the place within one field nobody would think of.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.9.31 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const version = name => JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version
const mail = (...fields) => ['From: joe@example.com', 'MIME-Version: 1.0', ...fields, '', 'See you at nine.', ''].join('\r\n')
const TYPES = {
  'before the parameters': mail('Content-Type: text/plain (words); charset=utf-8'),
  'after them': mail('Content-Type: text/plain; charset=utf-8 (words)'),
}
const seen = []
for (const [place, raw] of Object.entries(TYPES)) {
  const [postal, parser] = [await PostalMime.parse(raw), await simpleParser(raw)]
  seen.push(`postal-mime ${version('postal-mime')}, a comment ${place}: ${postal.text?.trim()} (${postal.attachments.length} attachments)`)
  seen.push(`mailparser ${version('mailparser')}, a comment ${place}: ${parser.text?.trim()} (${parser.attachments.length} attachments)`)
}
const answer = mail('References: <one@example.com> (his question) <two@example.com>')
seen.push(`postal-mime, References: ${(await PostalMime.parse(answer)).references}`)
seen.push(`mailparser, References: ${JSON.stringify((await simpleParser(answer)).references)}`)
console.log(seen.join('\n'))
const expected = [
  'postal-mime 4.0.0, a comment before the parameters: See you at nine. (0 attachments)',
  'mailparser 3.9.31, a comment before the parameters: undefined (1 attachments)',
  'postal-mime 4.0.0, a comment after them: See you at nine. (0 attachments)',
  'mailparser 3.9.31, a comment after them: See you at nine. (0 attachments)',
  'postal-mime, References: <one@example.com> (his question) <two@example.com>',
  'mailparser, References: ["<one@example.com>","<(his>","<question)>","<two@example.com>"]',
]
if (seen.join('\n') !== expected.join('\n')) {
  console.error('this behaviour has changed')
  process.exitCode = 1
}
JS
node try.mjs
