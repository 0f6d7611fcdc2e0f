#!/usr/bin/env bash
# One expects the text "Grüße" to be sent as quoted-printable or base64, or called 8bit: RFC 2045 section 2.7 has neither octets above 127 nor lines over
# 998 in what is called 7bit, and section 6.2 makes the word a statement about what follows.
# emailjs 5.0.3 writes each text/plain with "Content-Transfer-Encoding: 7bit", as UTF-8 in eight bits, and a paragraph of 1,200 octets in one line, which
# RFC 5321 section 4.5.3.1.6 lets a server refuse. MIME-Version is missing too, unless the mail has an HTML form or a file; HTML is sent as base64.
# It matters because what relies on the word, a gateway or a signer, cuts the eighth bit off or breaks the line: accents and links are lost under way,
# in texts only, and not in the HTML of the same mail.
# Wrong guess: the library encodes text as it encodes HTML and the subject.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" emailjs@5.0.3 >/dev/null 2>&1
cat >finding.mjs <<'JS'
import { Message } from 'emailjs'

const head = { from: 'ann@one.example', to: 'joe@two.example', subject: 'Grüße' }
const html = { data: '<p>Grüße</p>', alternative: true }
for (const [name, fields] of Object.entries({
  'a short text': { text: 'Grüße' },
  'a long paragraph': { text: 'word '.repeat(240).trim() },
  'text and HTML': { text: 'Grüße', attachment: [html] },
})) {
  const lines = (await new Message({ ...head, ...fields }).readAsync()).split('\r\n')
  console.log(name)
  for (const line of lines.filter((one) => /^(MIME-Version|Content-T|Subject)/.test(one))) console.log('  ', line.replace(/boundary=.*/, 'boundary'))
  console.log('   beyond ASCII:', lines.filter((line) => /[^\0-\x7f]/.test(line)), 'over 998:', lines.filter((line) => line.length > 998).length)
}
JS
cat >expected.txt <<'TXT'
a short text
   Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=
   Content-Type:text/plain; charset=utf-8
   Content-Transfer-Encoding: 7bit
   beyond ASCII: [ 'Grüße' ] over 998: 0
a long paragraph
   Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=
   Content-Type:text/plain; charset=utf-8
   Content-Transfer-Encoding: 7bit
   beyond ASCII: [] over 998: 1
text and HTML
   Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=
   MIME-Version: 1.0
   Content-Type: multipart/mixed; boundary
   Content-Type: multipart/alternative; boundary
   Content-Type:text/plain; charset=utf-8
   Content-Transfer-Encoding: 7bit
   Content-Type: text/html; charset=utf-8
   Content-Transfer-Encoding: base64
   beyond ASCII: [ 'Grüße' ] over 998: 0
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
