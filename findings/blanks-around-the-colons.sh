#!/usr/bin/env bash
# One expects "h=sha1 : sha256" in a key record and "q=dns/txt : x-own" in a signature to be lists of two: RFC 6376 has blanks around the colons in the
# grammar of each of its lists (sections 3.5 and 3.6.1), and tells a checker to pass over the members that it does not know.
# Mail::DKIM 1.20230212 (Debian 12; SpamAssassin's) splits at the colon and keeps the blanks: the key "does not support hash algorithm 'sha256'", or
# email, and the query protocol is unsupported. In h= of the signature it takes the blanks. dkimpy 1.1.8 refuses each q= but "dns/txt", also without
# blanks. mailauth 7.1.0 and go-msgauth 0.7.0 pass all, but go-msgauth reads no key with a tab in p=, where it takes blanks.
# It matters to whoever writes records by hand or by a tool: three checkers fail different ones of these valid mails, each in words of its own.
# Wrong guess: blanks are agreed on, in signatures and in keys.
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
cat >sign.py <<'PY'
import base64, hashlib, subprocess

der = subprocess.run(["openssl", "rsa", "-in", "key.pem", "-pubout", "-outform", "DER"], capture_output=True, check=True).stdout
key = base64.b64encode(der).decode()
body = base64.b64encode(hashlib.sha256(b"Hello\r\n").digest()).decode()
cases = {
    "plain": ("from:subject", "", f"v=DKIM1; k=rsa; p={key}"),
    "fields": ("from : subject", "", f"v=DKIM1; k=rsa; p={key}"),
    "hashes": ("from:subject", "", f"v=DKIM1; h=sha1:sha256; p={key}"),
    "hashes-blanks": ("from:subject", "", f"v=DKIM1; h=sha1 : sha256; p={key}"),
    "services-blanks": ("from:subject", "", f"v=DKIM1; s=email : other; p={key}"),
    "queries": ("from:subject", " q=dns/txt:x-own;", f"v=DKIM1; k=rsa; p={key}"),
    "queries-blanks": ("from:subject", " q=dns/txt : x-own;", f"v=DKIM1; k=rsa; p={key}"),
    "key-blank": ("from:subject", "", f"v=DKIM1; k=rsa; p={key[:60]} {key[60:]}"),
    "key-tab": ("from:subject", "", f"v=DKIM1; k=rsa; p={key[:60]}\t{key[60:]}"),
}
for name, (fields, queries, record) in cases.items():
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=one;{queries} h={fields}; bh={body}; b="
    text = "\r\n".join(["from:app@shop.example", "subject:Hello", signature.replace("DKIM-Signature: ", "dkim-signature:")])
    value = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True, check=True).stdout
    with open(f"{name}.eml", "w", newline="") as file:
        file.write("\r\n".join([signature + base64.b64encode(value).decode(), "From: app@shop.example", "Subject: Hello", "", "Hello", ""]))
    with open(f"{name}.key", "w") as file:
        file.write(record)
    print(name)
PY
python3 sign.py >names.txt
cat >check.pl <<'PL'
use Mail::DKIM::Verifier;
use Net::DNS;

sub content { local (@ARGV, $/) = shift; <> }
no warnings 'redefine';
my $record;
*Mail::DKIM::DNS::query_async = sub {
    my ($name, $type, %more) = @_;
    my @found = Net::DNS::RR->new(name => 'one._domainkey.shop.example', type => 'TXT', txtdata => [ $record =~ /(.{1,200})/g ]);
    sub { $more{Callbacks}{Success}->(@found) };
};
for my $name (split ' ', content('names.txt')) {
    $record = content("$name.key");
    my $verifier = Mail::DKIM::Verifier->new;
    $verifier->PRINT(content("$name.eml"));
    $verifier->CLOSE;
    print "Mail::DKIM, $name: ", $verifier->result_detail, "\n";
}
PL
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

for (const name of readFileSync('names.txt', 'utf8').trim().split('\n')) {
  const { results } = await dkimVerify(readFileSync(`${name}.eml`), { resolver: async () => [[readFileSync(`${name}.key`, 'utf8')]] })
  console.log(`mailauth, ${name}: ${results[0].status.result}`)
}
JS
cat >check.py <<'PY'
import dkim

for name in open("names.txt").read().split():
    with open(f"{name}.eml", "rb") as mail, open(f"{name}.key", "rb") as key:
        record = key.read()
        try:
            found = dkim.DKIM(mail.read()).verify(dnsfunc=lambda *_, **__: record)
        except dkim.DKIMException as error:
            found = repr(error)
        print(f"dkimpy, {name}: {found}")
PY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
)

func main() {
	names, err := os.ReadFile("names.txt")
	if err != nil {
		panic(err)
	}
	for _, name := range strings.Fields(string(names)) {
		mail, err := os.Open(name + ".eml")
		if err != nil {
			panic(err)
		}
		found, err := dkim.VerifyWithOptions(mail, &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			key, err := os.ReadFile(name + ".key")
			return []string{string(key)}, err
		}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("go-msgauth, %s: %v\n", name, found[0].Err)
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
Mail::DKIM, plain: pass
Mail::DKIM, fields: pass
Mail::DKIM, hashes: pass
Mail::DKIM, hashes-blanks: invalid (public key: does not support hash algorithm 'sha256')
Mail::DKIM, services-blanks: invalid (public key: does not support email)
Mail::DKIM, queries: pass
Mail::DKIM, queries-blanks: invalid (unsupported query protocol, q=dns/txt : x-own)
Mail::DKIM, key-blank: pass
Mail::DKIM, key-tab: pass
mailauth, plain: pass
mailauth, fields: pass
mailauth, hashes: pass
mailauth, hashes-blanks: pass
mailauth, services-blanks: pass
mailauth, queries: pass
mailauth, queries-blanks: pass
mailauth, key-blank: pass
mailauth, key-tab: pass
dkimpy, plain: True
dkimpy, fields: True
dkimpy, hashes: True
dkimpy, hashes-blanks: True
dkimpy, services-blanks: UnknownKeyTypeError(None)
dkimpy, queries: ValidationError("q= value is not dns/txt (b'dns/txt:x-own')")
dkimpy, queries-blanks: ValidationError("q= value is not dns/txt (b'dns/txt : x-own')")
dkimpy, key-blank: True
dkimpy, key-tab: True
go-msgauth, plain: <nil>
go-msgauth, fields: <nil>
go-msgauth, hashes: <nil>
go-msgauth, hashes-blanks: <nil>
go-msgauth, services-blanks: <nil>
go-msgauth, queries: <nil>
go-msgauth, queries-blanks: <nil>
go-msgauth, key-blank: <nil>
go-msgauth, key-tab: dkim: key syntax error: illegal base64 data at input byte 60
TXT
export PERL5LIB=usr/lib/x86_64-linux-gnu/perl5/5.36:usr/share/perl5
{ perl check.pl && node check.mjs && venv/bin/python check.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
