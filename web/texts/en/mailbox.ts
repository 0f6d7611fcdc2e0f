/** The address card, its toasts, the security strip, hand-off and shortcuts. The specification's English stands to the letter (8.01–8.08). */
export const mailbox = {
  title: 'Your temporary email address',
  generating: 'Generating your address…',
  noAddress: 'No address yet',
  expired: 'Generate a new email to continue',
  copy: 'Copy address',
  copyThis: (p: { email: string }) => `Copy ${p.email}`,
  copied: 'Email copied to clipboard!',
  timeLeft: 'Time left',
  goneAt: (p: { time: string }) => `Gone at ${p.time}. Nothing is kept.`,
  goneTomorrow: (p: { time: string }) => `Gone tomorrow at ${p.time}. Nothing is kept.`,
  warning: 'This email expires soon. Generate a new one to go on receiving.',
  destroying: 'Destroying the address and its mail…',
  destroyed: 'Destroyed. Nothing was kept.',
  generate: 'Generate new',
  remove: 'Delete address',
  deleting: 'Will be deleted in a few seconds',
  other: (p: { email: string }) => `Also open: ${p.email}`,
  switchToOther: 'Switch',
  domain: 'Domain',
  handOff: 'Open on phone',
  shortcuts: 'Keyboard shortcuts',
  minutesLeft: (p: { minutes: number }) => (p.minutes === 1 ? '1 minute left' : `${p.minutes} minutes left`),
  secondsLeft: (p: { seconds: number }) => (p.seconds === 1 ? '1 second left' : `${p.seconds} seconds left`),
  notices: {
    errorTitle: 'Error',
    generateFailed: 'Failed to generate email. Please try again.',
    generated: 'New temporary email generated!',
    activeFor: (p: { seconds: number }) =>
      p.seconds % 3600 === 0
        ? `Your email will be active for ${p.seconds / 3600} ${p.seconds === 3600 ? 'hour' : 'hours'}.`
        : p.seconds % 60 === 0
          ? `Your email will be active for ${p.seconds / 60} ${p.seconds === 60 ? 'minute' : 'minutes'}.`
          : `Your email will be active for ${p.seconds} seconds.`,
    full: 'You have ten addresses',
    fullText: 'That is the most an account can hold. Delete one to make room.',
    copiedTitle: 'Copied',
    copied: 'Email address copied to clipboard.',
    emailDeleted: 'Email address deleted!',
    destroyed: 'Your temporary email has been destroyed. Generate a new one to continue.',
    rateLimitTitle: 'Please wait before generating a new email',
    rateLimit: (p: { seconds: number }) => `Please wait ${p.seconds} seconds before generating another email.`,
    botCheckTitle: 'Security Verification Failed',
    botCheck: {
      script: 'Failed to load reCAPTCHA script',
      token: 'Failed to generate CAPTCHA token. Please try again.',
      verification: 'CAPTCHA verification failed',
    },
    handedOver: 'Same inbox, this device',
    handedOverText: 'The address and its mail are open here too.',
    handOverFailed: 'That inbox is gone',
    handOverFailedText: 'Its time was up before it was opened here.',
    handOverUnreachable: 'The link could not be opened yet',
    handOverUnreachableText: 'The server cannot be reached. The link is kept and tried again by itself.',
    handOverRefused: 'Two addresses are open here already',
    handOverRefusedText: 'Delete one of them, then open the link again.',
    deleting: 'Deleting this address and its mail',
    deleteFailed: 'Could not delete the address. It is still alive. Please try again.',
  },
  security: {
    label: 'Security status',
    remaining: (p: { count: number }) =>
      p.count === 1 ? '1 new address left for the next minutes' : `${p.count} new addresses left for the next minutes`,
    warning: 'New addresses are limited: keep the one you have for now.',
    reached: 'Rate limit reached. Please wait a few minutes before generating more emails.',
    sealed: 'Receive-only and sealed',
    suspicious: 'Unusual activity from this device. Wait a few minutes before the next address.',
  },
}

export type MailboxTexts = typeof mailbox
