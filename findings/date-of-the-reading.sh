#!/usr/bin/env bash
# One expects a Date that a parser cannot read to be missing or to stay as it was written, since the field is the sender's (RFC 5322 section
# 3.6.1), and section 4.3 has receivers take "MEZ" or "A" for -0000 and allow blanks around the colons of old clocks.
# mailparser 3.14.2 hands out the moment of the parsing as the mail's date for each of the three, and nothing says so. postal-mime 4.0.0 hands
# on the text; a mail without Date has none in both.
# It matters to whoever sorts old mail by date, or asserts that a mail was sent just now: imported from an archive it was always sent just now.
# Wrong guess: an unreadable date is undefined, as a missing one is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 >/dev/null
cat >finding.mjs <<'JS'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

for (const date of ['Fri, 27 Nov 2020 10:00:00 +0100', 'Fri, 27 Nov 2020 10:00:00 MEZ', 'Fri, 27 Nov 2020 10:00:00 A', 'Fri, 27 Nov 2020 10 : 00 : 00 +0100', '']) {
  const mail = `From: app@shop.example\r\n${date && `Date: ${date}\r\n`}\r\nHello\r\n`
  const before = Date.now()
  const read = (await simpleParser(mail)).date
  const moment = read && (read.getTime() >= before ? 'now' : read.toISOString())
  console.log(`${date || 'none'}: mailparser ${moment}, postal-mime ${(await PostalMime.parse(mail)).date}`)
}
JS
cat >expected.txt <<'TXT'
Fri, 27 Nov 2020 10:00:00 +0100: mailparser 2020-11-27T09:00:00.000Z, postal-mime 2020-11-27T09:00:00.000Z
Fri, 27 Nov 2020 10:00:00 MEZ: mailparser now, postal-mime Fri, 27 Nov 2020 10:00:00 MEZ
Fri, 27 Nov 2020 10:00:00 A: mailparser now, postal-mime Fri, 27 Nov 2020 10:00:00 A
Fri, 27 Nov 2020 10 : 00 : 00 +0100: mailparser now, postal-mime Fri, 27 Nov 2020 10 : 00 : 00 +0100
none: mailparser undefined, postal-mime undefined
TXT
echo 'mailparser 3.14.2, postal-mime 4.0.0'
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
