/** Contact page; messages of the fields and toasts are specified to the letter (test/coverage). */
export const contact = {
  meta: {
    title: 'Contact: Mayfly',
    description: 'Questions, problems or ideas about Mayfly? Write to us. A person reads every message.',
  },
  heading: 'Contact us',
  lead: 'A question, a problem, an idea? A person reads every message.',
  backToApp: 'Back to the app',
  blog: 'Blog',
  pro: 'Pro',
  signOut: 'Sign Out',
  signedInAs: 'Signed in as',
  name: 'Name',
  email: 'Email',
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
    emailInvalid: 'Invalid email address',
    emailLong: 'Email must be less than 255 characters',
    subjectShort: 'Subject must be at least 5 characters',
    subjectLong: 'Subject must be less than 200 characters',
    messageShort: 'Message must be at least 10 characters',
    messageLong: 'Message must be less than 1000 characters',
  },
}

export type ContactTexts = typeof contact
