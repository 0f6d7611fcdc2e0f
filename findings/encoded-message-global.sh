#!/usr/bin/env bash
# One expects a mail in UTF-8 that is attached as message/global in base64 to be decoded, and then read as a mail or handed out as a file: RFC 6532
# sections 3.5 and 3.7 allow every encoding for this type, as RFC 2046 does not for message/rfc822, so that it survives servers of seven bits.
# Jakarta Mail (Angus 2.0.5) hands out the base64 as the content; only the property mail.mime.ignoremultipartencoding=false, named after multiparts,
# decodes it. Python 3.14.2 (pyodide 314.0.7) takes the base64 for a mail without fields. mime4j 0.8.13, mailparser and postal-mime decode it.
# It matters to whoever reads bounces and forwarded mail of addresses in UTF-8 (RFC 6533): the original mail is a block of letters.
# Wrong guess: only Python, which makes a mail of every message/* part at once, is caught; Jakarta Mail decodes what it hands out as a stream.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 pyodide@314.0.7 >/dev/null
printf '%s\r\n' 'From: app@shop.example' 'MIME-Version: 1.0' 'Content-Type: multipart/mixed; boundary=x' '' \
  --x 'Content-Type: text/plain' '' 'Hello' --x 'Content-Type: message/global' 'Content-Transfer-Encoding: base64' '' \
  "$(printf 'From: ann@one.example\r\nSubject: Gr\303\266\303\237e\r\n\r\nHello\r\n' | base64 -w76)" --x-- >mail.eml
cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.eclipse.angus</groupId><artifactId>jakarta.mail</artifactId><version>2.0.5</version></dependency>
    <dependency><groupId>org.apache.james</groupId><artifactId>apache-mime4j-dom</artifactId><version>0.8.13</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log || { cat maven.log && exit 1; }
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { loadPyodide } from 'pyodide'

const mail = readFileSync('mail.eml')
const python = await loadPyodide()
python.globals.set('mail', mail.toString())
const read = python.runPython(`
import email
from email import policy
inner = list(email.message_from_string(mail, policy=policy.default).iter_attachments())[0].get_payload(0)
f"{len(inner.keys())} fields, then {inner.get_payload()[:8]}"`)
console.log(`Python 3.14.2: ${read}`)
console.log(`mailparser: ${(await simpleParser(mail)).attachments[0].content.toString().slice(0, 8)}`)
console.log(`postal-mime: ${Buffer.from((await PostalMime.parse(mail)).attachments[0].content).toString().slice(0, 8)}`)
JS
cat >Finding.java <<'JAVA'
import jakarta.mail.Multipart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.FileInputStream;
import java.util.Properties;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.message.DefaultMessageBuilder;

public class Finding {
    public static void main(String[] arguments) throws Exception {
        try (var stream = new FileInputStream("mail.eml")) {
            var mail = new MimeMessage(Session.getInstance(new Properties()), stream);
            var part = ((Multipart) mail.getContent()).getBodyPart(1);
            var option = System.getProperty("mail.mime.ignoremultipartencoding", "unset");
            System.out.println("Angus, option " + option + ": " + new String(part.getInputStream().readNBytes(8)));
        }
        try (var stream = new FileInputStream("mail.eml")) {
            var mail = (org.apache.james.mime4j.dom.Multipart) new DefaultMessageBuilder().parseMessage(stream).getBody();
            var body = (SingleBody) mail.getBodyParts().get(1).getBody();
            System.out.println("mime4j: " + new String(body.getInputStream().readNBytes(8)));
        }
    }
}
JAVA
cat >expected.txt <<'TXT'
Python 3.14.2: 0 fields, then RnJvbTog
mailparser: From: an
postal-mime: From: an
Angus, option unset: RnJvbTog
mime4j: From: an
Angus, option false: From: an
mime4j: From: an
TXT
{ node finding.mjs && java -cp 'lib/*' Finding.java && java -Dmail.mime.ignoremultipartencoding=false -cp 'lib/*' Finding.java; } | tee seen.txt
diff expected.txt seen.txt
