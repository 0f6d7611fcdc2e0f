/** Labelled mails in English. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'code starts the subject and the sentence',
    subject: '493027 is your Fernway verification code',
    text: `Hi Dana,

493027 is your Fernway verification code. It expires in 10 minutes.

Didn't try to sign in? You can ignore this email.

Fernway Inc., 2200 Mission St, Suite 410, San Francisco, CA 94110`,
    code: '493027',
    link: null,
  },
  {
    name: 'prefixed code',
    subject: 'Your Glimmer sign-in code',
    text: `G-581904 is your Glimmer verification code.

Type the six digits after "G-" into the box on your screen. Nobody at Glimmer will ever call you about it.`,
    code: '581904',
    link: null,
  },
  {
    name: 'big table cell, IP address and device',
    subject: 'Confirm it’s you',
    html: `<html><head><style>.c{color:#3a3f45}.b{background:#104060}</style></head><body><img src="https://t.pinelock.example/o/8842716.gif" width="1" height="1">
<p class="c">Someone is signing in to Pinelock from a new device.</p>
<table width="480"><tr><td>Device</td><td>Firefox 128 on Windows</td></tr><tr><td>IP</td><td>203.0.113.58</td></tr></table>
<p>If it’s you, enter this code:</p>
<table><tr><td align="center" style="font-size:36px;letter-spacing:8px;color:#221199">7204</td></tr></table>
<p>&copy; 2026 Pinelock Ltd</p></body></html>`,
    code: '7204',
    link: null,
  },
  {
    name: 'digits in separate cells',
    subject: 'Finish setting up your Harrow & Vale account',
    html: `<div style="display:none">Only one step left</div><h2>Almost there!</h2><p>Here is the one-time passcode we promised. Pop it in within 15 minutes.</p>
<table cellspacing="6"><tr><td style="border:1px solid #ccc">8</td><td style="border:1px solid #ccc">1</td><td style="border:1px solid #ccc">5</td><td style="border:1px solid #ccc">3</td><td style="border:1px solid #ccc">6</td><td style="border:1px solid #ccc">0</td></tr></table>
<p>Questions? Call 0800 555 0142.</p>`,
    code: '815360',
    link: null,
  },
  {
    name: 'letters with a hyphen for a device',
    subject: 'Connect your TV to Lumora',
    text: `On your computer or phone, go to lumora.example/activate and enter

    KXWQ-7TRD

The letters are not case sensitive. The hyphen is part of the code.`,
    html: `<p>On your computer or phone, go to <b>lumora.example/activate</b> and enter</p><p style="font:700 28px monospace">KXWQ-7TRD</p><p>The letters are not case sensitive. The hyphen is part of the code.</p>`,
    code: 'KXWQ-7TRD',
    link: null,
  },
  {
    name: 'bank passcode beside amount and card',
    subject: 'Authorise your payment of £1,249.00',
    text: `You're paying £1,249.00 to BRIGHTSIDE FURNITURE with your Calder Bank card ending 4471.

Passcode: 062 918

Enter it on the merchant's page to approve the payment. NEVER read it out over the phone, not even to us. If you don't recognise this payment call 0345 555 0199 now.

Sort code 20-44-71. Calder Bank plc, registered in England no. 03918274.`,
    code: '062918',
    link: null,
  },
  {
    name: 'code and magic link',
    subject: 'Sign in to Tallyboard',
    text: `Click to sign in:
https://app.tallyboard.example/magic?t=q8ZrN1xVb2Lw&u=5510

or paste this code in the open tab: 3F9K2M

Both work once and for 20 minutes.`,
    html: `<p><a href="https://app.tallyboard.example/magic?t=q8ZrN1xVb2Lw&amp;u=5510" style="background:#5a31f4;color:#fff">Sign in to Tallyboard</a></p><p>or paste this code in the open tab:</p><pre>3F9K2M</pre><p style="color:#999999">Both work once and for 20 minutes.</p><p><a href="https://app.tallyboard.example/prefs/5510">Email settings</a></p>`,
    code: '3F9K2M',
    link: 'https://app.tallyboard.example/magic?t=q8ZrN1xVb2Lw&u=5510',
  },
  {
    name: 'code that looks like a year',
    subject: 'Orchard Credit Union: security code',
    html: `<p>Hello Mr Whitcombe,</p><p>Your security code is <strong>2031</strong>.</p><p>It was requested on 14 March 2026 at 09:41. Don’t share it.</p><p>Ticket ref 88104632</p>`,
    code: '2031',
    link: null,
  },
  {
    name: 'spaced digits in plain text',
    subject: 'Password reset requested',
    text: `We got a request to reset the password for your Quillbase workspace (ID 771204).

Your reset code:

   9 4 4 0 7 1 2 6

If you didn't ask for this, no action is needed and your password stays as it is.`,
    code: '94407126',
    link: null,
  },
  {
    name: 'code meant for changing an address',
    subject: 'Changing your email address',
    text: `Hey, quick check before we switch your Marrow account to this address. Reply is not needed, just go back to Settings > Email and key in 550318 when it asks. Changed your mind? Do nothing and we'll keep the old one. Cheers, the Marrow crew`,
    code: '550318',
    link: null,
  },
  {
    name: 'case-sensitive code',
    subject: 'Your temporary login token',
    text: `Login token (case-sensitive): xT4mQz9

Paste it at the prompt of the command line tool. Valid until 2026-05-02 18:30 UTC.
-- 
stackwhistle ci / build 20417`,
    code: 'xT4mQz9',
    link: null,
  },
  {
    name: 'order confirmation',
    subject: 'Order #482913 confirmed',
    html: `<h1>Thanks for your order!</h1><p>Order number <b>482913</b></p><table><tr><td>Oak stool</td><td>2</td><td>$118.00</td></tr><tr><td>Sales tax</td><td></td><td>$9.74</td></tr></table><p>Use code <b>WELCOME15</b> on your next order.</p><p><a href="https://shop.timberly.example/orders/482913">View order</a></p><p>Timberly, 1180 Elm Street, Austin TX 78702</p>`,
    code: null,
    link: null,
  },
  {
    name: 'parcel scam with a bare number in the subject',
    subject: '837201',
    text: `Your package could not be delivered due to unpaid customs fee of $1.99.

Parcel: US-837201-XK
Settle now: https://parcel-desk.example/pay/837201

Packages are returned after 48 hours.`,
    code: null,
    link: null,
  },
  {
    name: 'code was sent by text message',
    subject: 'New sign-in attempt',
    text: `We sent a 6-digit verification code by text message to the phone ending in 4402. Enter that code on the sign-in page to continue.

No longer have that phone? Visit the help centre: https://help.corvid-mail.example/a/204817

Request ID 619305`,
    code: null,
    link: null,
  },
  {
    name: 'new device warning',
    subject: 'Security alert: new sign-in from Leeds',
    html: `<p>Your Foxglove account was just signed in to on a new device.</p><p>23 Nov 2026, 08:14 GMT &middot; 198.51.100.23</p><p>If this was you, you don’t need to do anything. If it wasn’t, <a href="https://id.foxglove.example/secure?e=91f3c2">secure your account</a>.</p><p>We will never ask for your verification code.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'confirm address with unsubscribe beside it',
    subject: 'Please confirm your email',
    html: `<p>Welcome to Bramble Weekly! One click and you’re in.</p><p><a href="https://brambleweekly.example/confirm/8f1c99d2e6?l=3&amp;s=22041"><img src="https://cdn.brambleweekly.example/btn-120034.png" alt="Confirm my subscription"></a></p><p style="color:#778899"><a href="https://brambleweekly.example/u/8f1c99d2e6">Unsubscribe</a> | PO Box 30412, Boulder, CO 80301</p>`,
    code: null,
    link: 'https://brambleweekly.example/confirm/8f1c99d2e6?l=3&s=22041',
  },
  {
    name: 'reset by link only',
    subject: 'Reset your Hollowtree password',
    text: `Someone (hopefully you) asked to reset the password for dana@inbox.example.

https://hollowtree.example/account/reset/MTA0NDE/c8k2-5d1e09aa7b

The link works for 1 hour. If you weren't expecting this, forget about it, or write to https://hollowtree.example/support (case 4418820).`,
    code: null,
    link: 'https://hollowtree.example/account/reset/MTA0NDE/c8k2-5d1e09aa7b',
  },
  {
    name: 'sale with voucher code',
    subject: '⏰ 24 HOURS ONLY: code FLASH40 inside',
    html: `<div style="background:#000000;color:#ffcc00"><h1>40% OFF EVERYTHING</h1><p>Enter your code at checkout:</p><p style="font-size:40px">FLASH40</p><a href="https://denimdepot.example/sale?utm_campaign=112026">Shop now</a></div><p>Ends 11/24/2026. *Min. spend $50. <a href="https://denimdepot.example/unsub?id=5550192">Unsubscribe</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'expired code',
    subject: 'Your code has expired',
    text: `Hi,

the verification code 310774 that we sent you on Tuesday has expired and can no longer be used. Sign in again and we'll send a fresh one.

Team Kestrel`,
    code: null,
    link: null,
  },
  {
    name: 'card PIN by post',
    subject: 'Your new debit card is on its way',
    text: `Good news: your new Calder Bank debit card (ending 9027) was posted today. For your safety the 4-digit PIN comes in a separate letter within 5 working days. Activate the card at any cash machine with that PIN.

Customer number: 60418825
Branch: 17 Market Row, York YO1 8SL`,
    code: null,
    link: null,
  },
  {
    name: 'invoice',
    subject: 'Invoice INV-204418 from Sable Hosting',
    text: `Invoice no.      INV-204418
Customer         118273
Due              2026-12-07
Total            EUR 64.26 (VAT ID GB 293 4471 08)

Pay online: https://billing.sablehost.example/i/204418
IBAN GB29 NWBK 6016 1331 9268 19, reference 204418`,
    html: `<table><tr><th>Invoice no.</th><td>INV-204418</td></tr><tr><th>Customer</th><td>118273</td></tr><tr><th>Total</th><td>EUR 64.26</td></tr></table><p><a href="https://billing.sablehost.example/i/204418">Pay online</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'support ticket about codes',
    subject: '[Ticket 705512] I never receive my verification code',
    text: `##- Please type your reply above this line -##

Hi Marcus, thanks for getting in touch. Verification codes can take up to 5 minutes. Please check that 555-0148 is still your number and try again. If it fails, tell us the error (e.g. E4031).

Ines, Support
Ticket: 705512`,
    code: null,
    link: null,
  },
  {
    name: 'magic link without a code',
    subject: 'Log in to Pocketfield',
    text: `Log in: https://pocketfield.example/login/verify?token=eyJ1IjoyMTQ5MH0.552190

This link expires in 15 minutes and can only be used once. Requested from 192.0.2.77 (Chrome, macOS).`,
    html: `<p>Tap the button on the device where you want to log in.</p><a href="https://pocketfield.example/login/verify?token=eyJ1IjoyMTQ5MH0.552190">Log in</a><p style="font-size:12px;color:#667788">Requested from 192.0.2.77 (Chrome, macOS).</p>`,
    code: null,
    link: 'https://pocketfield.example/login/verify?token=eyJ1IjoyMTQ5MH0.552190',
  },
  {
    name: 'order number and code of the same length',
    subject: 'Finish your order 718264',
    html: `<p>Before we ship order <b>718264</b> to a new address, please prove this inbox is yours.</p><p>Code: <b>830551</b></p><p>Customer 440917, total $83.05</p>`,
    text: `Before we ship order 718264 to a new address, please prove this inbox is yours.

Code: 830551

Customer 440917, total $83.05`,
    code: '830551',
    link: null,
  },
  {
    name: 'two halves in two spans',
    subject: 'Your access code for Stonebridge Clinic',
    html: `<div class="otp"><span style="padding-right:14px">615</span><span>082</span></div><p>Use this access code to open your test results. It is valid until 18:30 on 24 November.</p><p>Stonebridge Clinic, 0161 555 0170</p>`,
    code: '615082',
    link: null,
  },
  {
    name: 'line for autofill',
    subject: 'Kestrel Pay',
    text: `Your Kestrel Pay code is 55190.

@kestrelpay.example #55190`,
    html: `<p>Your Kestrel Pay code is <b>55190</b>.</p><p style="color:#ffffff;font-size:1px">@kestrelpay.example #55190</p>`,
    code: '55190',
    link: null,
  },
  {
    name: 'three groups of letters',
    subject: 'Approve this terminal',
    html: `<p>A terminal on host build-07 (10.0.14.22) asks for access. If you started it, type</p><pre style="background:#1e1e1e;color:#d4d4d4">HQV-TRW-ZMK</pre><p>on the device page, dashes included.</p>`,
    code: 'HQV-TRW-ZMK',
    link: null,
  },
  {
    name: 'activation in a sentence with a link text of one word',
    subject: 'You’re nearly a member',
    html: `<p>Hi Priya, to activate your membership click <a href="https://members.riverclimb.example/activate?m=4417&amp;key=d81f20">here</a> before 30 November 2026.</p><p>See you on the wall! <a href="https://riverclimb.example/times">Opening times</a></p>`,
    code: null,
    link: 'https://members.riverclimb.example/activate?m=4417&key=d81f20',
  },
  {
    name: 'other kinds of code',
    subject: 'Code review #4821: error code 500123',
    html: `<p>Marek commented on <b>src/payments.ts</b>, line 118204:</p><blockquote>This returns status code 404 and error code 500123. Country code 44 is missing.</blockquote><p>commit 7f3c9a1, code freeze on 20261201</p><p><a href="https://git.stackwhistle.example/pr/4821">View on Stackwhistle</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'authenticator app',
    subject: 'Two-step verification is on',
    text: `From now on you'll need a 6-digit code from your authenticator app when you sign in. We don't send these codes by email.

Added: Pixel 9, 23 Nov 2026, 08:14 GMT`,
    html: `<p>From now on you’ll need a 6-digit code from your authenticator app when you sign in. We don’t send these codes by email.</p><p style="color:#445566">Added: Pixel 9, 23 Nov 2026, 08:14 GMT</p>`,
    code: null,
    link: null,
  },
  {
    name: 'weekly numbers',
    subject: 'Your weekly report: 120,448 visits',
    html: `<table><tr><th>Page</th><th>Views</th></tr><tr><td>/pricing</td><td>48291</td></tr><tr><td>/verify</td><td>30717</td></tr><tr><td>/login</td><td>118204</td></tr></table><p>Area code 415, ZIP code 94107</p>`,
    code: null,
    link: null,
  },
  {
    name: 'backup codes',
    subject: 'Your new backup codes',
    html: `<p>Keep these somewhere safe. Each works once if you lose your phone.</p><ul><li>4471 0092</li><li>8830 1174</li><li>2204 6681</li><li>9017 3358</li></ul>`,
    code: null,
    link: null,
  },
  {
    name: 'referral code',
    subject: 'Give $20, get $20',
    text: `Your referral code is DANA-4471. Share it with friends: they enter it when they sign up and you both get $20.`,
    html: `<p>Your referral code is</p><p style="font-size:32px">DANA-4471</p><p>Share it with friends: they enter it when they sign up and you both get $20.</p>`,
    code: null,
    link: null,
  },
]
