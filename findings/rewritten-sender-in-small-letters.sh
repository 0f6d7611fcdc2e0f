#!/usr/bin/env bash
# One expects a bounce to find its way back although a server on it wrote the local part in small letters, as some do: RFC 5321 section 2.4 wants
# its case kept, and says in the same place that to rely on it impedes interoperability.
# Mail::SRS 0.31 (Perl, Debian 12) takes the address back in any case, with a warning. srs.js 0.1.0 and sender-rewriting-scheme 1.0.0 (npm) call it
# none of theirs, null, since only "SRS0" in capitals begins one; their hash has small letters only.
# It matters to forwarders: null is also what each plain address gets, so nothing says that this was a bounce that came home.
# Wrong guess: all three take it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" srs.js@0.1.0 sender-rewriting-scheme@1.0.0 >/dev/null
chmod 755 .
apt-get download -qq libmail-srs-perl=0.31-9 >/dev/null 2>&1
dpkg-deb -x libmail-srs-perl_*.deb unpacked
cat >finding.cjs <<'JS'
const Srs = require('srs.js')
const { SRS } = require('sender-rewriting-scheme')

const first = new Srs({ secret: 'invented' })
const second = new SRS({ secret: 'invented' })
const [local, address] = [first.rewrite('joe', 'shop.example'), second.forward('joe@shop.example', 'list.example')]
console.log('srs.js', first.reverse(local), first.reverse(local.toLowerCase()))
console.log('sender-rewriting-scheme', second.reverse(address), second.reverse(address.toLowerCase()))
console.log('sender-rewriting-scheme of a plain address', second.reverse('joe@shop.example'))
JS
cat >finding.pl <<'PL'
use Mail::SRS;
local $SIG{__WARN__} = sub { print "Mail::SRS warns: ", $_[0] =~ /(Case insensitive hash match)/, "\n" };
my $srs = Mail::SRS->new(Secret => 'invented', HashLength => 20);
my $address = $srs->forward('joe@shop.example', 'list.example');
print join(' ', 'Mail::SRS', $Mail::SRS::VERSION, $srs->reverse($address), $srs->reverse(lc $address)), "\n";
PL
cat >expected.txt <<'TXT'
srs.js [ 'joe', 'shop.example' ] null
sender-rewriting-scheme joe@shop.example null
sender-rewriting-scheme of a plain address null
Mail::SRS warns: Case insensitive hash match
Mail::SRS 0.31 joe@shop.example joe@shop.example
TXT
{
  node finding.cjs
  perl -I unpacked/usr/share/perl5 finding.pl
} | tee found.txt
diff expected.txt found.txt
