/** Numbers that server and browser share. */

export const KIB = 1024
export const MIB = 1024 * KIB

/** Largest message unless MESSAGE_BYTES_MAX says otherwise: what Gmail and Outlook send at most. Attachments have no limit of their own. */
export const MESSAGE_BYTES_MAX = 25 * MIB
/** The largest value that an operator can give to that limit. */
export const MESSAGE_BYTES_CEILING = 100 * MIB

/** How long an anonymous address lives, by the server's clock. */
export const LIFETIME_SECONDS = 600
/** How long a Pro address lives. */
export const PRO_LIFETIME_SECONDS = 86_400
/** Live addresses of one Pro account. */
export const PRO_MAILBOXES_MAX = 10
/** API keys of one account: one for each place where they are used, and some to spare. */
export const API_KEYS_MAX = 20
/** Lifetime that an API key or API token may ask for; without one, the mailbox lives as long as a visitor's. */
export const API_LIFETIME_SECONDS = { min: 10, max: 86_400 } as const
/** Mailboxes created by one batch. A batch is one request, and no request may delay the others for long. */
export const MAILBOX_BATCH_MAX = 100
/** Mailboxes on one page of a list. */
export const MAILBOX_PAGE = { default: 100, max: 500 } as const
/** Webhooks of one account or API token, and of one mailbox. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 20
export const WEBHOOKS_PER_MAILBOX_MAX = 5
/** Browsers that one mailbox notifies. */
export const PUSH_SUBSCRIPTIONS_MAX = 5
/** Those of today's push services have 200 to 700. */
export const PUSH_ENDPOINT_CHARS_MAX = 2000
export const API_KEY_NAME_CHARS = { min: 1, max: 60 } as const
/** A Pro local part is refused to others for this long after its last owner. */
export const LOCAL_PART_QUARANTINE_DAYS = 90

/** Seconds left when the countdown changes to its warning state. */
export const WARNING_SECONDS = 30
/** How long the page shows that the address is being destroyed. */
export const DESTROYING_MS = 2000
/** How often the page refetches the inbox, in case the event stream missed something. */
export const POLL_MS = 60_000

/** New addresses: counted by the browser, and by the server for each network (for each account with Pro). */
export const GENERATION_LIMIT = { attempts: 5, windowSeconds: 300 } as const
export const GENERATION_LIMIT_PRO = { attempts: 30, windowSeconds: 300 } as const
/** Account forms; writes that need no token (contact form, reports, blog views); failed bot checks. */
export const AUTH_LIMIT = { attempts: 5, windowSeconds: 900 } as const
export const PUBLIC_WRITE_LIMIT = { attempts: 10, windowSeconds: 60 } as const
export const BOT_CHECK_FAILURE_LIMIT = { attempts: 3, windowSeconds: 180 } as const

/** How long a link to one attachment works. */
export const ATTACHMENT_LINK_SECONDS = 60
/** Attachments listed in a row of the inbox: without a limit, a list of 100 mails with 999 attachments each took 30 MB. A whole message lists them all. */
export const ROW_ATTACHMENTS_MAX = 20
/** Longest long poll of `GET /api/mailbox/wait`; below the idle time-outs of common proxies (60 s). */
export const WAIT_SECONDS_MAX = 55
/** Event streams open with one mailbox token: a person has a few tabs and a phone. */
export const STREAMS_PER_MAILBOX_MAX = 6

export const NAME_CHARS = { min: 2, max: 100 } as const
export const EMAIL_CHARS_MAX = 255
/** At most 64 characters before the @ (RFC 5321 4.5.3.1.1). */
export const EMAIL_LOCAL_PART = /^[^@]{1,64}@/
const CONTROLS = '\\u007f-\\u009f'
/** Without control characters and line separators; the second allows tabs and line breaks. What they exclude reads the same in every language. */
export const ONE_LINE = new RegExp(`^[^\\u0000-\\u001f${CONTROLS}\\u2028\\u2029]*$`)
export const LINES = new RegExp(`^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${CONTROLS}]*$`)
export const CONTACT_SUBJECT_CHARS = { min: 5, max: 200 } as const
export const CONTACT_MESSAGE_CHARS = { min: 10, max: 1000 } as const
export const PASSWORD_CHARS = { min: 6, max: 128 } as const
/** RFC 5321 4.5.3.1.1; a chosen local part is shorter so that it stays readable. */
export const LOCAL_PART_CHARS = { min: 3, max: 32 } as const
