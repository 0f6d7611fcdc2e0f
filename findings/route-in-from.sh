#!/usr/bin/env bash
# One expects an address with an obsolete route, "<@relay.example,@two.example:joe@home.example>", to be read as joe@home.example: RFC 5322
# section 4.4 says that a receiver must accept the form and should ignore the route.
# postal-mime 4.0.0 and mailparser 3.9.31 keep the route as a part of the address; email-addresses 5.0.0 drops it.
# It matters to whoever compares senders or aligns their domains, since such an address has three "@", and to whoever answers it.
# Wrong guess: all three drop the route, because each of them already takes the other obsolete forms (a comment as a name, an empty group).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.9.31 email-addresses@5.0.0 >/dev/null
cat >try.mjs <<'JS'
import addresses from 'email-addresses'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const field = '<@relay.example,@two.example:joe@home.example>'
const raw = Buffer.from(`From: ${field}\r\nSubject: x\r\n\r\nx\r\n`)
console.log(`postal-mime: ${(await PostalMime.parse(raw)).from.address}`)
console.log(`mailparser: ${(await simpleParser(raw)).from.value[0].address}`)
console.log(`email-addresses: ${addresses.parseOneAddress(field).address}`)
JS
cat >expected.txt <<'TXT'
postal-mime: @relay.example,@two.example:joe@home.example
mailparser: @relay.example,@two.example:joe@home.example
email-addresses: joe@home.example
TXT
echo 'postal-mime 4.0.0, mailparser 3.9.31, email-addresses 5.0.0'
node try.mjs | tee seen.txt
diff expected.txt seen.txt
