#!/usr/bin/env bash
# One expects a signature with d=shop.example and i=app@News.SHOP.example to hold: RFC 6376 section 3.5 wants the domain of i= to be that of d= or below
# it, and domains are compared without regard to case (RFC 4343 section 3).
# go-msgauth 0.7.0 compares the letters as they are and ends in "domain mismatch" without a look at the key; the same with d=Shop.Example and a
# lower i=. dkimpy 1.1.8 and mailauth 7.1.0 pass both.
# It matters to whoever checks mail in Go: the signature of a company that writes its name in capitals fails there and passes elsewhere.
# Wrong guess: all four checkers that were tried (Mail::DKIM too) pass both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dkimpy==1.1.8 dnspython==2.8.0
openssl genrsa -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 | sed 's/^/v=DKIM1; k=rsa; p=/' >key.txt
cat >sign.py <<'PY'
import base64, hashlib, re, subprocess

def relaxed(field):
    name, value = field.split(":", 1)
    return name.lower() + ":" + re.sub(r"[ \t]+", " ", value).strip()

fields = ["From: app@shop.example", "Subject: Hello"]
body = base64.b64encode(hashlib.sha256(b"Hello\r\n").digest()).decode()
names = {
    "same": "d=shop.example; i=app@news.shop.example",
    "identity": "d=shop.example; i=app@News.SHOP.example",
    "domain": "d=Shop.Example; i=app@news.shop.example",
}
for name, tags in names.items():
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; s=one; h=from:subject; {tags}; bh={body}; b="
    text = "\r\n".join(relaxed(field) for field in [*fields, signature])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    with open(f"{name}.eml", "w", newline="") as file:
        file.write("\r\n".join([signature + base64.b64encode(value).decode(), *fields, "", "Hello", ""]))
PY
python3 sign.py
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

for (const name of ['same', 'identity', 'domain']) {
  const { results } = await dkimVerify(readFileSync(`${name}.eml`), { resolver: async () => [[readFileSync('key.txt', 'utf8')]] })
  console.log(`mailauth, ${name}: ${results[0].status.result}`)
}
JS
cat >check.py <<'PY'
import dkim

for name in ["same", "identity", "domain"]:
    with open(f"{name}.eml", "rb") as mail, open("key.txt", "rb") as key:
        record = key.read()
        print(f"dkimpy, {name}:", dkim.DKIM(mail.read()).verify(dnsfunc=lambda *_, **__: record))
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
	for _, name := range []string{"same", "identity", "domain"} {
		mail, err := os.Open(name + ".eml")
		if err != nil {
			panic(err)
		}
		asked := false
		found, err := dkim.VerifyWithOptions(mail, &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			asked = true
			return []string{string(key)}, nil
		}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("go-msgauth, %s: %v, asked for the key: %t\n", name, found[0].Err, asked)
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
mailauth, same: pass
mailauth, identity: pass
mailauth, domain: pass
dkimpy, same: True
dkimpy, identity: True
dkimpy, domain: True
go-msgauth, same: <nil>, asked for the key: true
go-msgauth, identity: dkim: domain mismatch, asked for the key: false
go-msgauth, domain: dkim: domain mismatch, asked for the key: false
TXT
{ node finding.mjs && venv/bin/python check.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
