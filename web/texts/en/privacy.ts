/** A point is a sentence, or a subject and what becomes of it. */
type Section = { title: string; points: (string | [subject: string, fate: string])[] }

/** What is kept and for how long, as docs/privacy.md has it for operators. */
export const privacy = {
  meta: {
    title: 'Privacy: Mayfly',
    description: 'What this service keeps, for how long, and what it never keeps. One page, no small print.',
  },
  heading: 'Privacy',
  runBy: (p: { operator: string }) => `${p.operator} runs this service and answers for it.`,
  sections: [
    {
      title: 'What is kept, and until when',
      points: [
        [
          'Mail to your address',
          'Encrypted to a key that only your browser holds, until you delete it or the address ends. That is ten minutes, or 24 hours with an account.',
        ],
        ['The address itself', 'As a keyed hash, until its end.'],
        [
          'An account',
          'Your email address, your language and a hash of your password, until you delete the account. Networks you signed in from are kept as a hash for 90 days.',
        ],
        [
          'The keys of an account’s addresses',
          'Encrypted under the server’s secret, so that your other devices can open them. Whoever runs the server could open these.',
        ],
        ['What you write in the contact form', 'Readable, until some thousands of later messages have come.'],
      ],
    },
    {
      title: 'What is not kept',
      points: [
        'No network address, no browser name, no log of who read what.',
        'Limits against abuse count requests by network for some minutes, and forget them.',
        'While you wait, the page shows what the mail server sees for your address. It is shown and gone, and never holds content.',
      ],
    },
    {
      title: 'What your browser keeps',
      points: [
        'The key of your address and a few settings, in its own storage.',
        'Two cookies at most: your language, and your session while you are signed in. None is for advertising.',
      ],
    },
    {
      title: 'What others see',
      points: [
        'Whoever sends you mail has it too, and so has their provider.',
        'Notifications are sent only if you ask for them. Your browser’s maker then carries an encrypted note without your address and without anything of the mail, and learns when it was sent.',
        'Remote images are blocked. Showing them, or following a link, tells their server your network address.',
      ],
    },
  ] satisfies Section[],
  recaptcha: 'To tell people from programs this service uses Google reCAPTCHA, which sees your browser and your network address.',
  ask: 'Questions about this page:',
}

export type PrivacyTexts = typeof privacy
