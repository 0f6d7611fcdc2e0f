import privacySections from '../../../content/legal/en/privacy.md'
import termsSections from '../../../content/legal/en/terms.md'

/** A point is a sentence, or a subject and its retention, in which `{contactPeriod}` stands for the text of that name. */
export type LegalSection = { title: string; points: (string | [subject: string, retention: string])[] }

/** What is kept and for how long, as docs/privacy.md has it for operators. */
export const privacy = {
  meta: {
    title: 'Privacy: Mayfly',
    description: 'What this service keeps, for how long, and what it never keeps. One page in plain words.',
  },
  heading: 'Privacy',
  runBy: (p: { operator: string }) => `${p.operator} runs this service and answers for it.`,
  unnamed: 'What is kept, for how long, and who can see it. Questions:',
  sections: privacySections,
  /** Until when messages to the operator are kept; `days` is unknown in the prerendered page. */
  contactPeriod: ({ days }: { days: number | undefined }) => {
    if (days === undefined) return 'for a limited time'
    return days === 365 ? 'for a year at most' : `for ${days} days at most`
  },
  /** "On this device": what the page keeps in this browser, shown by the browser itself. */
  device: {
    title: 'On this device',
    lead: 'This is what the site keeps in this browser now. Your browser reads it for you: it was not sent to us to show it here.',
    none: 'Nothing',
    stored: 'Kept',
    address: 'Your address',
    addressPurpose: 'With its key, so that a reload and other tabs show the same inbox.',
    wanted: 'Address to keep',
    wantedPurpose: 'Which address you asked to keep, until you have signed in or up.',
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
  sections: termsSections,
  changed: 'Last changed on 22 November 2026.',
  ask: 'Questions, or abuse to report:',
}
