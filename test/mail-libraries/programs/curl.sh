ADDRESS=$TO
printf 'From: app@shop.test\r\nTo: %s\r\nSubject: Your code\r\n\r\nYour code is 481516.\r\n' "$TO" > mail.eml
SETUP
