import type { ProblemCode } from '#contract/problems.ts'

const UNREACHED = 'Our server does not answer.'
const OFFLINE = 'You are offline.'

/** What toasts about the address say, but for those in core.ts. The browser tests repeat the English word for word. */
export const notices = {
  errorTitle: 'Error',
  generateFailed: 'Failed to generate email. Please try again.',
  /** Said below `generateFailed`. */
  unreached: UNREACHED,
  offline: OFFLINE,
  away: 'One moment, please',
  awayText: 'New addresses cannot be made right now. Yours appears here by itself, as soon as they can.',
  full: 'You have ten addresses',
  fullText: 'That is the most an account can hold. Delete one to make room.',
  emailDeleted: 'Email address deleted!',
  ended: 'The previous address has ended',
  endedText: 'It was destroyed with its mail.',
  replacedElsewhere: 'Another tab has changed the address',
  replacedElsewhereText: 'This one shows the same now.',
  closedElsewhere: 'Another tab has deleted or closed the address',
  notLoaded:
    'No mail can be shown: this page did not load completely. Reload it. If that does not help, something in this browser or its network blocks files of this site.',
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
  handOverFailed: 'This link does not open an inbox',
  handOverFailedText: 'Its time is up, or the link is incomplete.',
  handOverUnreachable: 'The link could not be opened yet',
  handOverUnreachableText: 'The server cannot be reached. The link is kept and tried again by itself.',
  handOverRefused: 'Two addresses are open here already',
  handOverRefusedText: 'Delete one of them, then open the link again.',
  deleteFailed: 'Could not delete the address. It is still alive. Please try again.',
  notifyClosed: 'You can close this page: your browser tells you when mail comes, until the address ends.',
  newMailIn: (p: { email: string }) => `New mail in ${p.email}`,
  notifyOn: 'Notifications on',
  /** For a page whose account was signed out without it. */
  sessionEnded: {
    title: 'You are signed out',
    text: 'The session was ended on another device, or its time was over. Your addresses are there once you sign in.',
    signIn: 'Sign in',
  },
}

export type NoticeTexts = typeof notices

/** The dialogs of the address card; fetched with the first of them. */
export const mailboxDialogs = {
  domain: { label: 'Domain', refused: 'This site refuses it' },
  tabs: 'Your addresses',
  /** An address that nears its end, for an account. */
  keep: {
    line: 'Keep this one',
    lifetime: 'for %proLifetime%',
    title: 'Keep this address',
    hint: 'Your own address, not this one. A link to confirm comes by mail.',
    button: 'Keep it with a passkey',
    working: 'Keeping it…',
    otherwise: 'Password, or sign in',
    close: 'Not now',
    kept: 'Kept',
    keptText: 'This address and its mail stay for %proLifetime%.',
    reminder: (p: { email: string }) => `Kept in this browser. Open the link we sent to ${p.email} to have it in your account.`,
    failed: 'Not kept',
    tooLate: 'The address had ended before it could be kept.',
  },
  receipt: {
    what: (p: { mails: number; codes: number; trackers: number }) =>
      [
        p.mails === 1 ? '1 mail' : `${p.mails} mails`,
        p.codes > 0 && (p.codes === 1 ? '1 code' : `${p.codes} codes`),
        p.trackers > 0 && (p.trackers === 1 ? '1 tracker blocked' : `${p.trackers} trackers blocked`),
      ]
        .filter(Boolean)
        .join(', ')
        .concat('.'),
    when: (p: { time: string }) => `Gone at ${p.time}.`,
    save: 'Save numbers as picture',
  },
  qr: {
    title: 'Open this inbox on your phone',
    text: 'Scan it with the phone’s camera. Address, mail and remaining time are the same on both.',
    otherTitle: 'Open on another device',
    otherText: 'Or scan this with the other device. Address, mail and remaining time are the same on both.',
    secret: 'Whoever has this link or code can read the mail, until the address is gone.',
    alt: 'QR code that opens this inbox',
    copyLink: 'Copy link',
    share: 'Share link',
  },
  keys: {
    title: 'Keyboard shortcuts',
    copy: 'Copy the address',
    generate: 'Generate a new address',
    undo: 'Undo the last change, while its message is shown',
    refresh: 'Refresh the inbox',
    next: 'Next message',
    previous: 'Previous message',
    open: 'Open the message',
    copyCode: 'Copy the newest code',
    close: 'Close what is open',
    help: 'Show this list',
    enabled: 'Use single-key shortcuts',
    or: 'or',
  },
  linkQuestion: {
    title: 'Open the inbox from the link?',
    text: (p: { here: string | undefined; linked: string }) =>
      p.here === undefined
        ? `It is the inbox of ${p.linked}.`
        : `You have ${p.here} open here, and the link opens ${p.linked}. If you open it, yours stays a press away.`,
    sender: 'Whoever sent you this link can read this mail too.',
    openLink: 'Open the inbox from the link',
    own: 'Get a new address of my own',
    stay: 'Stay here',
  },
}

/** What the SMTP server does for the address right now; fetched when a server connects. */
export const delivery = {
  connected: (p: { server: string; encrypted: boolean }) =>
    p.encrypted ? `${p.server} is here with mail for you, encrypted.` : `${p.server} is here with mail for you, not encrypted.`,
  receiving: (p: { server: string; size: string }) => `Receiving ${p.size || 'mail'} from ${p.server}…`,
  disconnected: (p: { server: string }) => `The connection to ${p.server} broke off. Most servers try again in a few minutes.`,
  refused: {
    too_large: (p: { server: string }) => `Refused: the mail from ${p.server} is too large.`,
    mailbox_full: () => 'Refused: this inbox is full. Delete a message to make room.',
    ended: () => 'Refused: this address has just ended.',
    busy: (p: { server: string }) => `${p.server} was asked to try again in a few minutes.`,
    rejected: (p: { server: string }) => `Refused: the mail from ${p.server} could not be taken.`,
    certificate: (p: { server: string }) =>
      `${p.server} tried to hand over mail here and did not trust the certificate. Let it send without TLS, or see the server’s log.`,
    plain_only: (p: { server: string }) => `${p.server} tried to hand over mail here with TLS, which is off for it. Turn it off there too.`,
    handshake: (p: { server: string }) => `${p.server} tried to hand over mail here and TLS failed. The server’s log says why.`,
  },
  aProgram: 'A program near the server',
}

export type DeliveryTexts = typeof delivery

/** What the visitor reads for each failure code of the API, and for no answer at all. Every text names the remedy. */
export const errors = {
  title: 'Error',
  network: `${UNREACHED} Please try again in a moment.`,
  offline: `${OFFLINE} Please try again when the connection is back.`,
  invalid_request: 'Something in this request is not right. Check what you entered and try again.',
  sign_in_required: 'Please sign in to do this.',
  token_required: 'This address is no longer open in this browser.',
  api_token_required: 'This needs an API key.',
  api_token_invalid: 'This API key is not valid here.',
  api_mailboxes_max: 'There are as many live addresses as an API key may have. Delete some to make room.',
  idempotency_key_in_use: 'This is already being worked on. Try again in a moment.',
  idempotency_key_reused: 'This was already used for another request. Reload the page and try again.',
  webhook_target_refused: 'Webhooks cannot be sent to this address.',
  webhooks_max: 'The limit of webhooks is reached. Remove one to make room.',
  push_refused: 'This browser’s notification service is not supported here. Notifications work while the page is open.',
  push_subscriptions_max: 'As many browsers are notified of this address as may be. Turn notifications off in one of them.',
  bot_check_failed: 'CAPTCHA verification failed',
  forbidden: 'This is not allowed from here. Reload the page and try again.',
  not_found: 'There is nothing here. Reload the page and try again.',
  mailbox_not_found: 'This address no longer exists. Generate a new email to continue.',
  message_not_found: 'This message no longer exists.',
  attachment_not_found: 'This attachment no longer exists.',
  link_expired: 'This link has expired. Ask for a new one.',
  method_not_allowed: 'This is not possible here. Reload the page and try again.',
  local_part_taken: 'This name is taken. Choose another.',
  mailboxes_max: 'You have the most addresses an account can hold. Delete one to make room.',
  body_too_large: 'This is too large to send. Shorten it and try again.',
  unsupported_media_type: 'The server cannot read this. Reload the page and try again.',
  local_part_reserved: 'This name cannot be used. Choose another.',
  domain_not_served: 'This domain is not available. Choose another.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  streams_max: 'This inbox is open in too many tabs. Close one and reload.',
  internal: 'Something went wrong on our side. Please try again.',
  unavailable: 'The service is busy. Please try again in a moment.',
  account_exists: 'This email is already registered. Please sign in instead.',
  api_keys_max: 'You have the most API keys an account can hold. Revoke one to make room.',
  passkey_refused:
    'This passkey opens no account here. Sign in with your password. If you have just signed up, open the link in the mail first.',
  passkey_closed: 'No passkey was chosen. Try again, or use a password.',
  passkey_known: 'This device already has a passkey for this account.',
  passkeys_max: 'You have the most passkeys an account can hold. Remove one to make room.',
  passkeys_unavailable: 'Passkeys do not work on this site. Use a password.',
  credentials_wrong: 'Email or password is not right. Check both and try again.',
  proof_required: 'Enter your password again, or use a passkey.',
  email_not_allowed: 'This email cannot be used for an account. Use another.',
  email_not_confirmed: 'Please confirm your email first: we have sent you a link.',
  account_suspended: 'This account is suspended. Please write to us.',
  registration_closed: 'New accounts are not open right now. Please try again another day.',
  network_blocked: 'Your network is blocked here. Please write to us by the contact page.',
  second_factor_required: 'Enter the code of your authenticator app first.',
  second_factor_wrong: 'This code is wrong or was used before. Wait for the next one.',
  storage_full: 'There is no room for this right now. Please try again later.',
} satisfies Record<ProblemCode | 'title' | 'network' | 'offline' | 'passkey_closed' | 'passkey_known', string>

export type ErrorTexts = typeof errors
