#!/usr/bin/env bash
# One expects joe@[IPv6:2001:db8::1] to be an address, with a name before it or none: RFC 5322 section 3.4.1 has domain literals, and RFC 5321
# section 4.1.3 the tag. postal-mime 4.0.0 reads the bare form as a group called "joe@[IPv6" with a member "1]", and only the form in angle
# brackets right. Go 1.26's net/mail, and so enmime 2.3.0 and go-message 0.18.2, refuses both and with them the other addresses of the field;
# without the tag, which SMTP does not allow, it takes the literal. mailparser 3.14.2 reads each of them.
# It matters to machines that send reports without DNS, and to whoever tests in networks of IPv6: a field of two addresses has none.
# Wrong guess: who reads joe@[192.0.2.1], as all four do, reads the other family too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" postal-mime@4.0.0 mailparser@3.14.2 >/dev/null
cat >fields.txt <<'TXT'
joe@[192.0.2.1]
joe@[IPv6:2001:db8::1]
Joe <joe@[IPv6:2001:db8::1]>
Joe <joe@[2001:db8::1]>
ann@two.example, Joe <joe@[IPv6:2001:db8::1]>
TXT
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const show = (found) => found.map(({ address, name, group }) => (group ? `group "${name}" of ${group.length}` : address)).join(' and ')
for (const field of readFileSync('fields.txt', 'utf8').trim().split('\n')) {
  const mail = `From: app@shop.example\r\nTo: ${field}\r\n\r\nHello\r\n`
  console.log(`${field}: postal-mime ${show((await PostalMime.parse(mail)).to)}; mailparser ${show((await simpleParser(mail)).to.value)}`)
}
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-message/mail"
	"github.com/jhillyerd/enmime/v2"
)

func main() {
	fields, err := os.ReadFile("fields.txt")
	if err != nil {
		panic(err)
	}
	for _, field := range strings.Split(strings.TrimSpace(string(fields)), "\n") {
		text := "From: app@shop.example\r\nTo: " + field + "\r\n\r\nHello\r\n"
		reader, err := mail.CreateReader(strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		first, err1 := reader.Header.AddressList("To")
		envelope, err := enmime.ReadEnvelope(strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		second, err2 := envelope.AddressList("To")
		fmt.Printf("%s: go-message %d %v; enmime %d %v\n", field, len(first), err1, len(second), err2)
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-message@v0.18.2 github.com/jhillyerd/enmime/v2@v2.3.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
joe@[192.0.2.1]: postal-mime joe@[192.0.2.1]; mailparser joe@[192.0.2.1]
joe@[IPv6:2001:db8::1]: postal-mime group "joe@[IPv6" of 1; mailparser joe@[IPv6:2001:db8::1]
Joe <joe@[IPv6:2001:db8::1]>: postal-mime joe@[IPv6:2001:db8::1]; mailparser joe@[IPv6:2001:db8::1]
Joe <joe@[2001:db8::1]>: postal-mime joe@[2001:db8::1]; mailparser joe@[2001:db8::1]
ann@two.example, Joe <joe@[IPv6:2001:db8::1]>: postal-mime ann@two.example and joe@[IPv6:2001:db8::1]; mailparser ann@two.example and joe@[IPv6:2001:db8::1]
joe@[192.0.2.1]: go-message 1 <nil>; enmime 1 <nil>
joe@[IPv6:2001:db8::1]: go-message 0 mail: missing '@' or angle-addr; enmime 0 mail: missing '@' or angle-addr
Joe <joe@[IPv6:2001:db8::1]>: go-message 0 mail: invalid IP address in domain-literal: "IPv6:2001:db8::1"; enmime 0 mail: invalid IP address in domain-literal: "IPv6:2001:db8::1"
Joe <joe@[2001:db8::1]>: go-message 1 <nil>; enmime 1 <nil>
ann@two.example, Joe <joe@[IPv6:2001:db8::1]>: go-message 0 mail: invalid IP address in domain-literal: "IPv6:2001:db8::1"; enmime 0 mail: invalid IP address in domain-literal: "IPv6:2001:db8::1"
TXT
go version | cut -d' ' -f3
{ node finding.mjs && go run .; } | tee seen.txt
diff expected.txt seen.txt
