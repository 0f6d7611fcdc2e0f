#!/usr/bin/env bash
# One expects a mail that could not be handed over because the connection ended to wait for another try, wherever it ended: RFC 5321 section
# 3.8 says that a client then acts as if the reply had been 451, and section 4.2.1 that 4yz asks it to try again.
# DragonFly Mail Agent 0.13 (Debian 12) keeps the mail if the connection ends before the greeting or after MAIL, but bounces it at once if it
# ends between EHLO and its reply, or if that reply is 421: its `perform_server_greeting` knows success and failure for good alone.
# It matters to machines that send their cron mails through a relay: one restart of the relay at the wrong moment, or its "421, too busy",
# and a mail is returned that a second try would have delivered; where the bounce finds nobody, it is gone.
# Wrong guess: it waits in all six.
# Needs root, for a chroot with dma's own paths.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq dma=0.13-1+b1 >/dev/null 2>&1
dpkg-deb -x dma_*.deb unpacked
cat >try.py <<'PY'
import glob, os, socket, struct, subprocess, sys, threading, time

root = sys.argv[1]


def serve(listener, place, reply):
    connection, _ = listener.accept()
    lines = connection.makefile("rwb", buffering=0)

    def answer(word, text):
        if word != place:
            lines.write(text.encode() + b"\r\n")
        elif reply:
            lines.write(reply.encode() + b"\r\n")
        else:
            # A reset, as of a program that is killed.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return word != place

    if answer("connect", "220 mx.example"):
        for line in lines:
            if not answer(line[:4].decode().upper(), "250 ok"):
                break
    if reply:
        lines.read(1)
    lines.close()
    connection.close()


def outcome(number):
    queued = [open(path).read() for path in glob.glob(f"{root}/var/spool/dma/Q*")]
    if any(f"Recipient: ann{number}@" in text for text in queued):
        return "bounced"
    return "waits" if any(f"Recipient: joe{number}@" in text for text in queued) else "gone"


cases = [(place, reply) for reply in ["", "421 4.3.2 later"] for place in ["connect", "EHLO", "MAIL"]]
for number, (place, reply) in enumerate(cases):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener, place, reply), daemon=True)
        thread.start()
        with open(f"{root}/etc/dma/dma.conf", "w") as file:
            file.write(f"SMARTHOST 127.0.0.1\nPORT {listener.getsockname()[1]}\nMAILNAME sender.example\n")
        command = ["chroot", root, "/usr/sbin/dma", "-f", f"ann{number}@one.example", f"joe{number}@two.example"]
        subprocess.run(command, input=b"Subject: x\n\nx\n", check=True)
        thread.join(20)
    time.sleep(2)
    print(f"{reply[:3] or 'reset'} at {place}: {outcome(number)}")
PY
cat >inside.sh <<'SH'
set -eu
mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work /mnt/root
cp -a unpacked/etc unpacked/usr unpacked/var /mnt/upper/
mount -t overlay none -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount --rbind /dev /mnt/root/dev
mount -t proc none /mnt/root/proc
python3 try.py /mnt/root
SH
dpkg-deb -f dma_*.deb Package Version
cat >expected.txt <<'TXT'
reset at connect: waits
reset at EHLO: bounced
reset at MAIL: waits
421 at connect: waits
421 at EHLO: bounced
421 at MAIL: waits
TXT
# Its processes, which sleep until the next try, end with the namespace.
unshare --mount --pid --fork --kill-child sh inside.sh | tee seen.txt
diff expected.txt seen.txt
