#!/usr/bin/env bash
# One expects "v=spf1 REDIRECT=_spf.two.example" to go on at _spf.two.example: RFC 7208 section 4.6.1 says that names of mechanisms and of modifiers
# have no case.
# pyspf 2.0.14 reads "IP4:", "INCLUDE:" and "-ALL" in capitals, takes "REDIRECT=" and "Redirect=" for a modifier that it does not know, and ends in
# neutral, as if the record said nothing. mailauth 7.1.0 and blitiri.com.ar/go/spf 1.6.0 go on, and pass the one host and fail the other.
# It matters to whoever checks mail with Python's policy services: the domain has a policy at one receiver, and none at another, without an error.
# Wrong guess: of 54 records those with macros and void lookups differ; all that is letters is agreed on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyspf==2.0.14 dnspython==2.8.0
cat >zone.json <<'TXT'
{
  "small.example": "v=spf1 redirect=_spf.two.example",
  "capitals.example": "v=spf1 REDIRECT=_spf.two.example",
  "title.example": "v=spf1 Redirect=_spf.two.example",
  "mechanisms.example": "v=spf1 INCLUDE:_spf.two.example -ALL",
  "_spf.two.example": "v=spf1 IP4:192.0.2.3 -all"
}
TXT
cat >finding.py <<'PY'
import json
import spf

zone = json.load(open("zone.json"))
spf.DNSLookup = lambda name, kind, *_, **__: [((name, kind), (zone[name].encode(),))] if kind == "TXT" and name in zone else []
for domain in list(zone)[:4]:
    print("pyspf,", zone[domain], [spf.check2(host, f"joe@{domain}", "mx.one.example")[0] for host in ["192.0.2.3", "192.0.2.4"]])
PY
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { spf } from 'mailauth/lib/spf/index.js'

const zone = JSON.parse(readFileSync('zone.json', 'utf8'))
const resolver = async (name, type) => {
  if (type === 'TXT' && zone[name]) return [[zone[name]]]
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}
for (const domain of Object.keys(zone).slice(0, 4)) {
  const check = (ip) => spf({ sender: `joe@${domain}`, ip, helo: 'mx.one.example', mta: 'home.example', resolver })
  const results = await Promise.all(['192.0.2.3', '192.0.2.4'].map(check))
  console.log('mailauth,', zone[domain], results.map(({ status }) => status.result))
}
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"

	"blitiri.com.ar/go/spf"
)

type resolver map[string]string

var missing = &net.DNSError{Err: "no such host", IsNotFound: true}

func (zone resolver) LookupTXT(_ context.Context, name string) ([]string, error) {
	if record, found := zone[name]; found {
		return []string{record}, nil
	}
	return nil, missing
}
func (resolver) LookupMX(context.Context, string) ([]*net.MX, error)         { return nil, missing }
func (resolver) LookupIPAddr(context.Context, string) ([]net.IPAddr, error) { return nil, missing }
func (resolver) LookupAddr(context.Context, string) ([]string, error)       { return nil, missing }

func main() {
	text, err := os.ReadFile("zone.json")
	if err != nil {
		panic(err)
	}
	zone := resolver{}
	if err := json.Unmarshal(text, &zone); err != nil {
		panic(err)
	}
	for _, domain := range []string{"small.example", "capitals.example", "title.example", "mechanisms.example"} {
		results := []spf.Result{}
		for _, host := range []string{"192.0.2.3", "192.0.2.4"} {
			result, _ := spf.CheckHostWithSender(net.ParseIP(host), "mx.one.example", "joe@"+domain, spf.WithResolver(zone))
			results = append(results, result)
		}
		fmt.Println("go/spf,", zone[domain], results)
	}
}
GO
go mod init finding 2>/dev/null
go get blitiri.com.ar/go/spf@v1.6.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
pyspf, v=spf1 redirect=_spf.two.example ['pass', 'fail']
pyspf, v=spf1 REDIRECT=_spf.two.example ['neutral', 'neutral']
pyspf, v=spf1 Redirect=_spf.two.example ['neutral', 'neutral']
pyspf, v=spf1 INCLUDE:_spf.two.example -ALL ['pass', 'fail']
mailauth, v=spf1 redirect=_spf.two.example [ 'pass', 'fail' ]
mailauth, v=spf1 REDIRECT=_spf.two.example [ 'pass', 'fail' ]
mailauth, v=spf1 Redirect=_spf.two.example [ 'pass', 'fail' ]
mailauth, v=spf1 INCLUDE:_spf.two.example -ALL [ 'pass', 'fail' ]
go/spf, v=spf1 redirect=_spf.two.example [pass fail]
go/spf, v=spf1 REDIRECT=_spf.two.example [pass fail]
go/spf, v=spf1 Redirect=_spf.two.example [pass fail]
go/spf, v=spf1 INCLUDE:_spf.two.example -ALL [pass fail]
TXT
{ venv/bin/python finding.py && node finding.mjs && go run .; } | tee seen.txt
diff expected.txt seen.txt
