#!/usr/bin/env bash
# One expects a report in which two recipients failed for good to be no less final than one in which one did: RFC 3464 section 2.3 has a group of fields for
# each recipient, and RFC 3463 section 2 makes 5.x.x permanent.
# Ruby's Mail 2.7.1 (Debian 12) answers `retryable?` with false for "5.1.1", and with true as soon as a second recipient is in the report, whatever
# happened to either. `bounced?` is true for two failures, and false where the first recipient got the mail or waits and the second failed.
# Perl's Mail::DeliveryStatus::BounceParser 1.543 lists both failures, says is_bounce 0 where one of the two got the mail, and lists nobody if he is first.
# It matters to whoever removes addresses that bounce: for a mail to several recipients of one domain, which gets one report, the program tries dead
# addresses again, and the order of the groups decides whether it hears of a failure at all.
# Wrong guess: both look at all recipients, since `action` and `error_status` of the same report are lists of two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq 'ruby-mail=2.7.1*' 'ruby-mini-mime=1.1.1*' 'libmail-deliverystatus-bounceparser-perl=1.543*' \
  libmime-tools-perl libmailtools-perl libtimedate-perl >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat >finding.rb <<'RB'
require "mail"

def report(recipients)
  groups = recipients.flat_map { |name, action, status| ["Final-Recipient: rfc822; #{name}@two.example", "Action: #{action}", "Status: #{status}", ""] }
  Mail.new(["From: MAILER-DAEMON@mx.two.example", "Subject: Report", "MIME-Version: 1.0",
            "Content-Type: multipart/report; report-type=delivery-status; boundary=x", "",
            "--x", "Content-Type: text/plain", "", "Your mail:", "",
            "--x", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.two.example", "", *groups, "--x--", ""].join("\r\n"))
end

joe = ["joe", "failed", "5.1.1"]
bob = ["bob", "failed", "5.2.1"]
ann = ["ann", "delivered", "2.1.5"]
eve = ["eve", "delayed", "4.4.1"]
[[joe], [bob], [joe, bob], [joe, ann], [ann, joe], [eve, joe]].each do |recipients|
  mail = report(recipients)
  puts "#{recipients.map { |one| one.join(" ") }.join(", ")}: bounced #{mail.bounced?}, retryable #{mail.retryable?}, status #{mail.error_status}"
end
RB
cat >finding.pl <<'PL'
use Mail::DeliveryStatus::BounceParser;

my ($joe, $bob, $ann, $eve) = ([joe => 'failed', '5.1.1'], [bob => 'failed', '5.2.1'], [ann => 'delivered', '2.1.5'], [eve => 'delayed', '4.4.1']);
for my $recipients ([$joe], [$joe, $bob], [$joe, $ann], [$ann, $joe], [$eve, $joe]) {
    my @groups = map { ("Final-Recipient: rfc822; $_->[0]\@two.example", "Action: $_->[1]", "Status: $_->[2]", "") } @$recipients;
    my $bounce = Mail::DeliveryStatus::BounceParser->new(join "\n",
        "From: MAILER-DAEMON\@mx.two.example", "Subject: Report", "MIME-Version: 1.0",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x", "",
        "--x", "Content-Type: text/plain", "", "Your mail:", "",
        "--x", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.two.example", "", @groups, "--x--", "");
    print "BounceParser, ", join(", ", map { join " ", @$_ } @$recipients), ": is_bounce ", $bounce->is_bounce, ", [", join(" ", $bounce->addresses), "]\n";
}
PL
cat >expected.txt <<'TXT'
joe failed 5.1.1: bounced true, retryable false, status 5.1.1
bob failed 5.2.1: bounced true, retryable false, status 5.2.1
joe failed 5.1.1, bob failed 5.2.1: bounced true, retryable true, status ["5.1.1", "5.2.1"]
joe failed 5.1.1, ann delivered 2.1.5: bounced true, retryable true, status ["5.1.1", "2.1.5"]
ann delivered 2.1.5, joe failed 5.1.1: bounced false, retryable true, status ["2.1.5", "5.1.1"]
eve delayed 4.4.1, joe failed 5.1.1: bounced false, retryable true, status ["4.4.1", "5.1.1"]
BounceParser, joe failed 5.1.1: is_bounce 1, [joe@two.example]
BounceParser, joe failed 5.1.1, bob failed 5.2.1: is_bounce 1, [joe@two.example bob@two.example]
BounceParser, joe failed 5.1.1, ann delivered 2.1.5: is_bounce 0, [joe@two.example]
BounceParser, ann delivered 2.1.5, joe failed 5.1.1: is_bounce 0, []
BounceParser, eve delayed 4.4.1, joe failed 5.1.1: is_bounce 0, []
TXT
{ ruby -W0 -Iusr/share/rubygems-integration/all/gems/mini_mime-1.1.1/lib -Iusr/lib/ruby/vendor_ruby finding.rb && PERL5LIB=usr/share/perl5 perl finding.pl; } | tee seen.txt
diff expected.txt seen.txt
