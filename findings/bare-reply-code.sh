#!/usr/bin/env bash
# One expects a client to take an SMTP reply that is only its code, "250" and the line end: RFC 5321 section 4.2 says that a client acts
# by the code alone, and that any text, including none at all, must be acceptable; its grammar makes the space part of the text.
# go-smtp 0.26.0 (by Go's net/textproto, as net/smtp too) and lettre 0.11.23 give up at the first such reply; Nodemailer 10.6.1 does not.
# It matters to whoever writes a server, a filter or a fake server for tests: what works with one mailer is no SMTP to two others, and the
# words of their errors do not say what they missed.
# Wrong guess: all clients read three digits and look no further, and only a reply that goes on, "250-", needs its fourth character.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" nodemailer@10.6.1 >/dev/null
mkdir -p go rust/src
cat >go/main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-smtp"
)

func main() {
	client, err := smtp.Dial(os.Args[1])
	if err == nil {
		err = client.SendMail("app@shop.example", []string{"joe@home.example"}, strings.NewReader("Subject: Hello\r\n\r\nHello\r\n"))
	}
	if err == nil {
		fmt.Println("sent")
	} else {
		fmt.Println("refused,", err)
	}
}
GO
(
  cd go
  go mod init finding 2>/dev/null
  go get github.com/emersion/go-smtp@v0.26.0 2>/dev/null
  go build -o ../go-client .
)
cat >rust/Cargo.toml <<'TOML'
[package]
name = "finding"
version = "1.0.0"
edition = "2021"

[dependencies]
lettre = { version = "=0.11.23", default-features = false, features = ["builder", "smtp-transport"] }
TOML
cat >rust/src/main.rs <<'RUST'
use lettre::{Message, SmtpTransport, Transport};

fn main() {
    let port = std::env::args().nth(1).unwrap().rsplit(':').next().unwrap().parse().unwrap();
    let mail = Message::builder()
        .from("app@shop.example".parse().unwrap())
        .to("joe@home.example".parse().unwrap())
        .body(String::from("Hello"))
        .unwrap();
    match SmtpTransport::builder_dangerous("127.0.0.1").port(port).build().send(&mail) {
        Ok(_) => println!("sent"),
        Err(error) => println!("refused, {}", error.to_string().trim()),
    }
}
RUST
CARGO_TARGET_DIR="$folder/target" cargo build --quiet --manifest-path rust/Cargo.toml
cat >finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import readline from 'node:readline'
import { promisify } from 'node:util'
import nodemailer from 'nodemailer'

const listen = async (bare) => {
  const reply = (code, text) => `${code}${bare ? '' : ` ${text}`}\r\n`
  const server = net.createServer(async (socket) => {
    socket.on('error', () => {}).write('220 mx.example\r\n')
    let data = false
    for await (const line of readline.createInterface({ input: socket })) {
      if (data && line !== '.') continue
      const verb = line.slice(0, 4)
      data = verb === 'DATA'
      if (verb === 'EHLO') socket.write('250 mx.example\r\n')
      else if (verb === 'QUIT') socket.end('221 mx.example\r\n')
      else socket.write(data ? reply(354, 'Go on') : reply(250, 'Fine'))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
const withNodemailer = (port) =>
  nodemailer
    .createTransport({ host: '127.0.0.1', port, secure: false })
    .sendMail({ from: 'app@shop.example', to: 'joe@home.example', text: 'Hello' })
    .then(() => 'sent', (error) => `refused, ${error.message}`)
const program = (file) => async (port) => (await promisify(execFile)(file, [`127.0.0.1:${port}`])).stdout.trim()
for (const [name, send] of [
  ['Nodemailer 10.6.1', withNodemailer],
  ['go-smtp 0.26.0', program('./go-client')],
  ['lettre 0.11.23', program('target/debug/finding')],
])
  for (const bare of [false, true]) {
    const server = await listen(bare)
    console.log(`${name}, ${bare ? 'bare codes' : 'codes with text'}: ${await send(server.address().port)}`)
    server.close()
  }
process.exit(0)
JS
cat >expected.txt <<'TXT'
Nodemailer 10.6.1, codes with text: sent
Nodemailer 10.6.1, bare codes: sent
go-smtp 0.26.0, codes with text: sent
go-smtp 0.26.0, bare codes: refused, short response: "250"
lettre 0.11.23, codes with text: sent
lettre 0.11.23, bare codes: refused, response error: error Tag at:
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
