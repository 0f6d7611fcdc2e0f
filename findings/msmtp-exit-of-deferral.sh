#!/usr/bin/env bash
# One expects a sendmail-like command to tell its caller by its exit code whether to try again: 75 (EX_TEMPFAIL of sysexits.h) for a reply 4yz,
# another for 5yz, since RFC 5321 section 4.2.1 makes that the meaning of the first digit.
# msmtp 1.8.23 (Debian 12) never ends with 75: it ends with 69 (EX_UNAVAILABLE) for 4yz, and after DATA with 69 for 5yz too; only its text on
# standard error has the reply.
# It matters to scripts and queues that call it, as cron and mail programs do: by the code they keep or drop the mail.
# Wrong guess: 75 for the 452 and for the 451, and 69 or 65 for the refusals.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq msmtp=1.8.23-1 libgsasl18 libgssglue1 libidn12 libntlm0 libsecret-1-0 >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$PWD"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
cat >try.py <<'PY'
import socket, subprocess, threading

def serve(listener, replies):
    connection, _ = listener.accept()
    lines = connection.makefile("rwb")
    def say(text):
        lines.write(text.encode() + b"\r\n")
        lines.flush()
    say("220 mx.example")
    in_data = False
    for line in lines:
        word = line[:4].decode().strip().upper()
        if in_data:
            in_data = line != b".\r\n"
            if not in_data:
                say(replies.get("DATA", "250 taken"))
        elif word == "DATA":
            in_data = True
            say("354 go on")
        elif word == "QUIT":
            say("221 bye")
            break
        else:
            say(replies.get(word, "250 ok"))
    connection.close()

for place, reply in [("RCPT", "452 4.2.2 full"), ("RCPT", "550 5.1.1 unknown"), ("DATA", "451 4.3.0 later"), ("DATA", "554 5.6.0 refused")]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener, {place: reply}), daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        command = ["usr/bin/msmtp", "--file=/dev/null", "--host=127.0.0.1", f"--port={port}", "-f", "ann@one.example", "joe@two.example"]
        ended = subprocess.run(command, input=b"Subject: x\n\nx\n", stderr=subprocess.DEVNULL)
        thread.join()
        print(f"{place} {reply[:3]}: exit {ended.returncode}")
PY
usr/bin/msmtp --version | head -1
cat >expected.txt <<'TXT'
RCPT 452: exit 69
RCPT 550: exit 65
DATA 451: exit 69
DATA 554: exit 69
TXT
python3 try.py | tee seen.txt
diff expected.txt seen.txt
