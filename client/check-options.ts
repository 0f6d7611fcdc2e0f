/** Checks options once, where a caller passes them in. Apart from their types, which the package ships. */

/** No mailbox lives longer, and timers of days overflow. */
const TIMEOUT_MS_MAX = 86_400_000
const CURSOR = /^\d{1,15}$/

type Check = { readonly wanted: string; readonly holds: (value: unknown) => boolean }

const text: Check = { wanted: 'a string', holds: value => typeof value === 'string' }
/** An empty condition, e.g. of a variable that is not set, would match any mail. */
const someText: Check = { wanted: 'a string that is not empty', holds: value => typeof value === 'string' && value !== '' }
const milliseconds: Check = {
  wanted: `a number of milliseconds from 0 to ${TIMEOUT_MS_MAX}`,
  holds: value => typeof value === 'number' && value >= 0 && value <= TIMEOUT_MS_MAX,
}
const seconds: Check = { wanted: 'a number of seconds', holds: value => typeof value === 'number' && Number.isFinite(value) }
const callable: Check = { wanted: 'a function', holds: value => typeof value === 'function' }
const record: Check = { wanted: 'an object', holds: value => typeof value === 'object' && value !== null }
const signal: Check = { wanted: 'an AbortSignal', holds: value => typeof value === 'object' && value !== null && 'aborted' in value }
const host: Check = {
  wanted: 'the name of a host, e.g. shop.test or localhost:3000',
  holds: value => typeof value === 'string' && /^[^\s/@.][^\s/@]*$/.test(value),
}
const after: Check = { wanted: 'a message, a cursor, a valid Date or an ISO 8601 time', holds: isPointInTime }

function isPointInTime(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  if (typeof value === 'string') return CURSOR.test(value) || (/^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value)))
  return typeof value === 'object' && value !== null && 'cursor' in value && typeof value.cursor === 'string' && CURSOR.test(value.cursor)
}

const filter = { from: someText, envelopeTo: someText, to: someText, subject: someText, body: someText, after }
const patience = { timeoutMs: milliseconds, signal }
const creation = { lifetimeSeconds: seconds, domain: someText, failure: record, ...patience }
const waiting = { ...filter, ...patience }

const CHECKS = {
  'new Mayfly': { url: text, apiKey: text, fetch: callable },
  createMailbox: { ...creation, localPart: someText },
  createMailboxes: creation,
  domains: patience,
  listMailboxes: patience,
  openMailbox: patience,
  listMessages: patience,
  readMessage: patience,
  messages: { after, signal },
  waitForMessage: { ...waiting, match: callable },
  waitForMessages: { ...waiting, match: callable },
  waitForCode: { ...waiting, codePattern: { wanted: 'a regular expression', holds: value => value instanceof RegExp } },
  waitForLink: { ...waiting, host },
  'message.raw': patience,
  'attachment.bytes': patience,
  'message.check': { ...patience, follow: { wanted: 'true or false', holds: value => typeof value === 'boolean' }, fetch: callable },
  expectNoMail: { ...filter, withinMs: milliseconds, signal },
  receiveWebhooks: {
    host: someText,
    port: { wanted: 'a port from 0 to 65535', holds: value => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536 },
    url: someText,
  },
  waitForWebhook: { type: someText, messageId: someText, ...patience },
  start: { home: text, env: record, timeoutMs: milliseconds },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>

/** Throws a `TypeError` that names the option. A misspelt condition would match any mail, and `NaN` as a time-out would never end. */
export function checkOptions(call: keyof typeof CHECKS, options: object): void {
  const checks: Readonly<Record<string, Check>> = CHECKS[call]
  // A regular expression or a Map has no names to check.
  if (Object.prototype.toString.call(options) !== '[object Object]')
    throw new TypeError(`${call}: the options must be a plain object, not ${show(options)}`)
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check) throw new TypeError(`${call} has no option ${JSON.stringify(name)}; it has ${Object.keys(checks).join(', ')}`)
    if (value !== undefined && !check.holds(value)) throw new TypeError(`${call}: ${name} must be ${check.wanted}, not ${show(value)}`)
  }
}

/** For arguments that stand alone. */
export function checkText(call: string, name: string, value: unknown): void {
  if (!someText.holds(value)) throw new TypeError(`${call}: ${name} must be ${someText.wanted}, not ${show(value)}`)
}

/** The id of a message, mailbox or webhook becomes a part of a path. */
export function checkId(call: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) throw new TypeError(`${call}: id must be an id, not ${show(value)}`)
}

/** A key or token without the blanks around it, e.g. the end of its line in a file. No message shows it. */
export function readSecret(call: string, name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${call}: ${name} must be a string, not ${typeof value}`)
  const secret = value.trim()
  if (!/^[!-~]*$/.test(secret)) throw new TypeError(`${call}: ${name} must have no blanks, line breaks or letters beyond ASCII`)
  return secret
}

/** For `count` of `createMailboxes` and `waitForMessages`. */
export function checkCount(call: string, value: unknown): void {
  if (!Number.isInteger(value) || Number(value) < 1)
    throw new TypeError(`${call}: the count must be a whole number from 1, not ${show(value)}`)
}

const show = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
