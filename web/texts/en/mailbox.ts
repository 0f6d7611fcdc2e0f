const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

/** The address card and the security strip. The English of the specification is kept word for word. */
export const mailbox = {
  title: 'Your temporary email address',
  generating: 'Generating your address…',
  noAddress: 'No address yet',
  expired: 'Generate a new email to continue',
  copy: 'Copy address',
  copyThis: (p: { email: string }) => `Copy ${p.email}`,
  copied: 'Email copied to clipboard!',
  timeLeft: 'Time left',
  goneAt: (p: { time: string }) => `Gone at ${p.time}, with all its mail.`,
  goneTomorrow: (p: { time: string }) => `Gone tomorrow at ${p.time}, with all its mail.`,
  warning: 'Expires soon. Copy what you need or generate a new one.',
  destroying: 'Destroying the address and its mail…',
  destroyed: 'Gone. Nothing was kept.',
  gone: 'Gone',
  generate: 'Generate new',
  nextIn: (p: { time: string }) => `Next new address in ${p.time}`,
  afterwards: 'The next one takes a second.',
  remove: 'Delete address',
  deleting: 'Will be deleted in a few seconds',
  other: (p: { email: string }) => `Also open: ${p.email}`,
  switchToOther: 'Switch',
  domain: 'Domain',
  handOff: 'Open on phone',
  shortcuts: 'Keyboard shortcuts',
  minutesLeft: (p: { minutes: number }) => `${count(p.minutes, 'minute')} left`,
  secondsLeft: (p: { seconds: number }) => `${count(p.seconds, 'second')} left`,
  /** What is said at once. The other notices are in notices.ts. */
  notices: {
    generated: 'New temporary email generated!',
    generatedBrief: 'New address',
    activeFor: ({ seconds }: { seconds: number }) =>
      `Your email will be active for ${seconds % 60 ? count(seconds, 'second') : seconds % 3600 ? count(seconds / 60, 'minute') : count(seconds / 3600, 'hour')}.`,
    copiedTitle: 'Copied',
    copied: 'Email address copied to clipboard.',
    deleting: 'Deleting this address',
  },
  security: {
    label: 'Security status',
    remaining: (p: { count: number }) => `${p.count} new ${p.count === 1 ? 'address' : 'addresses'} left`,
    warning: 'New addresses are limited: keep the one you have for now.',
    reached: 'Rate limit reached. Please wait a few minutes before generating more emails.',
    sealed: 'Receive-only, encrypted',
    suspicious: 'Unusual activity from this device. Wait a few minutes before the next address.',
  },
}

export type MailboxTexts = typeof mailbox
