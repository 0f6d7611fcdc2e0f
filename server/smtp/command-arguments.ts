/**
 * Parses what follows EHLO and HELO, and the paths and parameters of MAIL and RCPT (RFC 5321 4.1.2). The line is latin1, one character per
 * byte, so that lengths are octets and nothing is decoded before it is known to be UTF-8 (RFC 6531).
 */
import type { PathFault } from '#server/errors.ts'

const LOCAL_OCTETS_MAX = 64 // RFC 5321 4.5.3.1.1
const SENDER_LOCAL_OCTETS_MAX = 1024 // VERP senders exceed 64, and the sender is only displayed
const DOMAIN_OCTETS_MAX = 255 // RFC 5321 4.5.3.1.2

const LOCAL_PART = String.raw`"(?:[^"\\]|\\.)*"|(?:[^\s<>()[\]:;@\\,"]|\\.)+`
const DOMAIN = String.raw`[^\s<>@"\\]+`
/** In brackets: an obsolete source route that is dropped (appendix C), local part, domain. A backslash outside quotes is RFC 821. */
const IN_BRACKETS = new RegExp(String.raw`^<(?:@[^<>:\s"]+:)?(?:(${LOCAL_PART})(?:@(${DOMAIN}))?)? *>(?: +(.*))?$`)
/** Printers and controllers write it so; other servers take it, too. */
const WITHOUT_BRACKETS = new RegExp(`^(?:(postmaster)|(${LOCAL_PART})@(${DOMAIN}))(?: +(.*))?$`, 'i')
const LABELS = /^(?:[\w\x80-\uffff](?:[\w\x80-\uffff-]*[\w\x80-\uffff])?\.)*[\w\x80-\uffff](?:[\w\x80-\uffff-]*[\w\x80-\uffff])?\.?$/
const LITERAL = /^\[[\w.:]+\]$/
const DOT_ATOM = /^[^\s<>()[\]:;@\\,."]+(?:\.[^\s<>()[\]:;@\\,."]+)*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be accepted
const CONTROL = /[\x00-\x1f\x7f]/
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([!-<>-~]+))?$/

type Path = {
  /** `local@domain`, with quotes only where they are needed; without `@` if no domain was given; empty for `<>`. */
  readonly address: string
  /** Its local part is not ASCII, so it needs SMTPUTF8. A domain has an ASCII form, and maddy 0.8.1 sends the other one without asking. */
  readonly isUtf8: boolean
  /** The text after the path, unchanged. */
  readonly rest: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseSenderPath(argument: string): Path | PathFault {
  const text = /^from *: *(.*)$/is.exec(argument)?.[1]
  return text === undefined ? 'MAIL FROM:<address> is expected' : parsePath(text, SENDER_LOCAL_OCTETS_MAX)
}

export function parseRecipientPath(argument: string): Path | PathFault {
  const text = /^to *: *(.*)$/is.exec(argument)?.[1]
  return text === undefined ? 'RCPT TO:<address> is expected' : parsePath(text, LOCAL_OCTETS_MAX)
}

function parsePath(text: string, localOctetsMax: number): Path | PathFault {
  if (CONTROL.test(text)) return 'it has control characters'
  const bracketed = text.startsWith('<')
  // Matched by the expression too, these blanks would be tried with those before the closing bracket in every way.
  const found = bracketed ? IN_BRACKETS.exec(text.replace(/^< +/, '<')) : WITHOUT_BRACKETS.exec(text)
  if (!found) return pathFault(text)
  const [local = '', domain, rest = ''] = bracketed ? found.slice(1) : [found[1] ?? found[2], ...found.slice(3)]
  if (local.length > localOctetsMax) return 'the part before @ is too long'
  if (domain !== undefined && !isDomain(domain)) return 'the domain is not valid'
  const address = domain === undefined ? unquoted(local) : `${unquoted(local)}@${domain.replace(/\.$/, '')}`
  return decoded(address, rest) ?? 'it is not UTF-8'
}

const isDomain = (domain: string): boolean => domain.length <= DOMAIN_OCTETS_MAX && (LABELS.test(domain) || LITERAL.test(domain))

/** Names what is missing or too much in a path that cannot be read. */
function pathFault(text: string): PathFault {
  if (text === '') return 'the address is missing'
  const [opening, closing] = [text.indexOf('<'), text.lastIndexOf('>')]
  if (opening > 0) return 'a name stands before the address'
  if (opening === -1 && closing !== -1) return '< is missing'
  if (opening === 0 && closing === -1) return '> is missing'
  if (closing !== -1 && !/^(?: |$)/.test(text.slice(closing + 1))) return 'a blank is missing after >'
  const address = opening === 0 ? text.slice(1, closing).trim() : text
  if (!address.includes('@')) return '@ and a domain are missing'
  if (/^[^"\s@]*\s/.test(address)) return 'a blank needs quotes'
  if (address.startsWith('@')) return 'the part before @ is missing'
  return address.endsWith('@') ? 'the domain is missing' : 'it is not an address'
}

function decoded(address: string, rest: string): Path | undefined {
  if (!/[\x80-\xff]/.test(address)) return { address, isUtf8: false, rest }
  try {
    return {
      address: utf8.decode(Buffer.from(address, 'latin1')),
      isUtf8: /[\x80-\xff]/.test(address.slice(0, Math.max(0, address.lastIndexOf('@')))),
      rest,
    }
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
export function withDomain(path: Path, domain: string): Path | PathFault {
  const { address } = path
  if (address.includes('@')) return path
  if (address.toLowerCase() === 'postmaster') return { ...path, address: `${address}@${domain}` }
  return address === '' ? 'the address is missing' : '@ and a domain are missing'
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
