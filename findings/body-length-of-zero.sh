#!/usr/bin/env bash
# One expects a signature with l=0 to hold, since it is one over the fields and no octet of the body: RFC 6376 section 3.5 makes l= the number of
# octets of the body that were hashed, in its grammar any number, and section 8.2 speaks of the risk of small ones.
# Mail::DKIM 1.20230212 (Debian 12; SpamAssassin's) takes 0 for no l= at all, hashes the whole body and ends in "body has been altered", the words for a
# mail that somebody changed; with l=1 it passes. dkimpy 1.1.8 and mailauth 7.1.0 pass both.
# It matters to whoever reads such results or tests a signer that leaves the body to others, as l= allows: the mail is said to be changed, and is not.
# Wrong guess: l= is agreed on, and who accepts it at all accepts each number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq 'libmail-dkim-perl=1.20230212*' libcrypt-openssl-rsa-perl libcrypt-openssl-bignum-perl libmailtools-perl libnet-dns-perl \
  libtimedate-perl libmail-authenticationresults-perl libclone-perl libjson-perl libscalar-list-utils-perl >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dkimpy==1.1.8 dnspython==2.8.0
openssl genrsa -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 -w0 | sed 's/^/v=DKIM1; k=rsa; p=/' >key.txt
cat >sign.py <<'PY'
import base64, hashlib, subprocess

for length, tag in [(7, ""), (7, "l=7; "), (1, "l=1; "), (0, "l=0; ")]:
    body = base64.b64encode(hashlib.sha256(b"Hello\r\n"[:length]).digest()).decode()
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=one; {tag}h=from:subject; bh={body}; b="
    text = "\r\n".join(["from:app@shop.example", "subject:Hello", signature.replace("DKIM-Signature: ", "dkim-signature:")])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    with open(f"{tag.strip('; ') or 'none'}.eml", "w", newline="") as file:
        file.write("\r\n".join([signature + base64.b64encode(value).decode(), "From: app@shop.example", "Subject: Hello", "", "Hello", ""]))
PY
python3 sign.py
cat >check.pl <<'PL'
use Mail::DKIM::Verifier;
use Net::DNS;

sub content { local (@ARGV, $/) = shift; <> }
my @record = Net::DNS::RR->new(name => 'one._domainkey.shop.example', type => 'TXT', txtdata => [ content('key.txt') =~ /(.{1,200})/g ]);
no warnings 'redefine';
*Mail::DKIM::DNS::query_async = sub { my ($name, $type, %more) = @_; sub { $more{Callbacks}{Success}->(@record) } };
for my $name (qw(none l=7 l=1 l=0)) {
    my $verifier = Mail::DKIM::Verifier->new;
    $verifier->PRINT(content("$name.eml"));
    $verifier->CLOSE;
    print "Mail::DKIM, $name: ", $verifier->result_detail, "\n";
}
PL
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

for (const name of ['none', 'l=7', 'l=1', 'l=0']) {
  const { results } = await dkimVerify(readFileSync(`${name}.eml`), { resolver: async () => [[readFileSync('key.txt', 'utf8')]] })
  console.log(`mailauth, ${name}: ${results[0].status.result}`)
}
JS
cat >check.py <<'PY'
import dkim

for name in ["none", "l=7", "l=1", "l=0"]:
    with open(f"{name}.eml", "rb") as mail, open("key.txt", "rb") as key:
        record = key.read()
        print(f"dkimpy, {name}:", dkim.DKIM(mail.read()).verify(dnsfunc=lambda *_, **__: record))
PY
cat >expected.txt <<'TXT'
Mail::DKIM, none: pass
Mail::DKIM, l=7: pass
Mail::DKIM, l=1: pass
Mail::DKIM, l=0: fail (body has been altered)
mailauth, none: pass
mailauth, l=7: pass
mailauth, l=1: pass
mailauth, l=0: pass
dkimpy, none: True
dkimpy, l=7: True
dkimpy, l=1: True
dkimpy, l=0: True
TXT
export PERL5LIB=usr/lib/x86_64-linux-gnu/perl5/5.36:usr/share/perl5
{ perl check.pl && node check.mjs && venv/bin/python check.py; } | tee seen.txt
diff expected.txt seen.txt
