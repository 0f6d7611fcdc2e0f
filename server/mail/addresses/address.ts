/**
 * Parses, compares and generates addresses. Two spellings are the same address if they normalise to the same text: letter case is ignored,
 * an IDN domain may be a U-label or an A-label, a trailing dot of the domain and unnecessary quotes are dropped, and so is a tag: mail to
 * `name+anything@domain` is mail to `name@domain` (RFC 5233 calls the tag "detail").
 */
import { domainToASCII } from 'node:url'
import { ADDRESS_WORDS } from './address-words.ts'

/** Crockford's base32: no letter looks like a digit. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const SUFFIX_CHARS = 9
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s

export type Address = { readonly localPart: string; readonly domain: string }

/**
 * Normalises an address; `undefined` if it cannot be valid here. An address without a domain gets `defaultDomain` (RFC 5321 section 4.5.1:
 * `<Postmaster>`).
 */
export function normaliseAddress(address: string, defaultDomain: string): Address | undefined {
  const at = address.lastIndexOf('@')
  const rawDomain = at === -1 ? defaultDomain : address.slice(at + 1).replace(/\.$/, '')
  const domain = domainToASCII(rawDomain.normalize('NFC')).toLowerCase()
  const localPart = withoutTag(
    unquote(at === -1 ? address : address.slice(0, at))
      .normalize('NFC')
      .toLowerCase(),
  )
  return domain === '' || localPart === '' ? undefined : { localPart, domain }
}

/** The same text for all spellings of an address, without its tag; empty if it is not an address. */
export function canonicalAddress(address: string): string {
  const normalised = normaliseAddress(address, '')
  return normalised ? formatAddress(normalised) : ''
}

/** Whether the address is at one of these domains or at a subdomain of one. */
export function isAtDomain(address: string, domains: readonly string[]): boolean {
  const domain = normaliseAddress(address, '')?.domain ?? ''
  return domains.some(own => domain === own || domain.endsWith(`.${own}`))
}

export function formatAddress({ localPart, domain }: Address): string {
  return `${localPart}@${domain}`
}

/**
 * `word.word.xxxxxxxxx`: readable, and with 63 random bits neither guessable nor generated twice
 * (docs/decisions/0027-names-of-short-words.md).
 */
export function generateLocalPart(random: (bytes: number) => Uint8Array): string {
  const bits = Buffer.from(random(8)).readBigUInt64BE()
  const take = (offset: number, count: number) => Number((bits >> BigInt(offset)) & ((1n << BigInt(count)) - 1n))
  const suffix = Array.from({ length: SUFFIX_CHARS }, (_, i) => BASE32[take(18 + 5 * i, 5)]).join('')
  return `${ADDRESS_WORDS[take(0, 9)]}.${ADDRESS_WORDS[take(9, 9)]}.${suffix}`
}

function unquote(localPart: string): string {
  const quoted = QUOTED.exec(localPart)?.[1]
  return quoted === undefined ? localPart : quoted.replace(/\\(.)/gs, '$1')
}

function withoutTag(localPart: string): string {
  const plus = localPart.indexOf('+')
  return plus > 0 ? localPart.slice(0, plus) : localPart
}
