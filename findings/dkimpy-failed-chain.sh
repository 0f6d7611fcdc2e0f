#!/usr/bin/env bash
# One expects the status of an ARC chain to be one of none, pass and fail (RFC 8617 section 4.4), and dkimpy's documentation of `arc_verify`
# says CV_Pass, CV_Fail or CV_None. Where the newest seal says cv=fail, the status is fail (section 5.2 step 2).
# dkimpy 1.1.8: for such a chain the status is Python's None, which equals none of the three constants; a chain that breaks now is CV_Fail.
# It matters to whoever writes the status into Authentication-Results or compares it with CV_Fail: a chain that a forwarder has already
# called failed then reads as if there were no result, and `.decode()` of it raises an exception.
# Wrong guess: only a mail without ARC fields has the status none, and that is CV_None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet dkimpy==1.1.8 dnspython==2.9.2 authres==1.2.0
openssl genrsa -traditional -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 >key.txt
cat >finding.py <<'PY'
import dkim

key = open("key.pem", "rb").read()
record = b"v=DKIM1; k=rsa; p=" + open("key.txt", "rb").read()


def lookup(name, timeout=5):
    return record


def sealed(mail, host):
    return b"".join(dkim.arc_sign(mail, b"s1", host, key, host)) + mail


def show(title, mail):
    print(f"{title}: {dkim.arc_verify(mail, dnsfunc=lookup)[0]!r}")


plain = b"From: ann@shop.example\r\nTo: list@club.example\r\nSubject: Hello\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\nHello.\r\n"
first = sealed(b"Authentication-Results: club.example; spf=pass\r\n" + plain, b"club.example")
changed = first + b"-- the club\r\n"
second = sealed(b"Authentication-Results: mail.example; arc=fail\r\n" + changed, b"mail.example")
assert b"cv=fail" in second
show("no ARC fields", plain)
show("one seal", first)
show("one seal, then another body", changed)
show("then sealed with cv=fail", second)
PY
cat >expected.txt <<'TXT'
no ARC fields: b'none'
one seal: b'pass'
one seal, then another body: b'fail'
then sealed with cv=fail: None
TXT
echo 'dkimpy 1.1.8'
venv/bin/python finding.py | tee seen.txt
diff expected.txt seen.txt
