# Writes the mail with Debian's Ruby library. Its argument is the folder to write to.
require 'mail'

PDF = 'Preisliste für Ana.pdf'.freeze

message = Mail.new do
  from Mail::Address.new.tap { |address|
    address.address = 'ana@shop.example'
    address.display_name = File.read('from-name')
  }.format
  to 'name@mayfly.test'
  subject File.read('subject')
end
message.charset = 'UTF-8'
message.text_part = Mail::Part.new { body File.read('text') }
message.html_part = Mail::Part.new do
  content_type 'text/html; charset=UTF-8'
  body File.read('html')
end
message.attachments.inline['logo.png'] = { content: File.binread('logo.png'), content_id: '<logo@shop.example>' }
message.attachments[PDF] = File.binread(PDF)
File.binwrite("#{ARGV[0]}/ruby-mail-#{Mail::VERSION.version}.eml", message.to_s)
