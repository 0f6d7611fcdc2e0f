#!/usr/bin/env bash
# One expects "Your co=" with two blanks behind it to be a soft line break, so that the next line goes on with "de": RFC 2045 section 6.7 rule 3
# says that blanks at the end of an encoded line must be deleted, since only a gateway can have added them.
# postal-mime 4.0.0, enmime 2.3.0 and Python 3.14.2 (pyodide 314.0.7) keep the "=" and the line end: "Your co=" and "de". enmime does delete the
# blanks of other lines. mailparser 3.14.2 and go-message 0.18.2 do all of it.
# It matters because the code, the word or the URL that was wrapped there is cut in two, for readers of some of the mail's copies only.
# Wrong guess: who decodes "=20" at the end of a line knows why it is encoded.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 pyodide@314.0.7 >/dev/null
printf '%s\r\n' 'From: app@shop.example' 'MIME-Version: 1.0' 'Content-Type: text/plain; charset=utf-8' \
  'Content-Transfer-Encoding: quoted-printable' '' 'Your co=  ' 'de is 481516.  ' 'Yours=20' >mail.eml
cat >finding.mjs <<'JS'
import { readFile } from 'node:fs/promises'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { loadPyodide } from 'pyodide'

const mail = await readFile('mail.eml')
const python = await loadPyodide()
python.globals.set('mail', mail.toString())
const read = python.runPython(`
import email, sys
from email import policy
email.message_from_string(mail, policy=policy.default).get_content()`)
const show = (name, text) => console.log(`${name}: ${JSON.stringify(text.replaceAll('\r\n', '\n'))}`)
show('mailparser 3.14.2', (await simpleParser(mail)).text)
show('postal-mime 4.0.0', (await PostalMime.parse(mail)).text)
show('Python 3.14.2', read)
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/emersion/go-message/mail"
	"github.com/jhillyerd/enmime/v2"
)

func main() {
	bytes, err := os.ReadFile("mail.eml")
	if err != nil {
		panic(err)
	}
	reader, err := mail.CreateReader(strings.NewReader(string(bytes)))
	if err != nil {
		panic(err)
	}
	part, err := reader.NextPart()
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(part.Body)
	if err != nil {
		panic(err)
	}
	fmt.Printf("go-message 0.18.2: %q\n", strings.ReplaceAll(string(text), "\r\n", "\n"))
	envelope, err := enmime.ReadEnvelope(strings.NewReader(string(bytes)))
	if err != nil {
		panic(err)
	}
	fmt.Printf("enmime 2.3.0: %q\n", strings.ReplaceAll(envelope.Text, "\r\n", "\n"))
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-message@v0.18.2 github.com/jhillyerd/enmime/v2@v2.3.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
mailparser 3.14.2: "Your code is 481516.\nYours \n"
postal-mime 4.0.0: "Your co=  \nde is 481516.  \nYours \n"
Python 3.14.2: "Your co=  \nde is 481516.  \nYours \n"
go-message 0.18.2: "Your code is 481516.\nYours \n"
enmime 2.3.0: "Your co=\nde is 481516.\nYours \n"
TXT
{ node finding.mjs && go run .; } | tee seen.txt
diff expected.txt seen.txt
