#!/usr/bin/env bash
# One expects "mailto:joe+news@two.example" to be a mail to joe+news@two.example: RFC 6068 section 5 says that a plus in such a URI is a plus, names
# subaddresses as the reason, and has blanks written as %20; and by section 2 the address may stand in "to=" alone.
# Ruby's URI::MailTo (uri 0.11.0 of Ruby 3.1.2, Debian 12) keeps the plus in `to` and `headers`, and makes a blank of it in `to_mailtext`: "To: joe
# news@two.example", in Cc and Subject too. Perl's URI 5.17 (Debian 12) does so in Cc and Subject, and writes blanks as pluses, which others show. For
# "mailto:?to=…" both have an empty recipient before the first.
# It matters to whoever makes mails of links, of List-Unsubscribe for one (RFC 2369): what is left of the address is another one or none, and tests with
# plain addresses pass. The examples of RFC 6068 with quotes, percent signs and other scripts are all read right.
# Wrong guess: all examples of the standard are read, so that nothing as common as a plus can be wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq 'libruby3.1=3.1.2*' 'liburi-perl=5.17*' >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat >finding.rb <<'RB'
require "uri"

puts "uri #{URI::VERSION}"
%w[
  mailto:joe+news@two.example
  mailto:joe%2Bnews@two.example
  mailto:joe@two.example?cc=ann+news@two.example&subject=C++
  mailto:?to=joe@two.example
  mailto:%22not%40me%22@two.example?subject=caf%C3%A9
].each do |text|
  link = URI(text)
  puts text, "   to #{link.to.inspect}, headers #{link.headers}, text #{link.to_mailtext.strip.lines(chomp: true)}"
end
RB
cat >finding.pl <<'PL'
use URI;

print "URI $URI::VERSION\n";
for my $text ('mailto:joe+news@two.example', 'mailto:joe@two.example?cc=ann+news@two.example&subject=C++', 'mailto:?to=joe@two.example') {
    print "$text\n   to [", URI->new($text)->to, "], headers [", join("][", URI->new($text)->headers), "]\n";
}
my $link = URI->new('mailto:');
$link->headers(to => 'joe+news@two.example', subject => 'One and one');
print "$link\n";
PL
cat >expected.txt <<'TXT'
uri 0.11.0
mailto:joe+news@two.example
   to "joe+news@two.example", headers [], text ["To: joe news@two.example"]
mailto:joe%2Bnews@two.example
   to "joe%2Bnews@two.example", headers [], text ["To: joe+news@two.example"]
mailto:joe@two.example?cc=ann+news@two.example&subject=C++
   to "joe@two.example", headers [["cc", "ann+news@two.example"], ["subject", "C++"]], text ["To: joe@two.example", "Cc: ann news@two.example", "Subject: C"]
mailto:?to=joe@two.example
   to "", headers [["to", "joe@two.example"]], text ["To: , joe@two.example"]
mailto:%22not%40me%22@two.example?subject=caf%C3%A9
   to "%22not%40me%22@two.example", headers [["subject", "caf%C3%A9"]], text ["To: \"not@me\"@two.example", "Subject: café"]
URI 5.17
mailto:joe+news@two.example
   to [joe+news@two.example], headers [to][joe+news@two.example]
mailto:joe@two.example?cc=ann+news@two.example&subject=C++
   to [joe@two.example], headers [to][joe@two.example][cc][ann news@two.example][subject][C  ]
mailto:?to=joe@two.example
   to [,joe@two.example], headers [to][][to][joe@two.example]
mailto:joe+news@two.example?subject=One+and+one
TXT
{ ruby -W0 -Iusr/lib/ruby/3.1.0 finding.rb && PERL5LIB=usr/share/perl5 perl finding.pl; } | tee seen.txt
diff expected.txt seen.txt
