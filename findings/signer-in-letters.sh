#!/usr/bin/env bash
# One expects a signature with d=bücher.example to be checked with the key at xn--bcher-kva.example: RFC 8616 section 5 lets a mail in UTF-8 name the
# domain and the selector of its signature in letters, and has the checker turn them into A-labels before it asks the DNS.
# go-msgauth 0.7.0 asks for "one._domainkey.bücher.example" as it stands, which Go's own look-up, its default, takes for no name and answers with "no such
# host" before it asks anybody. mailauth 7.1.0 asks for the A-label, and passes the mail; with d=xn--bcher-kva.example both do.
# It matters to domains of other scripts: what one checker passes has no key for the other, and the DNS is blamed.
# Wrong guess: checkers agree on valid signatures, as they do on fields in UTF-8; only old ones may lack a newer algorithm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
openssl genrsa -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 | sed 's/^/v=DKIM1; k=rsa; p=/' >key.txt
cat >sign.py <<'PY'
import base64, hashlib, subprocess

body = base64.b64encode(hashlib.sha256(b"Hello\r\n").digest()).decode()
for name, domain in [("label", "xn--bcher-kva.example"), ("letters", "bücher.example")]:
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d={domain}; s=one; h=from:subject; bh={body}; b="
    text = "\r\n".join(["from:app@bücher.example", "subject:Grüße", signature.replace("DKIM-Signature: ", "dkim-signature:")])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    with open(f"{name}.eml", "wb") as file:
        lines = [signature + base64.b64encode(value).decode(), "From: app@bücher.example", "Subject: Grüße", "", "Hello", ""]
        file.write("\r\n".join(lines).encode())
PY
python3 sign.py
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

for (const name of ['label', 'letters']) {
  const resolver = async (asked) => {
    console.log(`mailauth, ${name}, asks for ${asked}`)
    if (asked === 'one._domainkey.xn--bcher-kva.example') return [[readFileSync('key.txt', 'utf8')]]
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }
  const { results } = await dkimVerify(readFileSync(`${name}.eml`), { resolver })
  console.log(`mailauth, ${name}: ${results[0].status.result}`)
}
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/emersion/go-msgauth/dkim"
)

func main() {
	key, err := os.ReadFile("key.txt")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"label", "letters"} {
		mail, err := os.Open(name + ".eml")
		if err != nil {
			panic(err)
		}
		found, err := dkim.VerifyWithOptions(mail, &dkim.VerifyOptions{LookupTXT: func(asked string) ([]string, error) {
			fmt.Printf("go-msgauth, %s, asks for %s\n", name, asked)
			if asked == "one._domainkey.xn--bcher-kva.example" {
				return []string{string(key)}, nil
			}
			own := net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("somebody is asked")
			}}
			_, err := own.LookupTXT(context.Background(), asked)
			return nil, err
		}})
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
mailauth, label, asks for one._domainkey.xn--bcher-kva.example
mailauth, label: pass
mailauth, letters, asks for one._domainkey.xn--bcher-kva.example
mailauth, letters: pass
go-msgauth, label, asks for one._domainkey.xn--bcher-kva.example
go-msgauth, label: <nil>
go-msgauth, letters, asks for one._domainkey.bücher.example
go-msgauth, letters: dkim: no key for signature: lookup one._domainkey.bücher.example: no such host
TXT
{ node check.mjs && go run .; } | tee seen.txt
diff expected.txt seen.txt
