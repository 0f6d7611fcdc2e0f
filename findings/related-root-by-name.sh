#!/usr/bin/env bash
# One expects the letter of a multipart/related to be the part that its parameter `start` names, wherever that part stands: RFC 2387 section 3.2
# makes the first part the root only where the parameter is missing.
# mailparser 3.14.2 and postal-mime 4.0.0 show every HTML part, one below the other; enmime 2.3.0 and mail-parser 0.11.9 show the first part,
# which here is a small frame inside the letter. Only Python 3.14.2's `get_body` (pyodide 314.0.7) finds the root.
# It matters to whoever asserts on the HTML of a mail that a program assembled from its files in the order of their names, as archivers of web
# pages do: four popular parsers show other words than a mail program.
# Wrong guess: the parameter is read, since all five already look up parts by Content-ID.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 pyodide@314.0.7 >/dev/null
printf '%s\r\n' 'From: app@shop.example' 'MIME-Version: 1.0' \
  'Content-Type: multipart/related; boundary=x; type="text/html"; start="<letter@shop.example>"' '' \
  --x 'Content-Type: text/html' 'Content-ID: <frame@shop.example>' '' '<p>frame</p>' \
  --x 'Content-Type: text/html' 'Content-ID: <letter@shop.example>' '' '<p>letter</p>' --x-- >mail.eml
cat >finding.mjs <<'JS'
import { readFile } from 'node:fs/promises'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { loadPyodide } from 'pyodide'

const mail = await readFile('mail.eml')
const python = await loadPyodide()
python.globals.set('mail', mail.toString())
const read = python.runPython(`
import email
from email import policy
email.message_from_string(mail, policy=policy.default).get_body(("html",)).get_content()`)
const show = (name, html) => console.log(`${name}: ${html.match(/frame|letter/g).join(', ')}`)
show('mailparser 3.14.2', (await simpleParser(mail)).html)
show('postal-mime 4.0.0', (await PostalMime.parse(mail)).html)
show('Python 3.14.2', read)
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"regexp"

	"github.com/jhillyerd/enmime/v2"
)

func main() {
	file, err := os.Open("mail.eml")
	if err != nil {
		panic(err)
	}
	envelope, err := enmime.ReadEnvelope(file)
	if err != nil {
		panic(err)
	}
	fmt.Println("enmime 2.3.0:", regexp.MustCompile("frame|letter").FindString(envelope.HTML))
}
GO
go mod init finding 2>/dev/null
go get github.com/jhillyerd/enmime/v2@v2.3.0 2>/dev/null
go mod tidy 2>/dev/null
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "finding"
version = "1.0.0"
edition = "2021"

[dependencies]
mail-parser = "=0.11.9"
TOML
cat >src/main.rs <<'RUST'
fn main() {
    let bytes = std::fs::read("mail.eml").unwrap();
    let mail = mail_parser::MessageParser::default().parse(&bytes).unwrap();
    let html: Vec<_> = (0..mail.html_body_count()).filter_map(|index| mail.body_html(index)).collect();
    println!("mail-parser 0.11.9: {}", html.concat().replace("<p>", "").replace("</p>", ""));
}
RUST
cat >expected.txt <<'TXT'
mailparser 3.14.2: frame, letter
postal-mime 4.0.0: frame, letter
Python 3.14.2: letter
enmime 2.3.0: frame
mail-parser 0.11.9: frame
TXT
{ node finding.mjs && go run . && CARGO_TARGET_DIR="$folder/target" cargo run --quiet; } | tee seen.txt
diff expected.txt seen.txt
