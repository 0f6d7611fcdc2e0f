#!/usr/bin/env bash
# One expects `nil` for NIL and `fetch` for FETCH in the replies of an IMAP server to be read: RFC 9051 section 9, as RFC 3501, begins its grammar with
# the sentence that letters mean the same in both cases except where something else is noted, and nothing is noted there.
# At `nil` go-imap 2.0.0-beta.8 ends with "expected nstring", and IMAPClient 4.1.0 with a TypeError in the list of addresses. At `fetch` Python's
# imaplib (3.11), on which IMAPClient stands, aborts the connection. imapflow 2.10.2 and Ruby's net-imap 0.2.3 (Debian 12) read both.
# It matters to whoever writes a server, a proxy or a fake server for tests: what works with one client cannot be read by another, and the error of
# IMAPClient points to a list that is there.
# Wrong guess: all clients read all of it in both cases, as they write their own commands in either.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" imapflow@2.10.2 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check IMAPClient==4.1.0
cat >server.py <<'PY'
import re, socketserver

FROM = '((NIL NIL "app" "shop.example"))'
ENVELOPE = f'(NIL "Hello" {FROM} {FROM} {FROM} ((NIL NIL "joe" "home.example")) NIL NIL NIL "<1@shop.example>")'

class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        user = "capitals"
        for line in self.rfile:
            tag, rest = line.decode().strip().split(" ", 1)
            command = re.sub("^UID ", "", rest.upper()).split(" ")[0]
            if command == "LOGIN":
                user = re.search("nil|fetch|capitals", rest)[0]
            fetch, nil = ("fetch" if user == "fetch" else "FETCH"), ("nil" if user == "nil" else "NIL")
            replies = {
                "CAPABILITY": ["CAPABILITY IMAP4rev1"],
                "LIST": ['LIST () "/" INBOX'],
                "LSUB": ['LSUB () "/" INBOX'],
                "SELECT": ["FLAGS (\\Seen)", "1 EXISTS", "0 RECENT", "OK [UIDVALIDITY 1] done", "OK [UIDNEXT 2] done"],
                "FETCH": [f"1 {fetch} (UID 1 ENVELOPE {ENVELOPE.replace('NIL', nil)})"],
                "LOGOUT": ["BYE bye"],
            }
            for reply in replies.get(command, []):
                self.wfile.write(f"* {reply}\r\n".encode())
            self.wfile.write(f"{tag} OK done\r\n".encode())

class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass

with Server(("127.0.0.1", 0), Session) as server:
    with open("port.txt", "w") as file:
        file.write(str(server.server_address[1]))
    server.serve_forever()
PY
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { ImapFlow } from 'imapflow'

const port = Number(readFileSync('port.txt', 'utf8'))
for (const user of ['capitals', 'nil', 'fetch']) {
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth: { user, pass: 'secret' }, logger: false })
  await client.connect()
  await client.mailboxOpen('INBOX')
  console.log(`${user}: imapflow ${JSON.stringify((await client.fetchOne('1', { envelope: true })).envelope.to)}`)
  await client.logout()
}
JS
cat >finding.py <<'PY'
import imapclient

for user in ["capitals", "nil", "fetch"]:
    client = imapclient.IMAPClient("127.0.0.1", int(open("port.txt").read()), ssl=False)
    try:
        client.login(user, "secret")
        client.select_folder("INBOX")
        print(f"{user}: IMAPClient", *client.fetch([1], ["ENVELOPE"])[1][b"ENVELOPE"].to)
    except (TypeError, client.AbortError) as error:
        print(f"{user}: IMAPClient {type(error).__name__} {str(error)[:60]}")
PY
cat >finding.rb <<'RUBY'
require 'net/imap'

%w[capitals nil fetch].each do |user|
  client = Net::IMAP.new('127.0.0.1', port: File.read('port.txt').to_i)
  client.login(user, 'secret')
  client.select('INBOX')
  to = client.fetch(1, 'ENVELOPE')[0].attr['ENVELOPE'].to[0]
  puts "#{user}: net-imap #{Net::IMAP::VERSION} #{to.mailbox}@#{to.host}"
  client.logout
end
RUBY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

func main() {
	port, err := os.ReadFile("port.txt")
	if err != nil {
		panic(err)
	}
	for _, user := range []string{"capitals", "nil", "fetch"} {
		client, err := imapclient.DialInsecure("127.0.0.1:"+string(port), nil)
		if err != nil {
			panic(err)
		}
		if err := client.Login(user, "secret").Wait(); err != nil {
			panic(err)
		}
		if _, err := client.Select("INBOX", nil).Wait(); err != nil {
			panic(err)
		}
		if mails, err := client.Fetch(imap.SeqSetNum(1), &imap.FetchOptions{Envelope: true}).Collect(); err != nil {
			fmt.Printf("%s: go-imap %v\n", user, err)
		} else {
			fmt.Printf("%s: go-imap %s\n", user, mails[0].Envelope.To[0].Addr())
		}
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-imap/v2@v2.0.0-beta.8 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
capitals: imapflow [{"name":"","address":"joe@home.example"}]
nil: imapflow [{"name":"","address":"joe@home.example"}]
fetch: imapflow [{"name":"","address":"joe@home.example"}]
capitals: IMAPClient joe@home.example
nil: IMAPClient TypeError imapclient.response_types.Address() argument after * must be
fetch: IMAPClient abort command: FETCH => unexpected response: b'* 1 fetch (UID 1 EN
capitals: net-imap 0.2.3 joe@home.example
nil: net-imap 0.2.3 joe@home.example
fetch: net-imap 0.2.3 joe@home.example
capitals: go-imap joe@home.example
nil: go-imap in response-data: in envelope: imapwire: expected nstring, got " "
fetch: go-imap joe@home.example
TXT
python3 server.py &
for _ in $(seq 100); do [ -s port.txt ] && break || sleep 0.1; done
{ node finding.mjs && venv/bin/python finding.py && ruby finding.rb && go run .; } | tee seen.txt
diff expected.txt seen.txt
