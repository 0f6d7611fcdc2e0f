/** Numbers both sides must agree on. The unit stands in the name; the reason beside it. */

export const KIB = 1024
export const MIB = 1024 * KIB

/** How long an anonymous address lives; the server owns the clock. */
export const LIFETIME_SECONDS = 600
/** How long a Pro address lives. */
export const PRO_LIFETIME_SECONDS = 86_400
/** Live addresses one Pro account may hold. */
export const PRO_MAILBOXES_MAX = 10
/** API keys one account may hold: one per place they are used in, with room to spare. */
export const API_KEYS_MAX = 20
/** How long a mailbox made with an API key or API token may live, in seconds; left out, it lives as long as a visitor's. */
export const API_LIFETIME_SECONDS = { min: 10, max: 86_400 } as const
/** Mailboxes one batch makes: a batch is one request, and none of them may keep the others waiting for long. */
export const MAILBOX_BATCH_MAX = 100
/** Mailboxes on one page of the list. */
export const MAILBOX_PAGE = { default: 100, max: 500 } as const
/** Webhooks of one account or API token, and of one mailbox. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 20
export const WEBHOOKS_PER_MAILBOX_MAX = 5
export const API_KEY_NAME_CHARS = { min: 1, max: 60 } as const
/** A Pro local part is refused to others for this long after its last owner. */
export const LOCAL_PART_QUARANTINE_DAYS = 90

/** Countdown turns to the warning state. */
export const WARNING_SECONDS = 30
/** Length of the destroying state. */
export const DESTROYING_MS = 2000
/** Fallback refetch of the inbox. */
export const POLL_MS = 60_000

/** Generation limit, mirrored on the server. */
export const GENERATION_LIMIT = { attempts: 5, windowSeconds: 300 } as const
export const GENERATION_LIMIT_PRO = { attempts: 30, windowSeconds: 300 } as const
/** The other limiters of the specification. */
export const AUTH_LIMIT = { attempts: 5, windowSeconds: 900 } as const
export const API_LIMIT = { attempts: 10, windowSeconds: 60 } as const
export const CAPTCHA_LIMIT = { attempts: 3, windowSeconds: 180 } as const

/** An attachment link is a capability for one attachment for this long. */
export const ATTACHMENT_LINK_SECONDS = 60
/** Attachments that a row of the inbox lists: a list of 100 mails with 999 each took 30 MB. A whole message lists them all. */
export const ROW_ATTACHMENTS_MAX = 20
/** Longest long poll of `GET /api/mailbox/wait`; below the idle time-outs of common proxies (60 s). */
export const WAIT_SECONDS_MAX = 55
/** Event streams one mailbox token may hold: a person has a few tabs and a phone. */
export const STREAMS_PER_MAILBOX_MAX = 6

export const NAME_CHARS = { min: 2, max: 100 } as const
export const EMAIL_CHARS_MAX = 255
export const SUBJECT_CHARS = { min: 5, max: 200 } as const
export const MESSAGE_CHARS = { min: 10, max: 1000 } as const
export const PASSWORD_CHARS = { min: 6, max: 128 } as const
/** RFC 5321 4.5.3.1.1; a chosen local part is shorter so that it stays readable. */
export const LOCAL_PART_CHARS = { min: 3, max: 32 } as const
