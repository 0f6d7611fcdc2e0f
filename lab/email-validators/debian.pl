# Prints one line of JSON for each check of Debian's Email::Valid: whether it takes each of the addresses that are its arguments.
use strict;
use warnings;
use Email::Valid;

sub show {
    my ($kind, $title, @options) = @_;
    my $accepted = join ',', map { Email::Valid->address(-address => $_, @options) ? 'true' : 'false' } @ARGV;
    print qq({"kind":"$kind","title":"$title","version":"$Email::Valid::VERSION","accepted":[$accepted]}\n);
}

show('syntax', 'Perl `Email::Valid`');
show('list of TLDs', 'Perl `Email::Valid`, `-tldcheck`', -tldcheck => 1);
show('DNS', 'Perl `Email::Valid`, `-mxcheck`', -mxcheck => 1);
