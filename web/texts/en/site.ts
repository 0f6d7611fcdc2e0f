/** The form for third parties: an address of this service is abused. */
export const report = {
  title: 'Report abuse: Mayfly',
  description: 'Report spam, phishing or worse that involves an address of this service.',
  heading: 'Report abuse',
  lead: 'Is an address of this service used for spam, phishing or worse? Tell whoever runs this site.',
  byMail: 'You can also write to:',
  kind: 'What is it?',
  kinds: { spam: 'Spam', phishing: 'Phishing', harassment: 'Harassment', illegal: 'Illegal content', other: 'Something else' },
  address: 'Address or domain',
  addressHint: 'The one of this service, e.g. name@this.domain',
  addressError: 'Please name the address or domain.',
  message: 'What happened?',
  messageHint: 'With time, sender and headers where you have them. 10 to 5,000 characters.',
  messageError: 'Please describe it in 10 to 5,000 characters.',
  email: 'Your email, if you want an answer',
  emailError: 'Please enter a valid email address',
  send: 'Send report',
  sending: 'Sending...',
  sent: 'Thank you. The report has arrived.',
  sentText: 'Whoever runs this site can read it now. Addresses live only minutes; what is left of one is destroyed.',
  failed: 'The report was not sent',
}

/** The footer, fetched when it comes near. */
export const footer = {
  navigation: 'More about Mayfly',
  aboutUs: 'About us',
  faq: 'FAQ',
  extension: 'Use it in your browser',
  api: 'API',
  partner: 'Our partner site',
  privacy: 'Privacy',
  terms: 'Terms',
  source: 'Source',
  copyright: (p: { year: number; site: string }) => `© ${p.year} ${p.site}`,
}

export const extension = {
  meta: {
    title: 'Use it in your browser: Mayfly',
    description: 'An extension for Chromium and Firefox: a disposable address in the field you are filling in, and the code from its mail.',
  },
  heading: 'Use it in your browser',
  lead: 'An address where you need one, without leaving the page that asks for it.',
  does: [
    [
      'The address',
      'Click into the field, press the icon or Alt+Shift+M (Control+Shift+M on a Mac), and a fresh address is in it. The menu of the field has it too.',
    ],
    ['The time', 'The icon is the setting sun of this page, with the minutes that are left.'],
    ['The code', 'It appears on the icon. One press fills it in, or copies it where no field asks for it. Nothing is filled in by itself.'],
  ] as [what: string, how: string][],
  popup: 'The pop-up: the address with the time it has left, and the code from its newest mail',
  forComputers: 'It is for browsers on a computer: open this page there to install it.',
  install: 'Install it',
  download: 'Download the extension and unpack it into a folder that stays.',
  downloadButton: 'Download (40 kB)',
  chromium:
    'Chrome, Edge, Brave and others: open chrome://extensions, turn on “Developer mode”, press “Load unpacked” and choose the folder.',
  firefox:
    'Firefox: open about:debugging, “This Firefox”, press “Load Temporary Add-on” and choose the file manifest.json. It stays until Firefox is closed.',
  handOver:
    'Come back to this page and press Mayfly’s icon. It offers this site, and your browser asks whether the extension may reach it.',
  may: 'What it may do',
  mayText:
    'It reaches this site and no other, and sees a page only when you press its icon there. Addresses are kept in memory and forgotten when they end. Limits are those of this site.',
}

export const notFound = {
  meta: {
    title: 'Page not found: Mayfly',
    description: 'This page does not exist.',
  },
  code: '404',
  message: "Oops! This page doesn't exist",
  remedy: 'The address may be mistyped, or the page has moved on.',
  home: 'Return to Home',
  offlineTitle: 'You are offline',
  offlineText:
    'This page was not kept on your device. Once you are connected again, reload it: your address and its mail are waiting as long as their time runs.',
  reload: 'Try again',
}

/** What search engines and previews of shared links get besides a page's title and description. */
export const preview = {
  keywords: 'temporary email, disposable email, throwaway email, temp mail, anonymous email, mail for %lifetimeInDigits%',
  imageAlt: 'A mayfly in thin lines over still water at dusk',
}

export type PreviewTexts = typeof preview

/** Contact page. The browser tests repeat the messages of fields and toasts word for word. */
export const contact = {
  meta: {
    title: 'Contact: Mayfly',
    description: 'Questions, problems or ideas about Mayfly? Write to whoever runs this site.',
  },
  heading: 'Contact us',
  lead: 'A question, a problem, an idea? Your message goes to whoever runs this site.',
  signOut: 'Sign Out',
  signedInAs: 'Signed in as',
  name: 'Name',
  email: 'Email',
  emailHint: 'We reply to this address, so do not use a temporary one.',
  subject: 'Subject',
  message: 'Message',
  send: 'Send message',
  sending: 'Sending...',
  report: 'Report abuse',
  urgent: 'Is it urgent? Write to',
  sent: 'Message sent successfully!',
  sentText: "Thanks for contacting us. We'll get back to you soon.",
  failed: 'Failed to send message',
  failedText: 'Please try again later or contact us directly.',
  errors: {
    nameShort: 'Name must be at least 2 characters',
    nameLong: 'Name must be less than 100 characters',
    nameControls: 'Name has invisible control characters. Please type it again',
    emailInvalid: 'Invalid email address',
    emailLong: 'Email must be less than 255 characters',
    subjectShort: 'Subject must be at least 5 characters',
    subjectLong: 'Subject must be less than 200 characters',
    subjectControls: 'Subject has invisible control characters. Please type it again',
    messageShort: 'Message must be at least 10 characters',
    messageLong: 'Message must be less than 1000 characters',
    messageControls: 'Message has invisible control characters. Please paste it as plain text',
  },
}
