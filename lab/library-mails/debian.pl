# Writes the mail with Debian's Perl library. Its argument is the folder to write to.
use strict;
use warnings;
use utf8;
use Encode qw(encode);
use MIME::Lite;

my $pdf = 'Preisliste für Ana.pdf';

sub contents {
    my ($name) = @_;
    open my $file, '<:raw', encode('UTF-8', $name) or die "$name: $!";
    local $/;
    return <$file>;
}

sub write_mail {
    my ($name, $mail) = @_;
    open my $file, '>:raw', "$ARGV[0]/$name.eml" or die $!;
    print $file $mail;
}

sub words { return encode('MIME-Header', Encode::decode('UTF-8', contents($_[0]))) }

my $lite = MIME::Lite->new(From => words('from-name') . ' <ana@shop.example>', To => 'name@mayfly.test', Subject => words('subject'), Type => 'multipart/mixed');
my $alternative = MIME::Lite->new(Type => 'multipart/alternative');
$alternative->attach(Type => 'text/plain; charset=UTF-8', Encoding => 'quoted-printable', Data => contents('text'));
my $related = $alternative->attach(Type => 'multipart/related');
$related->attach(Type => 'text/html; charset=UTF-8', Encoding => 'quoted-printable', Data => contents('html'));
$related->attach(Type => 'image/png', Id => '<logo@shop.example>', Path => 'logo.png', Filename => 'logo.png');
$lite->attach($alternative);
$lite->attach(Type => 'application/pdf', Path => encode('UTF-8', $pdf), Filename => encode('MIME-Header', $pdf), Disposition => 'attachment');
write_mail("mime-lite-$MIME::Lite::VERSION", $lite->as_string);
