<?php
require '/usr/share/php/Symfony/Component/Mailer/autoload.php';

use Symfony\Component\Mailer\Mailer;
use Symfony\Component\Mailer\Transport;
use Symfony\Component\Mime\Email;

$dsn = explode('=', 'SETUP', 2)[1];
$mail = (new Email())->from('app@shop.test')->to(getenv('TO'))->subject('Your code')->text('Your code is 481516.');
(new Mailer(Transport::fromDsn($dsn)))->send($mail);
