import { lifetimeIn } from '#contract/limits.ts'

/** Title and description of the home page. Other pages have theirs beside their texts. */
export const meta = {
  home: {
    title: 'Mayfly: temporary email that lives %lifetime%',
    description:
      'A free, anonymous email address, ready at once. Receive mail and attachments for %lifetime%, then address and messages are destroyed. No registration.',
  },
}

/** The header, and what every page shares. */
export const layout = {
  skip: 'Skip to content',
  blog: 'Blog',
  contact: 'Contact',
  pro: 'Pro',
  account: 'Account',
  mainNavigation: 'Main',
  language: 'Language',
  back: 'Back to the app',
  close: 'Close',
  dismiss: 'Dismiss',
  undo: 'Undo',
  copy: 'Copy',
  copied: 'Copied',
  notifications: 'Notifications',
  offline: 'You are offline. What is on the screen stays; new mail appears when the connection is back.',
  partFailed: {
    text: 'This part did not load. Your address and its mail are kept.',
    retry: 'Try again',
  },
  pageFailed: {
    title: 'This page did not load',
    text: 'The connection broke off, or Mayfly has just been updated. Reload the page: your address and its mail are kept.',
    reload: 'Reload',
  },
}

/** The address card and the security strip. The browser tests repeat the English word for word. */
export const mailbox = {
  title: 'Your temporary email address',
  generating: 'Generating your address…',
  noAddress: 'No address yet',
  expired: 'Generate a new email to continue',
  copy: 'Copy address',
  copyThis: (p: { email: string }) => `Copy ${p.email}`,
  addressClicked: 'Email copied to clipboard!',
  timeLeft: 'Time left',
  goneAt: (p: { time: string }) => `Gone at ${p.time}, with all its mail.`,
  /** `day`: "tomorrow", "in 7 days". */
  goneLater: (p: { day: string; time: string }) => `Gone ${p.day} at ${p.time}, with all its mail.`,
  warning: 'Expires soon. Copy what you need or generate a new one.',
  destroying: 'Destroying the address and its mail…',
  destroyed: (p: { time: string }) => `Gone at ${p.time}. Nothing was kept.`,
  gone: 'Gone',
  generate: 'Generate new',
  another: 'Add a second',
  anotherHint: 'A second address, beside this one',
  delete: 'Delete address',
  deleting: 'Will be deleted in a few seconds',
  handOff: 'Open on phone',
  share: 'Share',
  shortcuts: 'Keyboard shortcuts',
  minutesLeft: (p: { minutes: number }) => `${count(p.minutes, 'minute')} left`,
  secondsLeft: (p: { seconds: number }) => `${count(p.seconds, 'second')} left`,
  /** What is said at once. The other notices are in mailbox.ts. */
  notices: {
    generated: 'New temporary email generated!',
    activeFor: (p: { seconds: number }) => `Your email will be active for ${lifetimeIn('en', p.seconds)}.`,
    copiedTitle: 'Copied',
    copied: 'Email address copied to clipboard.',
    deleting: 'Deleting this address',
  },
  security: {
    label: 'Security status',
    remaining: (p: { count: number }) => `${p.count} new ${p.count === 1 ? 'address' : 'addresses'} left`,
    warning: 'New addresses are limited: keep the one you have for now.',
    full: 'Delete an address to make room',
    reached: 'Rate limit reached. Please wait a few minutes before generating more emails.',
    sealed: 'Receive-only, encrypted',
  },
}

/** The list of messages and how fresh it is. */
export const inbox = {
  title: 'Inbox',
  loading: 'Loading the inbox',
  empty: 'Nothing has arrived yet.',
  kept: 'Mail that has already arrived is kept. It appears here when the server can be reached.',
  emptyWithout: 'Once you have an address, its mail appears here.',
  refresh: 'Refresh',
  nothingNew: 'Nothing new',
  notify: 'Notify me',
  tone: 'Sound',
  notifyOn: 'Notifications on',
  notifyBlocked: 'Notifications are blocked',
  notifyUnblock: 'Allow them for this site in the browser’s settings, then press the bell again.',
  state: {
    connecting: 'Connecting',
    live: 'Live',
    reconnecting: 'Reconnecting',
    polling: 'Checking every minute',
    away: 'No answer',
    offline: 'Offline',
  },
  away: {
    text: 'Our server does not answer. Mail to you is usually retried by its sender.',
    again: (p: { seconds: number }) => `Trying again in ${p.seconds} s`,
    trying: 'Trying again…',
    retry: 'Try now',
  },
  unread: 'Unread',
  /** How long ago a mail came. */
  ago: { now: 'now', minutes: (p: { minutes: number }) => `${p.minutes} min` },
  noSubject: '(no subject)',
  noSender: 'Unknown sender',
  noPreview: 'No preview available',
  attachmentsAndMore: (p: { count: number; more: number }) => `${p.count} attachments and ${p.more} more`,
  attachments: (p: { count: number }) => (p.count === 1 ? '1 attachment' : `${p.count} attachments`),
  copyThisCode: 'Copy code',
  openLink: 'Open link',
  copied: 'Copied',
  codeCopied: 'Code copied to clipboard.',
  delete: 'Delete message',
  /** The part before the @ of an address with a tag, e.g. `name+orders`. */
  forTag: (p: { name: string }) => `for ${p.name}`,
  checkSender: (p: { domain: string }) => `Check the sender: ${p.domain}`,
  deleting: 'This address is being deleted, so its mail does not open. Undo keeps both.',
  deleted: 'Deleting this message',
  sendersUnchecked: 'Senders cannot be checked here right now.',
  deleteFailed: 'Not deleted. Please try again.',
  open: (p: { subject: string; sender: string }) => `Open “${p.subject}” from ${p.sender}`,
  arrived: (p: { sender: string; subject: string }) => `New mail from ${p.sender}: ${p.subject}`,
  arrivedMany: (p: { count: number }) => `${p.count} new messages`,
  newMails: (p: { count: number }) => (p.count === 1 ? '1 new message' : `${p.count} new messages`),
  notificationTitle: (p: { sender: string }) => `Mail from ${p.sender}`,
}

export type MailboxTexts = typeof mailbox
export type InboxTexts = typeof inbox

const homeFile = () => import('./home.ts')
const mailboxFile = () => import('./mailbox.ts')
const messageFile = () => import('./message.ts')
const accountFile = () => import('./account.ts')
const operatorFile = () => import('./operator.ts')
const siteFile = () => import('./site.ts')
const blogFile = () => import('./blog.ts')
const legalFile = () => import('./legal.ts')

/** The file of each area that not every page shows. Those that are needed together share one. */
export const lazyAreas = {
  home: homeFile,
  homeSections: homeFile,
  errors: mailboxFile,
  notices: mailboxFile,
  mailboxDialogs: mailboxFile,
  delivery: mailboxFile,
  message: messageFile,
  auth: accountFile,
  account: accountFile,
  operator: operatorFile,
  report: siteFile,
  contact: siteFile,
  blog: blogFile,
  preview: siteFile,
  extension: siteFile,
  footer: siteFile,
  notFound: siteFile,
  privacy: legalFile,
  terms: legalFile,
}

const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`
