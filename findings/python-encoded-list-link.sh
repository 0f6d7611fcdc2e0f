#!/usr/bin/env bash
# One expects a long link in List-Unsubscribe, or a long Message-ID in In-Reply-To, to stand in the mail as it was given:
# RFC 2047 section 5 forbids encoded words outside text, comments and phrases, and RFC 5322 allows lines of 998 characters.
# Python 3.14.2's `email` (here as pyodide 314.0.7), and so Django 6.1.3, writes each of them as encoded words if it is longer than a line,
# though all of it is ASCII; Message-ID alone stays whole. Nodemailer 10.6.1 writes the same fields as they are.
# It matters because a reader that follows the standard finds no link for one-click (RFC 8058) and no parent for the answer.
# Wrong guess: without a character beyond ASCII nothing is encoded, and what has no space is left on one long line.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" pyodide@314.0.7 nodemailer@10.6.1 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --no-deps --ignore-requires-python --target site django==6.1.3 asgiref==3.13.0
cat >finding.py <<'PY'
import sys
from email import policy
from email.message import EmailMessage

from django import get_version
from django.conf import settings
from django.core.mail import EmailMessage as DjangoMessage

settings.configure()
link = "<https://shop.example/unsubscribe/" + "0123456789abcdef" * 4 + ">"
parent = "<" + "AM0PR04MB0123456789" * 2 + "@AM0PR04MB0123.eurprd04.prod.mail.example>"
fields = {"Message-ID": parent, "In-Reply-To": parent, "List-Unsubscribe": link}


def show(title, mail):
    text = mail.as_bytes().decode()
    written = text.replace("\r\n", "\n").replace("\n ", " ")
    for name, value in fields.items():
        line = next(line for line in written.splitlines() if line.startswith(name + ":"))
        print(f"{title}: {name} {'as given' if line.split(': ', 1)[1].strip() == value else line.split(': ', 1)[1][:26] + "…"}")


mail = EmailMessage(policy=policy.SMTP)
for name, value in fields.items():
    mail[name] = value
show(f"Python {sys.version.split()[0]}", mail)
show(f"Django {get_version()}", DjangoMessage("Hello", "Hello", "app@shop.example", ["joe@home.example"], headers=fields).message())
PY
cat >finding.mjs <<'JS'
import { readFile } from 'node:fs/promises'
import nodemailer from 'nodemailer'
import { loadPyodide } from 'pyodide'

const python = await loadPyodide()
python.FS.mkdirTree('/site')
python.FS.mount(python.FS.filesystems.NODEFS, { root: 'site' }, '/site')
python.runPython('import sys; sys.path.insert(0, "/site")')
python.runPython(await readFile('finding.py', 'utf8'))

const link = `https://shop.example/unsubscribe/${'0123456789abcdef'.repeat(4)}`
const parent = `<${'AM0PR04MB0123456789'.repeat(2)}@AM0PR04MB0123.eurprd04.prod.mail.example>`
const { message } = await nodemailer
  .createTransport({ streamTransport: true, buffer: true })
  .sendMail({ from: 'app@shop.example', to: 'joe@home.example', text: 'Hello', inReplyTo: parent, list: { unsubscribe: link } })
const written = message.toString().replaceAll('\r\n ', ' ')
for (const [name, value] of [['In-Reply-To', parent], ['List-Unsubscribe', `<${link}>`]])
  console.log(`Nodemailer 10.6.1: ${name} ${written.includes(`${name}: ${value}\r\n`) ? 'as given' : 'changed'}`)
JS
cat >expected.txt <<'TXT'
Python 3.14.2: Message-ID as given
Python 3.14.2: In-Reply-To =?utf-8?q?=3CAM0PR04MB0123…
Python 3.14.2: List-Unsubscribe =?utf-8?q?=3Chttps=3A//sho…
Django 6.1.3: Message-ID as given
Django 6.1.3: In-Reply-To =?utf-8?q?=3CAM0PR04MB0123…
Django 6.1.3: List-Unsubscribe =?utf-8?q?=3Chttps=3A//sho…
Nodemailer 10.6.1: In-Reply-To as given
Nodemailer 10.6.1: List-Unsubscribe as given
TXT
node finding.mjs | tee seen.txt
diff expected.txt seen.txt
