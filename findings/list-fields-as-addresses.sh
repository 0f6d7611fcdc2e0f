#!/usr/bin/env bash
# One expects the first URL of List-Unsubscribe to be the one to use, blanks inside its angle brackets to be left out, and "List-ID: <news.shop.
# example>" to be a list without a name: RFC 2369 sections 2 and 3 (clients try from the left; fields get wrapped), RFC 2919 section 3.
# mailparser 3.14.2 reads these fields as addresses: of two HTTPS URLs it keeps the second, a URL that was wrapped keeps a blank, and an
# identifier without "@" becomes the name of a list without an identifier; with a name before it, it is read right.
# It matters to whoever tests unsubscribing (RFC 8058) or sorts by list: the link called is not the one a mail program would call.
# Wrong guess: its own object for lists, with `url` and `mail`, comes from a reading of its own, and the last mail address wins at most.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 >/dev/null
cat >finding.mjs <<'JS'
import { simpleParser } from 'mailparser'

for (const field of [
  'List-Unsubscribe: <https://shop.example/first>, <https://shop.example/second>',
  'List-Unsubscribe: <mailto:first@shop.example>, <mailto:second@shop.example>',
  'List-Unsubscribe: <https://shop.example/leave/\r\n 481516>',
  'List-ID: News <news.shop.example>',
  'List-ID: <news.shop.example>',
]) {
  const mail = await simpleParser(`From: app@shop.example\r\n${field}\r\n\r\nHello\r\n`)
  console.log(`${field.replace('\r\n', '')}: ${JSON.stringify(Object.values(mail.headers.get('list'))[0])}`)
}
JS
cat >expected.txt <<'TXT'
List-Unsubscribe: <https://shop.example/first>, <https://shop.example/second>: {"url":"https://shop.example/second"}
List-Unsubscribe: <mailto:first@shop.example>, <mailto:second@shop.example>: {"mail":"second@shop.example"}
List-Unsubscribe: <https://shop.example/leave/ 481516>: {"url":"https://shop.example/leave/ 481516"}
List-ID: News <news.shop.example>: {"name":"News","id":"news.shop.example"}
List-ID: <news.shop.example>: {"name":"news.shop.example"}
TXT
echo 'mailparser 3.14.2'
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
