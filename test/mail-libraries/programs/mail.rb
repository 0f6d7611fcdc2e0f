require 'mail'

SETUP
Mail.deliver do
  from 'app@shop.test'
  to ENV.fetch('TO')
  subject 'Your code'
  body 'Your code is 481516.'
end
