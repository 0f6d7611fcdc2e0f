#!/usr/bin/env bash
# One expects a part of a multipart without any header field to be text: RFC 2046 section 5.1 says that no field is required in a part, and
# that one without Content-Type is text/plain in US-ASCII. Its own example of a multipart has such a part.
# enmime 2.3.0 gives it no type, and warns of the missing field: the text of the mail is empty, and the letter lies among the "other parts",
# neither inline nor attached. In a mail without multipart the missing field means text. go-message 0.18.2 reads both as text.
# It matters to whoever asserts on the text of a mail: shell scripts and old programs write this shortest form, as the standard does.
# Wrong guess: what is true of a whole mail without Content-Type is true of a part.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/emersion/go-message/mail"
	"github.com/jhillyerd/enmime/v2"
)

const fields = "From: app@shop.example\r\nMIME-Version: 1.0\r\n"

var mails = []struct{ title, text string }{
	{"no multipart", fields + "\r\nYour code is 481516.\r\n"},
	{"part with a type", fields + "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nYour code is 481516.\r\n--x--\r\n"},
	{"part without fields", fields + "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nYour code is 481516.\r\n--x--\r\n"},
}

func main() {
	for _, each := range mails {
		envelope, err := enmime.ReadEnvelope(strings.NewReader(each.text))
		if err != nil {
			panic(err)
		}
		reader, err := mail.CreateReader(strings.NewReader(each.text))
		if err != nil {
			panic(err)
		}
		part, err := reader.NextPart()
		if err != nil {
			panic(err)
		}
		kind, _, err := part.Header.(*mail.InlineHeader).ContentType()
		if err != nil {
			panic(err)
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: enmime %q, other parts %d; go-message %s %q\n", each.title,
			strings.TrimSpace(envelope.Text), len(envelope.OtherParts), kind, strings.TrimSpace(string(body)))
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-message@v0.18.2 github.com/jhillyerd/enmime/v2@v2.3.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
no multipart: enmime "Your code is 481516.", other parts 0; go-message text/plain "Your code is 481516."
part with a type: enmime "Your code is 481516.", other parts 0; go-message text/plain "Your code is 481516."
part without fields: enmime "", other parts 1; go-message text/plain "Your code is 481516."
TXT
echo 'enmime 2.3.0, go-message 0.18.2'
go run . | tee seen.txt
diff expected.txt seen.txt
