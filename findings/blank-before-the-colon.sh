#!/usr/bin/env bash
# One expects "Subject : Hello" to be the field Subject: RFC 5322 section 4.5 has blanks before the colon in the form that a receiver must accept, and
# RFC 6376 section 3.4.2 removes them before a field is hashed.
# Python 3.14.2's `email` (pyodide 314.0.7) ends the header there: Subject and all fields behind it become the first words of the body. dkimpy 1.1.8
# raises MessageFormatError before it looks at the signature, which mailauth 7.1.0 and go-msgauth 0.7.0 pass. mailparser and postal-mime read it.
# It matters to whoever tests or checks mail of old programs with Python: no subject, no recipients, and a signature that holds elsewhere.
# Wrong guess: dkimpy passes it, since it strips names, and go-msgauth, which keeps fields by their names, does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 mailparser@3.14.2 postal-mime@4.0.0 pyodide@314.0.7 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dkimpy==1.1.8 dnspython==2.8.0
openssl genrsa -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 | sed 's/^/v=DKIM1; k=rsa; p=/' >key.txt
cat >sign.py <<'PY'
import base64, hashlib, re, subprocess, sys

def relaxed(field):
    name, value = field.split(":", 1)
    return name.strip().lower() + ":" + re.sub(r"[ \t]+", " ", value).strip()

def sign(fields, tags):
    body = base64.b64encode(hashlib.sha256(b"Hello\r\n").digest()).decode()
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; s=one; h=from:subject:to; {tags}; bh={body}; b="
    text = "\r\n".join(relaxed(field) for field in [*fields, signature])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    return "\r\n".join([signature + base64.b64encode(value).decode(), *fields, "", "Hello", ""])

for name, subject in [("plain", "Subject: Hello"), ("blank", "Subject : Hello")]:
    with open(f"{name}.eml", "w", newline="") as file:
        file.write(sign(["From: app@shop.example", subject, "To: joe@home.example"], "d=shop.example"))
PY
python3 sign.py
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { loadPyodide } from 'pyodide'

const python = await loadPyodide()
for (const name of ['plain', 'blank']) {
  const mail = readFileSync(`${name}.eml`)
  python.globals.set('mail', mail.toString())
  const subject = python.runPython(`
import email
from email import policy
read = email.message_from_string(mail, policy=policy.default)
repr([read["subject"], read["to"], read.get_payload()])`)
  console.log(`${name}: Python 3.14.2 ${subject}`)
  console.log(`${name}: mailparser ${(await simpleParser(mail)).subject}; postal-mime ${(await PostalMime.parse(mail)).subject}`)
  const { results } = await dkimVerify(mail, { resolver: async () => [[readFileSync('key.txt', 'utf8')]] })
  console.log(`${name}: mailauth ${results[0].status.result}`)
}
JS
cat >check.py <<'PY'
import dkim

for name in ["plain", "blank"]:
    with open(f"{name}.eml", "rb") as mail, open("key.txt", "rb") as key:
        record = key.read()
        try:
            print(f"{name}: dkimpy", dkim.DKIM(mail.read()).verify(dnsfunc=lambda *_, **__: record))
        except dkim.DKIMException as error:
            print(f"{name}: dkimpy", type(error).__name__)
PY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/emersion/go-msgauth/dkim"
)

func main() {
	key, err := os.ReadFile("key.txt")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"plain", "blank"} {
		mail, err := os.Open(name + ".eml")
		if err != nil {
			panic(err)
		}
		found, err := dkim.VerifyWithOptions(mail, &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{string(key)}, nil }})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: go-msgauth %v\n", name, found[0].Err)
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
plain: Python 3.14.2 ['Hello', 'joe@home.example', 'Hello\r\n']
plain: mailparser Hello; postal-mime Hello
plain: mailauth pass
blank: Python 3.14.2 [None, None, 'Subject : Hello\r\nTo: joe@home.example\r\n\r\nHello\r\n']
blank: mailparser Hello; postal-mime Hello
blank: mailauth pass
plain: dkimpy True
blank: dkimpy MessageFormatError
plain: go-msgauth <nil>
blank: go-msgauth <nil>
TXT
{ node finding.mjs && venv/bin/python check.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
