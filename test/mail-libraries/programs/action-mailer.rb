require 'action_mailer'

config = Struct.new(:action_mailer).new(ActionMailer::Base)
SETUP

class CodeMailer < ActionMailer::Base
  def code
    mail(from: 'app@shop.test', to: ENV.fetch('TO'), subject: 'Your code', body: 'Your code is 481516.')
  end
end
CodeMailer.code.deliver_now
