# Checks senders with Debian's Mail::DKIM. Reads one case as JSON a line, and prints its result, or nothing.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use Mail::DKIM::ARC::Verifier;
use Mail::DKIM::DNS;
use Mail::DKIM::Verifier;

my $case;

{
    # Answers from the zone of the case, as Net::DNS::Resolver does.
    package ZoneResolver;
    use Net::DNS;
    sub new { return bless {}, shift }
    sub persistent_udp { return }
    sub query { return shift->send(@_) }
    sub errorstring { return 'NXDOMAIN' }

    sub send {
        my (undef, $name, $type) = @_;
        my $packet = Net::DNS::Packet->new($name, $type);
        for my $text (@{ $case->{zone}{ lc($name) . " $type" } || [] }) {
            my @strings = unpack '(a255)*', $text;
            $packet->push(answer => Net::DNS::RR->new(owner => $name, type => $type, txtdata => \@strings));
        }
        return $packet;
    }
}

Mail::DKIM::DNS::resolver(ZoneResolver->new);
while (my $line = <STDIN>) {
    $case = decode_json($line);
    my $result = '';
    if ($case->{kind} ne 'spf') {
        my $class = $case->{kind} eq 'arc' ? 'Mail::DKIM::ARC::Verifier' : 'Mail::DKIM::Verifier';
        my $verifier = $class->new(Strict => 1);
        eval {
            $verifier->PRINT(decode_base64($case->{raw}));
            $verifier->CLOSE;
            $result = $verifier->result;
        };
        # What the program calls invalid is a chain or signature that does not count.
        $result = 'fail' if $@ || !$result || $result eq 'invalid';
    }
    print "$result\n";
}
