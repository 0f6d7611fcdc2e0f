#!/usr/bin/env bash
# One expects "joe(work)@two.example" and "joe . roe@two.example" to be joe@ and joe.roe@two.example: in RFC 5322 section 3.4.1 a local part is a dot-atom,
# section 3.2.3 lets comments and blanks surround it, and section 4.4 has them around its dots, in mail that a receiver must accept.
# Ruby's Mail 2.7.1 (Debian 12) loses the local part of both and hands out "@two.example", without an entry in `errors`; a blank or comment behind
# the domain, or a blank before the "@", it reads. Of a group it forgets the end: what follows "Friends: ann@two.example;" is a member too.
# mailparser 3.14.2 reads the comments and the group, and makes "roe@two.example" of the blanks around the dot.
# It matters to whoever answers or files mail by its sender: all senders of a domain become one, and it is nobody's address.
# Wrong guess: since its parser is generated from the grammar, it reads each valid form or says that it cannot.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq 'ruby-mail=2.7.1*' 'ruby-mini-mime=1.1.1*' >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailparser@3.14.2 >/dev/null 2>&1
cat >fields.txt <<'TXT'
joe@two.example (work)
joe @two.example
joe(work)@two.example
"joe"(work)@two.example
Joe <joe(work)@two.example>
joe . roe@two.example
Friends: ann@two.example;, bob@two.example
TXT
cat >finding.rb <<'RB'
require "mail"

File.readlines("fields.txt", chomp: true).each do |field|
  mail = Mail.new("To: #{field}\r\n\r\nHi\r\n")
  groups = mail[:to].groups.transform_values { |members| members.map(&:address) }
  puts "Mail, #{field}: #{mail.to}, groups #{groups.to_a}, errors #{mail.errors}"
end
RB
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'

for (const field of readFileSync('fields.txt', 'utf8').trim().split('\n')) {
  const { to } = await simpleParser(`To: ${field}\r\n\r\nHi\r\n`)
  console.log(`mailparser, ${field}:`, JSON.stringify(to.value.map(({ address, group }) => address ?? group)))
}
JS
cat >expected.txt <<'TXT'
Mail, joe@two.example (work): ["joe@two.example"], groups [], errors []
Mail, joe @two.example: ["joe@two.example"], groups [], errors []
Mail, joe(work)@two.example: ["@two.example"], groups [], errors []
Mail, "joe"(work)@two.example: ["\"joe\"@two.example"], groups [], errors []
Mail, Joe <joe(work)@two.example>: ["joe(work)@two.example"], groups [], errors []
Mail, joe . roe@two.example: ["@two.example"], groups [], errors []
Mail, Friends: ann@two.example;, bob@two.example: ["ann@two.example", "bob@two.example"], groups [["Friends", ["ann@two.example", "bob@two.example"]]], errors []
mailparser, joe@two.example (work): ["joe@two.example"]
mailparser, joe @two.example: ["joe@two.example"]
mailparser, joe(work)@two.example: ["joe@two.example"]
mailparser, "joe"(work)@two.example: ["joe@two.example"]
mailparser, Joe <joe(work)@two.example>: ["joe@two.example"]
mailparser, joe . roe@two.example: ["roe@two.example"]
mailparser, Friends: ann@two.example;, bob@two.example: [[{"address":"ann@two.example","name":""}],"bob@two.example"]
TXT
{ ruby -W0 -Iusr/share/rubygems-integration/all/gems/mini_mime-1.1.1/lib -Iusr/lib/ruby/vendor_ruby finding.rb && node finding.mjs; } | tee seen.txt
diff expected.txt seen.txt
