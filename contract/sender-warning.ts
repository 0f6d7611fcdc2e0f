/** Detects deceptive From lines: a name that is somebody else's address or a brand's, or look-alike letters. Pure: no DOM. */
import {
  displayHost,
  isLookalike,
  isSameSite,
  KNOWN_ENDINGS,
  ODD_DOTS,
  OVERRIDE,
  plainAddresses,
  seenLetters,
} from '../reader/links/judge-link.ts'
import { hasLookalikeWord } from '../reader/links/skeleton.ts'
import { claimedBrand, imitatedBrand, isBrandHost, isDisguise } from './claimed-brand.ts'

type Sender = { readonly name: string; readonly address: string }

/** `name`: the true address, or the domain in Punycode, else empty. `brand`: the misused name, of `brandDomain` in the domain. */
export type SenderWarning =
  | { readonly kind: 'otherAddress' | 'lookalike' | 'lookalikeName'; readonly name: string }
  | { readonly kind: 'brand' | 'brandDomain'; readonly name: string; readonly brand: string }

/** Lists and relays write a member without a name so. */
const PASSED_ON = /@([^\s'"()<>@,]+)['")>]*,? [([]?(?:via|über|por|par|door|tramite) (\S.*)/iu
/** The signs that `plainAddresses` reads as `@`. Each row of a list is judged again, and few senders have one in their name. */
const AT = /[@\ufe6b\uff20]/
/** One character before the `@` is enough. A run of them would be searched again from each of its characters. */
const ADDRESS = /[^\s"'<>()[\],;:@]( ?@ ?)((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/gu

export function senderWarning(from: Sender): SenderWarning | undefined {
  const host = hostOf(from.address)
  const written = from.name.includes(OVERRIDE) ? `${from.name} ${Array.from(from.name).reverse().join('')}` : from.name
  const name = seenLetters(written)
  if (host === undefined) return brandWarning(name, '')
  if (isLookalike(host)) return { kind: 'lookalike', name: displayHost(host) }
  const passing = PASSED_ON.exec(name)
  const [, passedOn, list = ''] = passing ?? []
  const [local = ''] = addressBehind(name.slice(0, passing?.index)).slice(-1)
  // A brand that is passed on would be too easy a disguise.
  const isNamed = (named: string) =>
    !isSameSite(named, host) && (passedOn !== named || isBrandHost(named) || isDisguise(list, local, named))
  const sentBy = from.address.slice(0, from.address.lastIndexOf('@'))
  if (namedHosts(written).some(isNamed) || namedHosts(sentBy).some(named => !isSameSite(named, host)))
    return { kind: 'otherAddress', name: from.address }
  // Bounces of a provider come from its free mailbox domain, under names that nobody can register.
  const warning = SYSTEM.test(from.address) ? undefined : brandWarning(name, host, sentBy)
  if (warning) return warning
  const brand = imitatedBrand(from.address.slice(from.address.lastIndexOf('@') + 1), host)
  if (brand !== undefined) return { kind: 'brandDomain', name: displayHost(host), brand }
  return hasLookalikeWord(name) ? { kind: 'lookalikeName', name: from.address } : undefined
}

/** Beside a blank only an ending makes a host, since it may be a time, a street, or a company such as `Sam @ Product.io`. */
function namedHosts(name: string): string[] {
  if (!AT.test(name)) return []
  const plain = plainAddresses(name)
  const found = [...plain.matchAll(ADDRESS), ...plain.replace(ODD_DOTS, '.').matchAll(ADDRESS)]
  return found.flatMap(([, at, host = '']) =>
    (at === '@' && plain.includes(host)) || (KNOWN_ENDINGS.test(host) && !COMPANY.test(host)) ? (parseHost(host) ?? []) : [],
  )
}

const NO_ADDRESS = /[\s"'<>()[\],;:]/

/** The parts, between each `@`, of the address that a text ends with, or breaks off in. */
export const addressBehind = (text: string): string[] => text.split(NO_ADDRESS).at(-1)?.split('@') ?? []

const COMPANY = /^\p{Lu}[^\p{Lu}]/u

const SYSTEM = /^(?:postmaster|mailer-daemon)@(?:outlook|hotmail|gmail|googlemail|icloud)\.com$/i

function brandWarning(name: string, host: string, local = ''): SenderWarning | undefined {
  const brand = claimedBrand(name, host, local)
  return brand === undefined ? undefined : { kind: 'brand', name: host === '' ? '' : displayHost(host), brand }
}

const hostOf = (address: string): string | undefined => parseHost(address.slice(address.lastIndexOf('@') + 1))

/** In lower case and Punycode, as the judgement of links reads it. */
const parseHost = (domain: string): string | undefined => (domain === '' ? undefined : URL.parse(`https://${domain}`)?.hostname)

/** Mailboxes that anybody can have. */
const FREE =
  /^(?:(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|rocketmail|aol|icloud|me|mac|gmx|mail|email|zoho|zohomail|proton|protonmail|tutanota|qq|163|126|sina|naver|daum|rediffmail|hushmail|fastmail|inbox)\.com|(?:hotmail|live|outlook|yahoo|gmx)\.(?:[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})|gmx\.net|web\.de|t-online\.de|freenet\.de|proton\.me|pm\.me|tuta\.io|mail\.ru|bk\.ru|list\.ru|inbox\.ru|yandex\.(?:ru|com)|libero\.it|orange\.fr|laposte\.net|wp\.pl|o2\.pl|onet\.pl|seznam\.cz|uol\.com\.br|bol\.com\.br|terra\.com\.br|ukr\.net)$/

/** The free mailbox that answers go to, if the mail itself comes from a domain that is not one. */
export function freeReplyTo(from: Sender, replyTo: readonly Sender[]): string | undefined {
  const host = hostOf(from.address)
  if (host === undefined || FREE.test(host)) return undefined
  return replyTo.find(({ address }) => FREE.test(hostOf(address) ?? ''))?.address
}
