#!/usr/bin/env bash
# One expects a value in quotes to be one value in Authentication-Results, whatever stands in it and behind it: in RFC 8601 section 2.2 a value is a
# token or a quoted string of RFC 2045, and what has "/", "=" or a blank in it, as signatures and reasons do, must be quoted.
# authres 1.2.0 (Python, dkimpy's) loses header.b="oI/N8hg1" when another property follows, and keeps it without quotes or at the end.
# go-msgauth 0.7.0 cuts at blanks and semicolons: the reason is "good with one quote, and behind a semicolon in quotes it gives up. The Perl parser
# Mail::AuthenticationResults 2.20230112 (Debian 12) reads those, and makes of "joe doe"@one.example the local part and a property "@one.example".
# It matters to whoever tells signatures of one domain apart by header.b (RFC 6008), or reads the results of several checkers.
# Wrong guess: quotes are the easy part of the grammar, and only comments in strange places are misread.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq 'libmail-authenticationresults-perl=2.20230112*' libclone-perl libjson-perl libscalar-list-utils-perl >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check authres==1.2.0
cat >fields.txt <<'TXT'
home.example; dkim=pass header.b=oINN8hg1 header.d=shop.example
home.example; dkim=pass header.d=shop.example header.b="oI/N8hg1"
home.example; dkim=pass header.b="oI/N8hg1" header.d=shop.example
home.example; dkim=pass reason="good signature" header.d=shop.example
home.example; dkim=fail reason="old key; ask them" header.d=shop.example; spf=none
home.example; spf=pass smtp.mailfrom="joe doe"@one.example
TXT
cat >finding.py <<'PY'
import authres

for field in open("fields.txt").read().splitlines():
    print(field)
    for result in authres.AuthenticationResultsHeader.parse("Authentication-Results: " + field).results:
        print("  authres", result.method, result.result, result.reason, {f"{one.type}.{one.name}": one.value for one in result.properties})
PY
cat >finding.pl <<'PL'
use Mail::AuthenticationResults::Parser;

while (my $field = <>) {
    print $field;
    for my $result (@{ Mail::AuthenticationResults::Parser->new->parse($field)->children }) {
        print "  Mail::AuthenticationResults ", $result->key, " ", $result->value;
        print " ", $_->key, "=[", $_->value, "]" for @{ $result->children };
        print "\n";
    }
}
PL
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-msgauth/authres"
)

func main() {
	fields, err := os.ReadFile("fields.txt")
	if err != nil {
		panic(err)
	}
	for _, field := range strings.Split(strings.TrimSpace(string(fields)), "\n") {
		fmt.Println(field)
		_, results, err := authres.Parse(field)
		for _, result := range results {
			fmt.Printf("  go-msgauth %+v\n", result)
		}
		if err != nil {
			fmt.Println("  go-msgauth", err)
		}
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-msgauth@v0.7.0 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
home.example; dkim=pass header.b=oINN8hg1 header.d=shop.example
  authres dkim pass None {'header.b': 'oINN8hg1', 'header.d': 'shop.example'}
home.example; dkim=pass header.d=shop.example header.b="oI/N8hg1"
  authres dkim pass None {'header.d': 'shop.example', 'header.b': 'oI/N8hg1'}
home.example; dkim=pass header.b="oI/N8hg1" header.d=shop.example
  authres dkim pass None {'header.d': 'shop.example'}
home.example; dkim=pass reason="good signature" header.d=shop.example
  authres dkim pass good signature {'header.d': 'shop.example'}
home.example; dkim=fail reason="old key; ask them" header.d=shop.example; spf=none
  authres dkim fail old key; ask them {'header.d': 'shop.example'}
  authres spf none None {}
home.example; spf=pass smtp.mailfrom="joe doe"@one.example
  authres spf pass None {'smtp.mailfrom': '"joe doe"@one.example'}
home.example; dkim=pass header.b=oINN8hg1 header.d=shop.example
  Mail::AuthenticationResults dkim pass header.b=[oINN8hg1] header.d=[shop.example]
home.example; dkim=pass header.d=shop.example header.b="oI/N8hg1"
  Mail::AuthenticationResults dkim pass header.d=[shop.example] header.b=[oI/N8hg1]
home.example; dkim=pass header.b="oI/N8hg1" header.d=shop.example
  Mail::AuthenticationResults dkim pass header.b=[oI/N8hg1] header.d=[shop.example]
home.example; dkim=pass reason="good signature" header.d=shop.example
  Mail::AuthenticationResults dkim pass reason=[good signature] header.d=[shop.example]
home.example; dkim=fail reason="old key; ask them" header.d=shop.example; spf=none
  Mail::AuthenticationResults dkim fail reason=[old key; ask them] header.d=[shop.example]
  Mail::AuthenticationResults spf none
home.example; spf=pass smtp.mailfrom="joe doe"@one.example
  Mail::AuthenticationResults spf pass smtp.mailfrom=[joe doe] @one.example=[]
home.example; dkim=pass header.b=oINN8hg1 header.d=shop.example
  go-msgauth &{Value:pass Reason: Domain:shop.example Identifier:}
home.example; dkim=pass header.d=shop.example header.b="oI/N8hg1"
  go-msgauth &{Value:pass Reason: Domain:shop.example Identifier:}
home.example; dkim=pass header.b="oI/N8hg1" header.d=shop.example
  go-msgauth &{Value:pass Reason: Domain:shop.example Identifier:}
home.example; dkim=pass reason="good signature" header.d=shop.example
  go-msgauth &{Value:pass Reason:"good Domain:shop.example Identifier:}
home.example; dkim=fail reason="old key; ask them" header.d=shop.example; spf=none
  go-msgauth &{Value:fail Reason:"old Domain: Identifier:}
  go-msgauth msgauth: malformed authentication method and value
home.example; spf=pass smtp.mailfrom="joe doe"@one.example
  go-msgauth &{Value:pass Reason: From:"joe Helo:}
TXT
{ venv/bin/python finding.py && PERL5LIB=usr/lib/x86_64-linux-gnu/perl5/5.36:usr/share/perl5 perl finding.pl fields.txt && go run .; } | tee seen.txt
diff expected.txt seen.txt
