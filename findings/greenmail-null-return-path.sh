#!/usr/bin/env bash
# One expects a test server to take a mail with the empty return path, "MAIL FROM:<>": RFC 5321 section 4.5.5 makes every bounce and receipt use
# it, and section 6.1 lets no mailbox that is there refuse such mail.
# GreenMail 2.1.8 answers "250 OK" to it and then "503 MAIL must come before RCPT" to each recipient, as if there had been no MAIL. With a sender in
# the brackets all goes well; SubEthaSMTP 7.2.0 in the same program takes both.
# It matters to whoever tests bounces, receipts or an autoresponder in Java: the mail cannot be received at all, and the error blames the order.
# Wrong guess: if a test server had trouble with the empty path, it would say so at MAIL.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>com.icegreen</groupId><artifactId>greenmail</artifactId><version>2.1.8</version></dependency>
    <dependency><groupId>com.github.davidmoten</groupId><artifactId>subethasmtp</artifactId><version>7.2.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log || { cat maven.log && exit 1; }
cat >Finding.java <<'JAVA'
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.subethamail.smtp.server.SMTPServer;

public class Finding {
    static String reply(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (line.charAt(3) == '-') {
            line = lines.readLine();
        }
        return line;
    }

    static void tell(String server, int port) throws Exception {
        for (String sender : new String[] {"ann@one.example", ""}) {
            try (var socket = new Socket("127.0.0.1", port)) {
                var lines = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                reply(lines);
                for (String command : new String[] {"EHLO me.example", "MAIL FROM:<" + sender + ">", "RCPT TO:<joe@two.example>"}) {
                    socket.getOutputStream().write((command + "\r\n").getBytes());
                    String reply = reply(lines);
                    if (!command.startsWith("EHLO")) {
                        System.out.println(server + ": " + command + " -> " + reply);
                    }
                }
            }
        }
    }

    static int freePort() throws Exception {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var greenMail = new GreenMail(new ServerSetup(freePort(), "127.0.0.1", "smtp"));
        greenMail.start();
        tell("GreenMail 2.1.8", greenMail.getSmtp().getPort());
        greenMail.stop();
        var subEtha = SMTPServer.port(freePort()).bindAddress(InetAddress.getLoopbackAddress()).build();
        subEtha.start();
        tell("SubEthaSMTP 7.2.0", subEtha.getPort());
        subEtha.stop();
        System.exit(0);
    }
}
JAVA
cat >expected.txt <<'TXT'
GreenMail 2.1.8: MAIL FROM:<ann@one.example> -> 250 OK
GreenMail 2.1.8: RCPT TO:<joe@two.example> -> 250 OK
GreenMail 2.1.8: MAIL FROM:<> -> 250 OK
GreenMail 2.1.8: RCPT TO:<joe@two.example> -> 503 MAIL must come before RCPT
SubEthaSMTP 7.2.0: MAIL FROM:<ann@one.example> -> 250 Ok
SubEthaSMTP 7.2.0: RCPT TO:<joe@two.example> -> 250 Ok
SubEthaSMTP 7.2.0: MAIL FROM:<> -> 250 Ok
SubEthaSMTP 7.2.0: RCPT TO:<joe@two.example> -> 250 Ok
TXT
java -cp 'lib/*' Finding.java | tee seen.txt
diff expected.txt seen.txt
