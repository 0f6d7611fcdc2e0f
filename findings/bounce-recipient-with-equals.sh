#!/usr/bin/env bash
# One expects a bounce parser to find "joe=x@two.example" in "Final-Recipient: rfc822; joe=x@two.example", and to find nobody in an Original-Recipient
# of another type, "x-own; 17": "=" is an ordinary letter of a local part (RFC 5322 section 3.2.3, atext), and RFC 3464 section 2.1.2 puts the type
# before the semicolon, so that what stands behind it is no mail address where the type is not rfc822.
# flufl.bounce 6.0.0 (GNU Mailman's) cuts at each "=": "joe", and "srs0" for an address that a forwarder rewrote. For the other type it names two more
# recipients, "17" and "x-own", beside the right one, and for "utf-8; …" (RFC 6533) the recipient "utf-8"; with rfc822 there Original-Recipient wins.
# It matters to whoever counts bounces of subscribers or tests them: the one who bounced is not found, and nobody hears of it.
# Wrong guess: only "a/b=c@two.example" could be mistaken, for an address of X.400, and the first field that is of use is taken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check flufl.bounce==6.0.0
cat >finding.py <<'PY'
import email
from flufl.bounce import scan_message

def bounce(*fields):
    return email.message_from_string("\n".join([
        "From: MAILER-DAEMON@mx.two.example", "To: list-bounces@one.example", "Subject: Undelivered", "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="x"', "",
        "--x", "Content-Type: text/plain", "", "It could not be delivered.", "",
        "--x", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.two.example", "",
        *fields, "Action: failed", "Status: 5.1.1", "", "--x--", ""]))

for fields in [
    ["Final-Recipient: rfc822; joe+x@two.example"],
    ["Final-Recipient: rfc822; joe=x@two.example"],
    ["Final-Recipient: rfc822; SRS0=ab1=XY=one.example=joe@two.example"],
    ["Original-Recipient: rfc822; ann@one.example", "Final-Recipient: rfc822; joe@two.example"],
    ["Original-Recipient: x-own; 17", "Final-Recipient: rfc822; joe@two.example"],
    ["Original-Recipient: utf-8; jo\\x{E9}@one.example", "Final-Recipient: rfc822; joe@two.example"],
]:
    print(", ".join(fields), "->", *sorted(found.decode() for found in scan_message(bounce(*fields))))
PY
cat >expected.txt <<'TXT'
Final-Recipient: rfc822; joe+x@two.example -> joe+x@two.example
Final-Recipient: rfc822; joe=x@two.example -> joe
Final-Recipient: rfc822; SRS0=ab1=XY=one.example=joe@two.example -> srs0
Original-Recipient: rfc822; ann@one.example, Final-Recipient: rfc822; joe@two.example -> ann@one.example
Original-Recipient: x-own; 17, Final-Recipient: rfc822; joe@two.example -> 17 joe@two.example x-own
Original-Recipient: utf-8; jo\x{E9}@one.example, Final-Recipient: rfc822; joe@two.example -> jo\x{E9}@one.example joe@two.example utf-8
TXT
venv/bin/python finding.py | tee seen.txt
diff expected.txt seen.txt
