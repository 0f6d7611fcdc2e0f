/** What is stored of a subject and for how long. `contactDays` is unknown in the prerendered page. */
type Retention = string | ((p: { contactDays: number | undefined }) => string)
/** A part of the privacy page or of the terms. A point is a sentence, or a subject and its retention. */
export type LegalSection = { title: string; points: (string | [subject: string, retention: Retention])[] }

function period(days: number | undefined): string {
  if (days === undefined) return 'for a limited time'
  return days === 365 ? 'for a year at most' : `for ${days} days at most`
}

/** What is kept and for how long, as docs/privacy.md has it for operators. */
export const privacy = {
  meta: {
    title: 'Privacy: Mayfly',
    description: 'What this service keeps, for how long, and what it never keeps. One page in plain words.',
  },
  heading: 'Privacy',
  runBy: (p: { operator: string }) => `${p.operator} runs this service and answers for it.`,
  unnamed: 'What is kept, for how long, and who can see it. Questions:',
  sections: [
    {
      title: 'In short',
      points: [
        'Without an account you give us nothing about yourself, and only the key in your browser opens your stored mail.',
        'After %lifetime% the address and its mail are destroyed. Nobody can bring them back.',
        'No advertising, no tracking, and no log of who read what.',
      ],
    },
    {
      title: 'What is kept, and until when',
      points: [
        [
          'Mail, without an account',
          'Encrypted for a key that is in your browser, and on devices on which you open the inbox by its link or QR code. We keep no copy of the key. Kept until you delete the message, or for %lifetime% at most.',
        ],
        [
          'Mail, with a Pro account',
          'Encrypted too, but our server keeps the key, itself encrypted, so that all your devices can open it. So we could technically open this mail, and that of an address which you got without an account and then kept. Kept until you delete the message, or for %proLifetime% at most.',
        ],
        [
          'The address',
          'Encrypted like its mail, and as a fingerprint that cannot be turned back into the address. Kept until its time is up. A name that you chose stays reserved as a fingerprint for 90 days more.',
        ],
        ['Numbers', 'Size and time of each message can be read without a key, until the message is removed.'],
        [
          'An account',
          'Your email address and language as they are; your password, API keys and the networks you sign in from only as fingerprints. Kept until you delete the account; networks for 90 days after you last used them.',
        ],
        [
          'Your messages to us',
          p =>
            `What you send by the contact form or as a report of abuse is kept ${period(p.contactDays)}. A copy may go to the mailbox of whoever runs this site.`,
        ],
      ],
    },
    {
      title: 'What is not kept',
      points: [
        'Your IP address, the name of your browser, and what you read.',
        'To stop abuse we count requests from each network for some minutes, for a day at most, and then forget them. A network that we block stays on a list until we remove it.',
        'While you wait, the page shows what the mail server does for your address: never what a message says, and it is stored nowhere.',
      ],
    },
    {
      title: 'What your browser keeps',
      points: [
        'The key of your address, your settings, and how many addresses you created recently: in its own storage.',
        'Two cookies at most: your language, and your session while you are signed in. None is for advertising.',
      ],
    },
    {
      title: 'What others see',
      points: [
        'Whoever sends you mail has it too, and so have their provider and the networks between. Our server sees a message unencrypted only while it arrives and while you open it.',
        'Notifications are sent only if you ask for them. The maker of your browser passes on an encrypted note, without your address and without anything of the message, and learns when it was sent.',
        'Remote images are blocked. Showing them, or following a link, tells that server your IP address and that you opened the message.',
      ],
    },
  ] as LegalSection[],
  /** "On this device": what the page keeps in this browser, shown by the browser itself. */
  device: {
    title: 'On this device',
    lead: 'This is what the site keeps in this browser now. Your browser reads it for you: it was not sent to us to show it here.',
    none: 'Nothing',
    stored: 'Kept',
    address: 'Your address',
    addressPurpose: 'With its key, so that a reload and other tabs show the same inbox.',
    deletions: 'Deleted addresses',
    deletionsPurpose: 'Their keys, until our server can be reached and deletes them too.',
    settings: 'Your settings',
    settingsPurpose: 'So that you choose only once.',
    settingNames: {
      language: 'language',
      domain: 'domain of new addresses',
      notifications: 'notifications',
      shortcuts: 'keyboard shortcuts',
      mailView: 'how mail is shown',
      pictures: 'senders whose images are shown',
    },
    attempts: 'New addresses',
    attemptsPurpose: 'Counted for five minutes, so that the page can say when the limit is near.',
    attemptsUsed: (p: { count: number }) => (p.count === 1 ? '1 in the last five minutes' : `${p.count} in the last five minutes`),
    readMarks: 'Read messages',
    readMarksPurpose: 'Which messages you have opened, so that the others stand out.',
    account: 'Your account',
    accountPurpose:
      'Your email while you are signed in, for the head of each page. The session itself is a cookie: signing out removes it.',
    security: 'Security log',
    securityPurpose: 'The last 100 bot checks and limits, so that the page notices unusual activity.',
    lastHour: (p: { captcha_success: number; captcha_failure: number; rate_limit_hit: number }) =>
      `In the last hour: ${p.captcha_success} checks passed, ${p.captcha_failure} failed, limit reached ${p.rate_limit_hit} ${p.rate_limit_hit === 1 ? 'time' : 'times'}`,
    events: 'The ten most recent events',
    eventNames: {
      captcha_success: 'Bot check passed',
      captcha_failure: 'Bot check failed',
      rate_limit_hit: 'Limit of new addresses reached',
    },
    score: (p: { score: number }) => `score ${p.score}`,
    clear: 'Clear all of this',
    clearNow: 'Clear it now',
    keep: 'Keep it',
    confirm: (p: { emails: string }) =>
      `This browser will forget the key of ${p.emails}. Without an account nobody can open its mail again.`,
    cleared: 'Cleared. Nothing of this is kept here now.',
  },
  recaptcha: 'To tell people from programs this service uses Google reCAPTCHA, which sees your browser and your IP address.',
  changed: 'Last changed on 29 November 2026.',
  ask: 'Questions about this page:',
}

export const terms = {
  meta: {
    title: 'Terms: Mayfly',
    description: 'What this service does, what it does not promise, and what it is not for.',
  },
  heading: 'Terms',
  runBy: (p: { operator: string }) => `${p.operator} runs this service. By using it you agree to this page.`,
  unnamed: 'By using this site you agree to these terms. Questions:',
  sections: [
    {
      title: 'What you get',
      points: [
        'An address that receives mail for %lifetime%, or for %proLifetime% with an account. It cannot send.',
        'It is free, and it comes as it is: nobody promises that every message arrives or that the service is always there.',
        'What has ended is gone. Nobody can bring an address or its mail back, us included.',
      ],
    },
    {
      title: 'What it is not for',
      points: [
        'Nothing you need to get back into later: not your bank, not a public office, not an account you want to keep.',
        'Nothing unlawful: no fraud, no harassment, no getting around a ban.',
        'No load beyond the limits shown. Scripts and tests have an API with limits of its own.',
      ],
    },
    {
      title: 'The mail you receive',
      points: [
        'It comes from strangers. Nobody here reads it or searches it for viruses: open attachments with care.',
        'Whoever holds the link or the QR code of your inbox can read it.',
      ],
    },
    {
      title: 'If something is wrong',
      points: [
        'Addresses and networks that are abused are blocked.',
        'The program behind this site is free software under the MIT licence. Whoever runs this site is responsible for it, not the authors of the program.',
      ],
    },
  ] as LegalSection[],
  changed: 'Last changed on 22 November 2026.',
  ask: 'Questions, or abuse to report:',
}
