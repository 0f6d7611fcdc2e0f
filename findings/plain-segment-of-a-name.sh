#!/usr/bin/env bash
# One expects "50%25.pdf" at the end of a file name to stay as it is where its segment has no asterisk: RFC 2231 section 4.1 lets encoded and
# plain segments follow each other, and only those whose name ends with "*" are percent-encoded.
# mailparser 3.9.31 decodes all segments as soon as one of them is encoded: "50%25.pdf" becomes "50%.pdf" and "%41" becomes "A", while the same
# plain segments alone are left alone. postal-mime 4.0.0 and Python's email keep them.
# It matters to whoever compares names of attachments with those that were sent: mailers encode only the segment that needs it.
# Wrong guess: all three read the asterisk for each segment, since they already put segments in order by their numbers.
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
email.message_from_string(raw, policy=email.policy.default).get_filename()`
const version = name => JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version
const NAMES = {
  'all plain': 'filename*0="save "; filename*1="50%25.pdf"',
  'the first encoded': `filename*0*=utf-8''Gr%C3%BC%C3%9Fe%20; filename*1="50%25.pdf"`,
  'letters as well': `filename*0*=utf-8''a%20b; filename*1="%41.pdf"`,
}
const seen = []
for (const [kind, parameters] of Object.entries(NAMES)) {
  const fields = ['From: joe@example.com', 'MIME-Version: 1.0', 'Content-Type: application/pdf']
  const raw = [...fields, `Content-Disposition: attachment; ${parameters}`, '', 'x', ''].join('\r\n')
  python.globals.set('raw', raw)
  const postal = (await PostalMime.parse(raw)).attachments[0].filename
  const parser = (await simpleParser(raw)).attachments[0].filename
  seen.push(`${kind}: postal-mime ${version('postal-mime')} ${postal}, mailparser ${version('mailparser')} ${parser}, Python ${python.runPython(READ)}`)
}
console.log(seen.join('\n'))
const expected = [
  'all plain: postal-mime 4.0.0 save 50%25.pdf, mailparser 3.9.31 save 50%25.pdf, Python save 50%25.pdf',
  'the first encoded: postal-mime 4.0.0 Grüße 50%25.pdf, mailparser 3.9.31 Grüße 50%.pdf, Python Grüße 50%25.pdf',
  'letters as well: postal-mime 4.0.0 a b%41.pdf, mailparser 3.9.31 a bA.pdf, Python a b%41.pdf',
]
if (seen.join('\n') !== expected.join('\n')) {
  console.error('this behaviour has changed')
  process.exitCode = 1
}
JS
node try.mjs
