#!/usr/bin/env bash
# One expects a client of IMAP to read the structure of a mail with another mail in UTF-8 attached, where the server describes the attached one as it
# describes message/rfc822: in the grammar of RFC 9051 section 9 `media-message` is RFC822 or GLOBAL, and envelope, structure and lines follow it.
# go-imap 2.0.0-beta.8, client and server, does so, and IMAPClient 4.1.0 shows all of it. imapflow 2.10.2 takes the three for the fields of an
# ordinary part: the disposition is "text", the language "3", and the file name is gone. Jakarta Mail (Angus 2.0.5) loses the whole mail.
# It matters to whoever reads bounces and forwarded mail of addresses in UTF-8 (RFC 6532, RFC 6533) by IMAP: with message/rfc822 all is well.
# Wrong guess: who does not know the type makes an attachment without contents of it, and the rest of the mail is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
for type in rfc822 global; do
  printf '%s\r\n' 'From: app@shop.example' 'To: joe@home.example' 'Subject: Returned' 'MIME-Version: 1.0' \
    'Content-Type: multipart/mixed; boundary="x"' '' '--x' '' 'Hello' '--x' "Content-Type: message/$type" 'Content-Transfer-Encoding: 8bit' \
    'Content-Disposition: attachment; filename="a.eml"' '' 'From: joe@home.example' 'Subject: Inner' '' 'Hi' '--x--' >$type.eml
done
cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"
	"net"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func serve(listener net.Listener) {
	user := imapmemserver.NewUser("joe", "secret")
	for _, name := range []string{"rfc822", "global"} {
		if err := user.Create(name, nil); err != nil {
			panic(err)
		}
		must(user.Append(name, bytes.NewReader(must(os.ReadFile(name+".eml"))), &imap.AppendOptions{}))
	}
	users := imapmemserver.New()
	users.AddUser(user)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return users.NewSession(), nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		InsecureAuth: true,
	})
	panic(server.Serve(listener))
}

func main() {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go serve(listener)
	client := must(imapclient.DialInsecure(listener.Addr().String(), nil))
	if err := client.Login("joe", "secret").Wait(); err != nil {
		panic(err)
	}
	for _, name := range []string{"rfc822", "global"} {
		must(client.Select(name, nil).Wait())
		options := &imap.FetchOptions{BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}
		mail := must(client.Fetch(imap.SeqSetNum(1), options).Collect())[0]
		part := mail.BodyStructure.(*imap.BodyStructureMultiPart).Children[1].(*imap.BodyStructureSinglePart)
		fmt.Printf("%s: go-imap %s, inner subject %s\n", name, part.Filename(), part.MessageRFC822.Envelope.Subject)
	}
	if err := os.WriteFile("port.txt", []byte(fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)), 0o600); err != nil {
		panic(err)
	}
	select {}
}
GO
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { ImapFlow } from 'imapflow'

const port = Number(readFileSync('port.txt', 'utf8'))
const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth: { user: 'joe', pass: 'secret' }, logger: false })
await client.connect()
for (const name of ['rfc822', 'global']) {
  await client.mailboxOpen(name)
  const part = (await client.fetchOne('1', { bodyStructure: true })).bodyStructure.childNodes[1]
  const { disposition, dispositionParameters, language, envelope } = part
  console.log(`${name}: imapflow ${JSON.stringify({ disposition, dispositionParameters, language, inner: envelope?.subject })}`)
}
await client.logout()
JS
cat >finding.py <<'PY'
import imapclient

client = imapclient.IMAPClient("127.0.0.1", int(open("port.txt").read()), ssl=False)
client.login("joe", "secret")
for name in ["rfc822", "global"]:
    client.select_folder(name, readonly=True)
    part = client.fetch(client.search(), ["BODYSTRUCTURE"]).popitem()[1][b"BODYSTRUCTURE"][0][1]
    print(f"{name}: IMAPClient {part[11]}, inner subject {part[7][1]}")
client.logout()
PY
cat >Finding.java <<'JAVA'
import jakarta.mail.*;
import java.nio.file.*;
import java.util.Properties;

public class Finding {
    public static void main(String[] arguments) throws Exception {
        Store store = Session.getInstance(new Properties()).getStore("imap");
        store.connect("127.0.0.1", Integer.parseInt(Files.readString(Path.of("port.txt"))), "joe", "secret");
        for (String name : new String[] {"rfc822", "global"}) {
            Folder folder = store.getFolder(name);
            folder.open(Folder.READ_ONLY);
            try {
                BodyPart part = ((Multipart) folder.getMessage(1).getContent()).getBodyPart(1);
                System.out.println(name + ": Angus " + part.getFileName() + ", inner subject " + ((Message) part.getContent()).getSubject());
            } catch (MessagingException error) {
                System.out.println(name + ": Angus " + error.getMessage());
            }
            folder.close(false);
        }
        store.close();
    }
}
JAVA
cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.eclipse.angus</groupId><artifactId>angus-mail</artifactId><version>2.0.5</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log 2>&1 || { cat maven.log && exit 1; }
npm install --silent --no-save --ignore-scripts --prefix "$folder" imapflow@2.10.2 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check IMAPClient==4.1.0
go mod init finding 2>/dev/null
go get github.com/emersion/go-imap/v2@v2.0.0-beta.8 2>/dev/null
go mod tidy 2>/dev/null
go build -o finding .
cat >expected.txt <<'TXT'
rfc822: go-imap a.eml, inner subject Inner
global: go-imap a.eml, inner subject Inner
rfc822: imapflow {"disposition":"attachment","dispositionParameters":{"filename":"a.eml"},"inner":"Inner"}
global: imapflow {"disposition":"text","language":["3"]}
rfc822: IMAPClient (b'attachment', (b'filename', b'a.eml')), inner subject b'Inner'
global: IMAPClient (b'attachment', (b'filename', b'a.eml')), inner subject b'Inner'
rfc822: Angus a.eml, inner subject Inner
global: Angus Unable to load BODYSTRUCTURE
TXT
./finding >go.txt &
for _ in $(seq 100); do [ -s port.txt ] && break || sleep 0.1; done
{ cat go.txt && node finding.mjs && venv/bin/python finding.py && java -cp 'lib/*' Finding.java; } | tee seen.txt
diff expected.txt seen.txt
