#!/usr/bin/env bash
# One expects a blank or a fold behind the value of b= to change nothing: RFC 6376 section 3.2 has blanks around every value, and section 3.7 leaves the
# value of b= "including all surrounding whitespace" out of what is hashed.
# dkimpy 1.1.8 leaves a blank in that stands between the value and its semicolon: with relaxed fields, where blanks are to matter least, the signature
# does not hold. A blank before the value, or behind it at the end of the field, does no harm. mailauth 7.1.0 and go-msgauth 0.7.0 pass all.
# It matters to signers that put b= before other tags and fold behind it: a mail passes at one receiver and fails at one in Python.
# Wrong guess: it fails under c=simple at most.
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
import base64, hashlib, json, subprocess

body = base64.b64encode(hashlib.sha256(b"Hello\r\n").digest()).decode()
cases = {"plain": ("", "", "; s=one"), "before": (" ", "", "; s=one"), "last": ("", " ", ""), "behind": ("", " ", "; s=one"), "fold": ("", "\r\n ", "; s=one")}
for name, (before, behind, rest) in cases.items():
    start = f"v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example;{'' if rest else ' s=one;'} h=from:subject; bh={body}; b="
    text = "\r\n".join(["from:app@shop.example", "subject:Hello", f"dkim-signature:{start}{rest}"])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    signature = f"DKIM-Signature: {start}{before}{base64.b64encode(value).decode()}{behind}{rest}"
    with open(f"{name}.eml", "w", newline="") as file:
        file.write("\r\n".join([signature, "From: app@shop.example", "Subject: Hello", "", "Hello", ""]))
json.dump(list(cases), open("names.json", "w"))
PY
python3 sign.py
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

for (const name of JSON.parse(readFileSync('names.json', 'utf8'))) {
  const { results } = await dkimVerify(readFileSync(`${name}.eml`), { resolver: async () => [[readFileSync('key.txt', 'utf8')]] })
  console.log(`mailauth, ${name}: ${results[0].status.result}`)
}
JS
cat >check.py <<'PY'
import dkim, json

for name in json.load(open("names.json")):
    with open(f"{name}.eml", "rb") as mail, open("key.txt", "rb") as key:
        record = key.read()
        print(f"dkimpy, {name}:", dkim.DKIM(mail.read()).verify(dnsfunc=lambda *_, **__: record))
PY
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/emersion/go-msgauth/dkim"
)

func main() {
	key, _ := os.ReadFile("key.txt")
	list, _ := os.ReadFile("names.json")
	var names []string
	if err := json.Unmarshal(list, &names); err != nil {
		panic(err)
	}
	for _, name := range names {
		mail, err := os.Open(name + ".eml")
		if err != nil {
			panic(err)
		}
		found, err := dkim.VerifyWithOptions(mail, &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{string(key)}, nil }})
		if err != nil {
			panic(err)
		}
		fmt.Printf("go-msgauth, %s: %v\n", name, found[0].Err)
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
mailauth, plain: pass
mailauth, before: pass
mailauth, last: pass
mailauth, behind: pass
mailauth, fold: pass
dkimpy, plain: True
dkimpy, before: True
dkimpy, last: True
dkimpy, behind: False
dkimpy, fold: False
go-msgauth, plain: <nil>
go-msgauth, before: <nil>
go-msgauth, last: <nil>
go-msgauth, behind: <nil>
go-msgauth, fold: <nil>
TXT
{ node check.mjs && venv/bin/python check.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
