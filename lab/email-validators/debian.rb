# Prints one line of JSON for each validator of Debian's Ruby: whether it takes each of the addresses that are its arguments.
require 'json'
require 'uri'
require 'active_model'
require 'valid_email'

def show(kind, title, version, &accepts)
  puts JSON.generate(kind: kind, title: title, version: version, accepted: ARGV.map { |address| accepts.call(address) ? true : false })
end

show('syntax', 'Ruby `URI::MailTo::EMAIL_REGEXP`', RUBY_VERSION) { |address| URI::MailTo::EMAIL_REGEXP.match?(address) }
valid_email = Gem::Specification.find_by_name('valid_email').version.to_s
show('syntax', 'valid_email', valid_email) { |address| ValidateEmail.valid?(address) }
show('DNS', 'valid_email, `mx: true`', valid_email) { |address| ValidateEmail.mx_valid?(address) }
