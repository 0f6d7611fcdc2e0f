/** Detects deceptive From lines: a name that is somebody else's address or a brand's, or look-alike letters. Pure: no DOM. */

import { displayHost, isLookalike, isSameSite, KNOWN_ENDINGS, plainAddresses, seenLetters } from '../reader/links/judge-link.ts'
import { claimedBrand } from './claimed-brand.ts'
import { hasLookalikeWord } from './skeleton.ts'

type Sender = { readonly name: string; readonly address: string }

/**
 * `name` is what the reader should know instead: the true address, or the domain in Punycode, empty if there is none. `brand` is the
 * misused name.
 */
export type SenderWarning =
  | { readonly kind: 'otherAddress' | 'lookalike' | 'lookalikeName'; readonly name: string }
  | { readonly kind: 'brand'; readonly name: string; readonly brand: string }

/** One character before the `@` is enough. A run of them would be searched again from each of its characters. */
const ADDRESS = /[^\s"'<>()[\],;:@]( ?@ ?)((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/gu

export function senderWarning(from: Sender): SenderWarning | undefined {
  const host = hostOf(from.address)
  const name = seenLetters(from.name)
  if (host === undefined) return brandWarning(name, '')
  if (isLookalike(host)) return { kind: 'lookalike', name: displayHost(host) }
  if (namedHosts(from.name).some(named => !isSameSite(named, host))) return { kind: 'otherAddress', name: from.address }
  // Bounces of a provider come from its free mailbox domain, under names that nobody can register.
  const warning = SYSTEM.test(from.address) ? undefined : brandWarning(name, host)
  return warning ?? (hasLookalikeWord(name) ? { kind: 'lookalikeName', name: from.address } : undefined)
}

/**
 * Beside a blank a host is one only by its ending, since a time or a street may stand there, too, and not as the name of a company is
 * written: `Sam @ Product.io`.
 */
function namedHosts(name: string): string[] {
  return Array.from(plainAddresses(name).matchAll(ADDRESS)).flatMap(([, at, host = '']) =>
    at === '@' || (KNOWN_ENDINGS.test(host) && !COMPANY.test(host)) ? (parseHost(host) ?? []) : [],
  )
}

const COMPANY = /^\p{Lu}[^\p{Lu}]/u

const SYSTEM = /^(?:postmaster|mailer-daemon)@(?:outlook|hotmail|gmail|googlemail|icloud)\.com$/i

function brandWarning(name: string, host: string): SenderWarning | undefined {
  const brand = claimedBrand(name, host)
  return brand === undefined ? undefined : { kind: 'brand', name: host === '' ? '' : displayHost(host), brand }
}

function hostOf(address: string): string | undefined {
  return parseHost(address.slice(address.lastIndexOf('@') + 1))
}

/** In lower case and Punycode, as the judgement of links reads it. */
function parseHost(domain: string): string | undefined {
  return domain === '' ? undefined : URL.parse(`https://${domain}`)?.hostname
}

/** Mailboxes that anybody can have. */
const FREE =
  /^(?:(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|rocketmail|aol|icloud|me|mac|gmx|mail|email|zoho|zohomail|proton|protonmail|tutanota|qq|163|126|sina|naver|daum|rediffmail|hushmail|fastmail|inbox)\.com|(?:hotmail|live|outlook|yahoo|gmx)\.(?:[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})|gmx\.net|web\.de|t-online\.de|freenet\.de|proton\.me|pm\.me|tuta\.io|mail\.ru|bk\.ru|list\.ru|inbox\.ru|yandex\.(?:ru|com)|libero\.it|orange\.fr|laposte\.net|wp\.pl|o2\.pl|onet\.pl|seznam\.cz|uol\.com\.br|bol\.com\.br|terra\.com\.br|ukr\.net)$/

/** The free mailbox that answers go to, if the mail itself comes from a domain that is not one. */
export function freeReplyTo(from: Sender, replyTo: readonly Sender[]): string | undefined {
  const host = hostOf(from.address)
  if (host === undefined || FREE.test(host)) return undefined
  return replyTo.find(({ address }) => FREE.test(hostOf(address) ?? ''))?.address
}
