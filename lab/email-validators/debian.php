<?php
/** Prints one line of JSON for each validator of Debian's PHP: whether it takes each of the addresses that are its arguments. */
require 'Egulias/EmailValidator/autoload.php';
require 'Symfony/Component/Validator/autoload.php';
require 'Illuminate/Validation/autoload.php';

use Egulias\EmailValidator\EmailValidator;
use Egulias\EmailValidator\Validation as Check;
use Symfony\Component\Validator\Constraints\Email;

$addresses = array_slice($argv, 1);
$version = fn($package) => trim(shell_exec("dpkg-query -W -f '\${Version}' $package"));
function show(string $kind, string $title, string $version, callable $accepts): void
{
    global $addresses;
    echo json_encode(compact('kind', 'title', 'version') + ['accepted' => array_map($accepts, $addresses)]), "\n";
}

$egulias = fn($check) => fn($address) => (new EmailValidator())->isValid($address, $check);
show('syntax', 'PHP `filter_var`', PHP_VERSION, fn($address) => filter_var($address, FILTER_VALIDATE_EMAIL) !== false);
$installed = $version('php-email-validator');
show('syntax', 'egulias `RFCValidation`', $installed, $egulias(new Check\RFCValidation()));
show('syntax', 'egulias `NoRFCWarningsValidation`', $installed, $egulias(new Check\NoRFCWarningsValidation()));
show('syntax', 'egulias `SpoofCheckValidation`', $installed, $egulias(new Check\Extra\SpoofCheckValidation()));
$symfony = Symfony\Component\Validator\Validation::createValidator();
foreach (['html5', 'strict'] as $mode) {
    $accepts = fn($address) => count($symfony->validate($address, new Email(['mode' => $mode]))) === 0;
    show('syntax', "Symfony `Email`, $mode", $version('php-symfony-validator'), $accepts);
}
$laravel = new Illuminate\Validation\Factory(new Illuminate\Translation\Translator(new Illuminate\Translation\ArrayLoader(), 'en'));
foreach (['email' => 'syntax', 'email:rfc,dns' => 'DNS'] as $rule => $kind) {
    $accepts = fn($address) => $laravel->make(['email' => $address], ['email' => $rule])->passes();
    show($kind, "Laravel `$rule`", $version('php-illuminate-validation'), $accepts);
}
show('DNS', 'egulias `DNSCheckValidation`', $installed, $egulias(new Check\DNSCheckValidation()));
