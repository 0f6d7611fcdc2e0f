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

export type ReportTexts = typeof report
