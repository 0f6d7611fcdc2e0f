/** Titles and descriptions for the tab, search engines and previews of shared links. A page that is not here has its own in the file of its texts. */
export const meta = {
  home: {
    title: 'Mayfly: temporary email that lives ten minutes',
    description:
      'A free, anonymous email address, ready at once. Receive mail and attachments for ten minutes, then address and messages are destroyed. No registration.',
  },
  auth: {
    title: 'Sign in or sign up: Mayfly Pro',
    description:
      'A Pro account keeps addresses for 24 hours, holds ten at once and lets you choose their names. Email and password are all it takes.',
  },
  contact: {
    title: 'Contact: Mayfly',
    description: 'Questions, problems or ideas about Mayfly? Write to us. A person reads every message.',
  },
  blog: {
    title: 'Blog: privacy and security, explained: Mayfly',
    description: 'Plain articles on temporary email, spam, phishing and keeping your inbox your own.',
  },
  notFound: {
    title: 'Page not found: Mayfly',
    description: 'This page does not exist.',
  },
  keywords: 'temporary email, disposable email, throwaway email, temp mail, anonymous email, 10 minute mail',
  socialAlt: 'A mayfly in thin lines over still water at dusk',
}

export type MetaTexts = typeof meta
