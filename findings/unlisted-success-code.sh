#!/usr/bin/env bash
# One expects a client to take "259" for a success wherever 250 is usual: RFC 5321 section 4.3.2 wants it to be ready for codes that the standard does
# not list, and to go by their first digit. Nodemailer 10.6.1 does. libcurl 8.23.0 (pycurl 7.49.0) does for MAIL and RCPT, Go's net/smtp (1.26) for
# RCPT alone, Python's smtplib nowhere; and behind the data, when the server has the mail, all three end in an error, curl's "Weird server reply".
# It matters to whoever writes a server or a filter before one: what sends again after an error delivers the mail twice, and more than twice.
# Wrong guess: a client goes by the first digit everywhere or nowhere, and the newest curl does everywhere.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" nodemailer@10.6.1 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pycurl==7.49.0
cat >mailer.mjs <<'JS'
import nodemailer from 'nodemailer'

const transport = nodemailer.createTransport({ host: '127.0.0.1', port: Number(process.argv[2]), ignoreTLS: true })
await transport.sendMail({ from: 'ann@one.example', to: 'joe@two.example', text: 'x' }).then(() => console.log('sent'), ({ message }) => console.log(message))
JS
cat >curl.py <<'PY'
import io, sys
import pycurl

client = pycurl.Curl()
client.setopt(pycurl.URL, f"smtp://127.0.0.1:{sys.argv[1]}/me.example")
client.setopt(pycurl.MAIL_FROM, "<ann@one.example>")
client.setopt(pycurl.MAIL_RCPT, ["<joe@two.example>"])
client.setopt(pycurl.UPLOAD, 1)
client.setopt(pycurl.READDATA, io.BytesIO(b"Subject: x\r\n\r\nx\r\n"))
try:
    client.perform()
    print("sent")
except pycurl.error as error:
    print(*error.args)
PY
cat >std.py <<'PY'
import smtplib, sys

try:
    smtplib.SMTP("127.0.0.1", int(sys.argv[1]), local_hostname="me.example").sendmail("ann@one.example", ["joe@two.example"], b"Subject: x\r\n\r\nx\r\n")
    print("sent")
except smtplib.SMTPException as error:
    print(type(error).__name__)
PY
mkdir go
cat >go/main.go <<'GO'
package main

import (
	"fmt"
	"net/smtp"
	"os"
)

func main() {
	err := smtp.SendMail("127.0.0.1:"+os.Args[1], nil, "ann@one.example", []string{"joe@two.example"}, []byte("Subject: x\r\n\r\nx\r\n"))
	if err != nil {
		fmt.Println(err)
	} else {
		fmt.Println("sent")
	}
}
GO
(cd go && go mod init finding 2>/dev/null && go build -o ../gosmtp .)
cat >finding.py <<'PY'
import socket, subprocess, threading

def serve(listener, place, taken):
    connection, _ = listener.accept()
    lines = connection.makefile("rwb")
    def say(text):
        lines.write(text.encode() + b"\r\n")
        lines.flush()
    say("220 mx.example")
    in_data = False
    for line in lines:
        word = line[:4].decode("latin-1").strip().upper()
        if in_data:
            in_data = line != b".\r\n"
            if not in_data:
                taken.append(True)
                say("259 fine" if place == "data" else "250 ok")
        elif word == "DATA":
            in_data = True
            say("354 go on")
        elif word == "QUIT":
            say("221 bye")
            break
        else:
            say("259 fine" if word == place else "250 ok")
    connection.close()

clients = {
    "libcurl 8.23.0": ["venv/bin/python", "curl.py"],
    "Nodemailer 10.6.1": ["node", "mailer.mjs"],
    "Go's net/smtp": ["./gosmtp"],
    "smtplib": ["python3", "std.py"],
}
for name, command in clients.items():
    for place in ["MAIL", "RCPT", "data"]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            taken = []
            thread = threading.Thread(target=serve, args=(listener, place, taken), daemon=True)
            thread.start()
            said = subprocess.run([*command, str(listener.getsockname()[1])], capture_output=True, text=True, timeout=60).stdout.strip()
            thread.join(5)
            print(f"{name}, 259 to {place}: {said}; the server has {'the mail' if taken else 'nothing'}")
PY
cat >expected.txt <<'TXT'
libcurl 8.23.0, 259 to MAIL: sent; the server has the mail
libcurl 8.23.0, 259 to RCPT: sent; the server has the mail
libcurl 8.23.0, 259 to data: 8 Weird server reply; the server has the mail
Nodemailer 10.6.1, 259 to MAIL: sent; the server has the mail
Nodemailer 10.6.1, 259 to RCPT: sent; the server has the mail
Nodemailer 10.6.1, 259 to data: sent; the server has the mail
Go's net/smtp, 259 to MAIL: 259 "fine"; the server has nothing
Go's net/smtp, 259 to RCPT: sent; the server has the mail
Go's net/smtp, 259 to data: 259 "fine"; the server has the mail
smtplib, 259 to MAIL: SMTPSenderRefused; the server has nothing
smtplib, 259 to RCPT: SMTPRecipientsRefused; the server has nothing
smtplib, 259 to data: SMTPDataError; the server has the mail
TXT
venv/bin/python -c 'import pycurl; print(pycurl.version.split(" OpenSSL")[0])'
python3 finding.py | tee seen.txt
diff expected.txt seen.txt
