#!/usr/bin/env bash
# One expects "p=Reject" and "adkim=S" to be read as small letters, and a record with rua and without p as p=none: in RFC 9989 section 4.7, as in RFC
# 7489 section 6.4, the values are literals of ABNF, which have no case, and section 4.10.1 has a receiver go on with p=none where rua is there.
# go-msgauth 0.7.0 refuses all three, "invalid policy", "invalid alignment mode" and "record is missing a 'p' parameter", so that the domain has no policy
# and its owner gets no report. dmarc 1.2.1 (PyPI) reads capitals and refuses the record without p. mailauth 7.1.0 reads all.
# It matters to whoever tests a record: the owner sees it work at one receiver, and at another it is as if it were not there.
# Wrong guess: capitals are read by all, and a missing p by none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dmarc==1.2.1
cat >records.txt <<'TXT'
v=DMARC1; p=reject; adkim=s; rua=mailto:reports@shop.example
v=DMARC1; p=Reject; rua=mailto:reports@shop.example
v=DMARC1; p=reject; adkim=S; rua=mailto:reports@shop.example
v=DMARC1; rua=mailto:reports@shop.example
TXT
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { evaluateDmarc } from 'mailauth/lib/dmarc/verify.js'

for (const record of readFileSync('records.txt', 'utf8').trim().split('\n')) {
  const resolver = async (asked) => {
    if (asked === '_dmarc.shop.example') return [[record]]
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }
  const { response } = await evaluateDmarc({ headerFrom: 'app@shop.example', spfDomains: [], dkimDomains: [], resolver })
  console.log(`mailauth, ${record}: ${response.p}, strict: ${response.alignment.dkim.strict}`)
}
JS
cat >finding.py <<'PY'
import dmarc

for record in open("records.txt").read().splitlines():
    try:
        policy = dmarc.DMARCPolicy(record=record, domain="shop.example").policy
        print(f"dmarc, {record}: {policy.p.value}, {policy.adkim.value}")
    except dmarc.RecordSyntaxError as error:
        print(f"dmarc, {record}: {error}")
PY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-msgauth/dmarc"
)

func main() {
	records, err := os.ReadFile("records.txt")
	if err != nil {
		panic(err)
	}
	for _, record := range strings.Split(strings.TrimSpace(string(records)), "\n") {
		if found, err := dmarc.Parse(record); err != nil {
			fmt.Printf("go-msgauth, %s: %v\n", record, err)
		} else {
			fmt.Printf("go-msgauth, %s: %s, %s\n", record, found.Policy, found.DKIMAlignment)
		}
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
mailauth, v=DMARC1; p=reject; adkim=s; rua=mailto:reports@shop.example: reject, strict: true
mailauth, v=DMARC1; p=Reject; rua=mailto:reports@shop.example: reject, strict: false
mailauth, v=DMARC1; p=reject; adkim=S; rua=mailto:reports@shop.example: reject, strict: true
mailauth, v=DMARC1; rua=mailto:reports@shop.example: none, strict: false
dmarc, v=DMARC1; p=reject; adkim=s; rua=mailto:reports@shop.example: reject, s
dmarc, v=DMARC1; p=Reject; rua=mailto:reports@shop.example: reject, r
dmarc, v=DMARC1; p=reject; adkim=S; rua=mailto:reports@shop.example: reject, s
dmarc, v=DMARC1; rua=mailto:reports@shop.example: Record required tag p unspecified
go-msgauth, v=DMARC1; p=reject; adkim=s; rua=mailto:reports@shop.example: reject, s
go-msgauth, v=DMARC1; p=Reject; rua=mailto:reports@shop.example: dmarc: invalid policy for parameter 'p'
go-msgauth, v=DMARC1; p=reject; adkim=S; rua=mailto:reports@shop.example: dmarc: invalid alignment mode for parameter 'adkim'
go-msgauth, v=DMARC1; rua=mailto:reports@shop.example: dmarc: record is missing a 'p' parameter
TXT
{ node finding.mjs && venv/bin/python finding.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
