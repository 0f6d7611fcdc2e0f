/** Limits that clients meet: in schemas of requests and replies, or shown by the page. Those of one side alone are where they are used. */
import type { Language } from './languages.ts'

export const KIB = 1024
export const MIB = 1024 * KIB
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** The longest that timers wait; one for more fires at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1

/** Largest message unless MESSAGE_BYTES_MAX says otherwise: what Gmail and Outlook send at most. Attachments have no limit of their own. */
export const MESSAGE_BYTES_MAX = 25 * MIB
/** The largest value that an operator can give to that limit. */
export const MESSAGE_BYTES_CEILING = 100 * MIB

/** How long an anonymous address lives unless the variable LIFETIME_SECONDS says otherwise, by the server's clock. */
export const LIFETIME_SECONDS = 600
/** Messages that an address holds unless MAILBOX_MESSAGES_MAX says otherwise. */
export const MAILBOX_MESSAGES_MAX = 100
/** The words in which prose writes the number of the default lifetime. */
const TEN = { en: 'ten', es: 'diez' } as const
const TIME_UNITS = { en: ['day', 'hour', 'minute', 'second'], es: ['día', 'hora', 'minuto', 'segundo'] } as const
const UNIT_SECONDS = [86_400, 3600, 60, 1] as const

/** A lifetime in the largest unit that fits: `90 minutes`, `1 hora`. A single day is `24 hours`, as everywhere on the site. */
export function lifetimeIn(language: Language, seconds: number): string {
  const unit = UNIT_SECONDS.findIndex((length, index) => seconds % length === 0 && (index > 0 || seconds > length))
  const count = seconds / (UNIT_SECONDS[unit] ?? 1)
  return `${count} ${TIME_UNITS[language][unit]}${count === 1 ? '' : 's'}`
}

/** What texts say of the lifetime of a visitor's address, and of a Pro address. */
export function lifetimeTexts(language: Language, seconds: number): Record<string, string> {
  const lifetimeInDigits = lifetimeIn(language, seconds)
  const proLifetime = lifetimeIn(language, PRO_LIFETIME_SECONDS)
  return { lifetimeInDigits, lifetime: lifetimeInDigits.replace(/^10\b/, TEN[language]), proLifetime }
}

/** Puts a deployment's limits into a text: `%lifetime%` becomes `ten minutes`. Server and browser do it with pages, texts and articles. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/%(\w+)%/g, (placeholder, name) => values[name] ?? placeholder)
}

/** From then on clients show that the address ends. */
export const WARNING_SECONDS = 30
/** How long a Pro address lives, `%proLifetime%` in texts. */
export const PRO_LIFETIME_SECONDS = 86_400
/** Addresses that one device may create in a window, as the page counts. limits.test.ts names the texts that say so. */
export const NEW_ADDRESSES = { max: 5, windowSeconds: 300 } as const
/** The same for one network, as the server counts. */
export const NEW_ADDRESSES_PER_NETWORK = { ...NEW_ADDRESSES } as const
export const NEW_ADDRESSES_PRO = { max: 30, windowSeconds: 300 } as const
export const PRO_MAILBOXES_MAX = 10
/** Lifetime that an API key or API token may ask for; without one, the mailbox lives as long as a visitor's. */
export const API_LIFETIME_SECONDS = { min: 10, max: 86_400 } as const
/** Mailboxes created by one batch. A batch is one request, and no request may delay the others for long. */
export const MAILBOX_BATCH_MAX = 100
export const MAILBOX_PAGE = { default: 100, max: 500 } as const
/** The URLs of today's push services have 200 to 700. */
export const PUSH_ENDPOINT_CHARS_MAX = 2000
export const API_KEY_NAME_CHARS = { min: 1, max: 60 } as const

/** Attachments listed in a row of the inbox: all of them, 100 mails with 999 each, took 30 MB. A whole message lists them all. */
export const ROW_ATTACHMENTS_MAX = 20
/** Longest long poll of `GET /api/mailbox/wait`; below the idle time-outs of common proxies (60 s). */
export const WAIT_SECONDS_MAX = 55

/** Multiplies the work that a visitor's browser does before it gets an address. */
export const DIFFICULTY = { min: 1, max: 16 } as const
/** The operator's message on every page, in each language. */
export const NOTICE_CHARS_MAX = 500

export const NAME_CHARS = { min: 2, max: 100 } as const
export const EMAIL_CHARS_MAX = 255
export const CONTACT_SUBJECT_CHARS = { min: 5, max: 200 } as const
export const CONTACT_MESSAGE_CHARS = { min: 10, max: 1000 } as const
export const PASSWORD_CHARS = { min: 6, max: 128 } as const
/** RFC 5321 4.5.3.1.1; a chosen local part is shorter so that it stays readable. */
export const LOCAL_PART_CHARS = { min: 3, max: 32 } as const
/** Limits of an address that fails on purpose. Libraries wait less for a reply than the two minutes of RFC 5321 4.5.3.2. */
export const PLANNED_FAILURE_MAX = { delaySeconds: 60, attempts: 1000 } as const
