#!/usr/bin/env bash
# One expects a key for "s=*:email" or "s=email:other" to verify mail: RFC 6376 section 3.6.1 makes the service type of a key record a list with
# colons, and a verifier has to ignore the record only if neither "*" nor "email" is in it.
# dkimpy 1.1.8 compares the whole value with the two words. For a list it ends in UnknownKeyTypeError(None), although "k=rsa" stands beside it;
# the record's other list, "h=sha1:sha256", it does read as one. mailauth 7.1.0 passes all of them.
# It matters because the error blames the key's type, and because the same mail of the same domain passes at one checker and not at the other.
# Wrong guess: lists are read the same way wherever the standard has them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet dkimpy==1.1.8 dnspython==2.8.0
openssl genrsa -traditional -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 >key.txt
cat >finding.py <<'PY'
import json
import sys

import dkim

key = open("key.txt").read()
mail = b"From: app@shop.example\r\nSubject: Hello\r\n\r\nHello\r\n"
mail = dkim.sign(mail, b"s1", b"shop.example", open("key.pem", "rb").read(), include_headers=[b"from", b"subject"]) + mail
open("mail.eml", "wb").write(mail)
records = {tags: f"v=DKIM1; {tags}; k=rsa; p={key}" for tags in ["h=sha1:sha256", "s=email", "s=*", "s=*:email", "s=email:other"]}
json.dump(records, open("records.json", "w"))
for tags, record in records.items():
    try:
        result = "pass" if dkim.DKIM(mail).verify(dnsfunc=lambda name, timeout=5: record.encode()) else "fail"
    except dkim.DKIMException as error:
        result = repr(error)
    print(f"dkimpy 1.1.8: {tags} {result}")
PY
cat >finding.mjs <<'JS'
import { readFile } from 'node:fs/promises'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

const mail = await readFile('mail.eml')
for (const [tags, record] of Object.entries(JSON.parse(await readFile('records.json', 'utf8')))) {
  const { results } = await dkimVerify(mail, { resolver: async () => [[record]] })
  console.log(`mailauth 7.1.0: ${tags} ${results[0].status.result}`)
}
JS
cat >expected.txt <<'TXT'
dkimpy 1.1.8: h=sha1:sha256 pass
dkimpy 1.1.8: s=email pass
dkimpy 1.1.8: s=* pass
dkimpy 1.1.8: s=*:email UnknownKeyTypeError(None)
dkimpy 1.1.8: s=email:other UnknownKeyTypeError(None)
mailauth 7.1.0: h=sha1:sha256 pass
mailauth 7.1.0: s=email pass
mailauth 7.1.0: s=* pass
mailauth 7.1.0: s=*:email pass
mailauth 7.1.0: s=email:other pass
TXT
{ venv/bin/python finding.py && node finding.mjs; } | tee seen.txt
diff expected.txt seen.txt
