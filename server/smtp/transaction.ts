import { domainToASCII } from 'node:url'
import type { Recipient } from '#server/mail/mail-core.ts'
import { parseParameters } from './path.ts'

type SenderParameters = {
  readonly isUtf8: boolean
  /** From SIZE (RFC 1870); 0 if not declared. */
  readonly declaredBytes: number
}

/** Values that each MAIL parameter may have. AUTH is ignored: senders that log in elsewhere add it out of habit. */
const SENDER_PARAMETERS = new Map<string, RegExp>([
  ['SIZE', /^\d{1,20}$/],
  ['BODY', /^(?:7BIT|8BITMIME)$/i],
  ['SMTPUTF8', /^$/],
  ['AUTH', /^.+$/],
])

/** The parameters, or the reply that refuses them. */
export function readSenderParameters(rest: string): SenderParameters | 'bad_argument' | 'unknown_parameter' {
  const parameters = parseParameters(rest)
  if (!parameters) return 'bad_argument'
  for (const [name, value] of parameters) {
    const allowed = SENDER_PARAMETERS.get(name)
    if (!allowed) return 'unknown_parameter'
    if (!allowed.test(value ?? '')) return 'bad_argument'
  }
  return { isUtf8: parameters.has('SMTPUTF8'), declaredBytes: Number(parameters.get('SIZE') ?? 0) }
}

/** The envelope between MAIL and the final dot. */
export class Transaction implements SenderParameters {
  readonly from: string
  readonly isUtf8: boolean
  readonly declaredBytes: number
  readonly #recipients = new Map<string, Recipient>()
  #hasRefused = false

  constructor(from: string, parameters: SenderParameters) {
    this.from = from
    this.isUtf8 = parameters.isUtf8
    this.declaredBytes = parameters.declaredBytes
  }

  get recipients(): Recipient[] {
    return [...this.#recipients.values()]
  }

  get recipientCount(): number {
    return this.#recipients.size
  }

  get hasRefused(): boolean {
    return this.#hasRefused
  }

  has(recipient: string): boolean {
    return this.#recipients.has(dedupeKey(recipient))
  }

  add(recipient: Recipient): void {
    this.#recipients.set(dedupeKey(recipient.address), recipient)
  }

  refuse(): void {
    this.#hasRefused = true
  }
}

/** The same recipient in another letter case, or with its domain in Unicode, still gets one copy. */
function dedupeKey(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  const domain = recipient.slice(at + 1).toLowerCase()
  return `${recipient.slice(0, at).toLowerCase()}@${ASCII.test(domain) ? domain : domainToASCII(domain)}`
}

const ASCII = /^[ -~]*$/
