<?php
require '/usr/share/php/libphp-phpmailer/autoload.php';

$mail = new PHPMailer\PHPMailer\PHPMailer(true);
SETUP
$mail->setFrom('app@shop.test');
$mail->addAddress(getenv('TO'));
$mail->Subject = 'Your code';
$mail->Body = 'Your code is 481516.';
$mail->send();
