/**
 * Parses what follows EHLO and HELO, and the paths and parameters of MAIL and RCPT (RFC 5321 4.1.2). The line is latin1, one character per
 * byte, so that lengths are octets and nothing is decoded before it is known to be UTF-8 (RFC 6531).
 */
const LOCAL_OCTETS_MAX = 64 // RFC 5321 4.5.3.1.1
const SENDER_LOCAL_OCTETS_MAX = 1024 // VERP senders exceed 64, and the sender is only displayed
const DOMAIN_OCTETS_MAX = 255 // RFC 5321 4.5.3.1.2

/**
 * `<`, an obsolete source route that is dropped (appendix C), local part, domain, `>`, then parameters. A backslash outside quotes is RFC
 * 821.
 */
const PATH = /^ *<(?:@[^<>:\s"]+:)?(?:("(?:[^"\\]|\\.)*"|(?:[^\s<>()[\]:;@\\,"]|\\.)+)(?:@([^\s<>@"\\]+))?)?>(?: +(.*))?$/
const LABELS = /^(?:[\w\x80-\uffff](?:[\w\x80-\uffff-]*[\w\x80-\uffff])?\.)*[\w\x80-\uffff](?:[\w\x80-\uffff-]*[\w\x80-\uffff])?\.?$/
const LITERAL = /^\[[\w.:]+\]$/
const DOT_ATOM = /^[^\s<>()[\]:;@\\,."]+(?:\.[^\s<>()[\]:;@\\,."]+)*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be accepted
const CONTROL = /[\x00-\x1f\x7f]/
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([!-<>-~]+))?$/

type Path = {
  /** `local@domain`, with quotes only where they are needed; without `@` if no domain was given; empty for `<>`. */
  readonly address: string
  /** Not ASCII, so it needs SMTPUTF8. */
  readonly isUtf8: boolean
  /** The text after the path, unchanged. */
  readonly rest: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseSenderPath(argument: string): Path | undefined {
  const text = /^from:(.*)$/is.exec(argument)?.[1]
  return text === undefined ? undefined : parsePath(text, SENDER_LOCAL_OCTETS_MAX)
}

export function parseRecipientPath(argument: string): Path | undefined {
  const text = /^to:(.*)$/is.exec(argument)?.[1]
  return text === undefined ? undefined : parsePath(text, LOCAL_OCTETS_MAX)
}

function parsePath(text: string, localOctetsMax: number): Path | undefined {
  if (CONTROL.test(text)) return undefined
  const [matched, local = '', domain, rest = ''] = PATH.exec(text) ?? []
  if (matched === undefined || local.length > localOctetsMax || (domain?.length ?? 0) > DOMAIN_OCTETS_MAX) return undefined
  if (domain !== undefined && !LABELS.test(domain) && !LITERAL.test(domain)) return undefined
  const address = domain === undefined ? unquoted(local) : `${unquoted(local)}@${domain.replace(/\.$/, '')}`
  return decoded(address, rest)
}

function decoded(address: string, rest: string): Path | undefined {
  if (!/[\x80-\xff]/.test(address)) return { address, isUtf8: false, rest }
  try {
    return { address: utf8.decode(Buffer.from(address, 'latin1')), isUtf8: true, rest }
  } catch {
    return undefined
  }
}

/** `"a.b"` and `a\.b` mean a.b (RFC 5321 4.1.2: quote only where needed). */
function unquoted(local: string): string {
  if (DOT_ATOM.test(local)) return local
  const text = local.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1')
  return text === '' || DOT_ATOM.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** ESMTP parameters by upper-case name. `undefined` if they cannot be parsed or one is repeated. */
export function parseParameters(rest: string): Map<string, string | undefined> | undefined {
  const parameters = new Map<string, string | undefined>()
  for (const word of rest.split(' ').filter(Boolean)) {
    const [, name, value] = PARAMETER.exec(word) ?? []
    if (!name || parameters.has(name.toUpperCase())) return undefined
    parameters.set(name.toUpperCase(), value)
  }
  return parameters
}

export type SenderParameters = {
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
export function parseSenderParameters(rest: string): SenderParameters | 'bad_argument' | 'unknown_parameter' {
  const parameters = parseParameters(rest)
  if (!parameters) return 'bad_argument'
  for (const [name, value] of parameters) {
    const allowed = SENDER_PARAMETERS.get(name)
    if (!allowed) return 'unknown_parameter'
    if (!allowed.test(value ?? '')) return 'bad_argument'
  }
  return { isUtf8: parameters.has('SMTPUTF8'), declaredBytes: Number(parameters.get('SIZE') ?? 0) }
}

/** `<postmaster>` alone is an address (RFC 5321 4.5.1); any other needs its domain. */
export function withDomain(address: string, domain: string): string | undefined {
  if (address.includes('@')) return address
  return address.toLowerCase() === 'postmaster' ? `${address}@${domain}` : undefined
}

const HELLO_OCTETS_MAX = 255

/**
 * The name that a client gives itself, safe to store: printable ASCII, at most 255 octets. It proves nothing. `undefined` if it is missing
 * or has control characters. Nothing else is refused: real senders use underscores and worse.
 */
export function parseHello(argument: string): string | undefined {
  const name = argument.replace(/[^!-~]/g, '').slice(0, HELLO_OCTETS_MAX)
  return name && !CONTROL.test(argument) ? name : undefined
}
