<?php
// Writes the mail with each library of Debian's PHP. Its argument is the folder to write to.
use PHPMailer\PHPMailer\PHPMailer;
use Symfony\Component\Mime\Address;
use Symfony\Component\Mime\Email;

require '/usr/share/php/libphp-phpmailer/autoload.php';
require '/usr/share/php/Egulias/EmailValidator/autoload.php';
require '/usr/share/php/Symfony/Component/Mime/autoload.php';

const PDF = 'Preisliste für Ana.pdf';

function write(string $name, string $package, string $mail): void
{
    global $argv;
    $version = preg_replace('/^\d+:|[+-].*$/', '', shell_exec("dpkg-query --show --showformat='\${Version}' $package"));
    file_put_contents("$argv[1]/$name-$version.eml", $mail);
}

$message = new PHPMailer(true);
$message->CharSet = PHPMailer::CHARSET_UTF8;
$message->setFrom('ana@shop.example', file_get_contents('from-name'));
$message->addAddress('name@mayfly.test');
$message->Subject = file_get_contents('subject');
$message->isHTML();
$message->Body = file_get_contents('html');
$message->AltBody = file_get_contents('text');
$message->Ical = file_get_contents('invite.ics');
$message->addEmbeddedImage('logo.png', 'logo@shop.example');
$message->addAttachment(PDF);
$message->preSend();
write('phpmailer', 'libphp-phpmailer', $message->getSentMIMEMessage());

$email = (new Email())
    ->from(new Address('ana@shop.example', file_get_contents('from-name')))
    ->to('name@mayfly.test')
    ->subject(file_get_contents('subject'))
    ->text(file_get_contents('text'))
    ->html(str_replace('cid:logo@shop.example', 'cid:logo', file_get_contents('html')))
    ->embedFromPath('logo.png', 'logo')
    ->attachFromPath(PDF);
write('symfony-mime', 'php-symfony-mime', $email->toString());
