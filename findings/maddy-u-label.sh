#!/usr/bin/env bash
# One expects a client that did not write SMTPUTF8 after MAIL to name an internationalized domain by its A-label, xn--…, in RCPT: RFC 6531
# section 3.4 says that the parameter must be there if the envelope needs it, and without it the grammar of RFC 5321 holds.
# maddy 0.8.1, given joe@xn--bcher-kva.example in a mail without SMTPUTF8, writes <joe@bücher.example> to a server that offers SMTPUTF8, and
# does not ask for it; to a server that offers nothing it writes the A-label.
# It matters because a strict server answers 553 5.6.7 to such a recipient: ordinary mail to the domain bounces at the more capable server.
# Wrong guess: an address that came in as ASCII goes out as ASCII, whatever the next server can do.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp -r "$(cd / && go mod download -json github.com/foxcpp/maddy@v0.8.1 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" source
chmod -R u+w source
(cd source && CGO_ENABLED=0 go build -o ../maddy ./cmd/maddy 2>../build.log) || { cat build.log && exit 1; }
cat >try.py <<'PY'
import pathlib, smtplib, socket, subprocess, threading, time


def serve(listener, offer, seen):
    connection, _ = listener.accept()
    lines = connection.makefile("rwb")

    def say(text):
        lines.write(text.encode() + b"\r\n")
        lines.flush()

    say("220 mx.example")
    in_data = False
    for line in lines:
        word = line[:4].decode().upper()
        if in_data:
            in_data = line != b".\r\n"
            if not in_data:
                say("250 taken")
        elif word == "EHLO":
            say("250-mx.example\r\n250-8BITMIME\r\n250 SMTPUTF8" if offer else "250-mx.example\r\n250 8BITMIME")
        elif word == "DATA":
            in_data = True
            say("354 go on")
        elif word == "QUIT":
            say("221 bye")
            break
        else:
            if word in ("MAIL", "RCPT"):
                seen.append(line.decode().strip())
            say("250 ok")
    connection.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


for offer in (False, True):
    seen = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        next_port, port = listener.getsockname()[1], free_port()
        here = pathlib.Path.cwd()
        pathlib.Path("maddy.conf").write_text(f"""hostname relay.example
state_dir {here}/state
runtime_dir {here}/run
tls off
smtp tcp://127.0.0.1:{port} {{
    deliver_to smtp tcp://127.0.0.1:{next_port} {{
        starttls no
    }}
}}
""")
        thread = threading.Thread(target=serve, args=(listener, offer, seen), daemon=True)
        thread.start()
        with open("log", "ab") as log:
            maddy = subprocess.Popen(["./maddy", "-config", "maddy.conf", "run"], stdout=log, stderr=log)
        try:
            for _ in range(100):
                try:
                    client = smtplib.SMTP("127.0.0.1", port)
                    break
                except ConnectionRefusedError:
                    time.sleep(0.1)
            mail = b"From: ann@one.example\r\nTo: joe@xn--bcher-kva.example\r\nSubject: x\r\n\r\nx\r\n"
            client.sendmail("ann@one.example", ["joe@xn--bcher-kva.example"], mail)
            client.quit()
        finally:
            maddy.terminate()
            maddy.wait()
    print("next server offers SMTPUTF8:" if offer else "next server does not:")
    for line in seen:
        print("  " + line)
PY
cat >expected.txt <<'TXT'
next server does not:
  MAIL FROM:<ann@one.example> BODY=8BITMIME
  RCPT TO:<joe@xn--bcher-kva.example>
next server offers SMTPUTF8:
  MAIL FROM:<ann@one.example> BODY=8BITMIME
  RCPT TO:<joe@bücher.example>
TXT
echo 'maddy 0.8.1'
python3 try.py | tee seen.txt
diff expected.txt seen.txt
