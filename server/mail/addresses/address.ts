/**
 * Parses, compares and generates addresses. Two spellings are the same address if they normalise to the same text: letter case is ignored,
 * an IDN domain may be a U-label or an A-label, a trailing dot of the domain and unnecessary quotes are dropped, and so is a tag: mail to
 * `name+anything@domain` is mail to `name@domain` (RFC 5233 calls the tag "detail").
 */
import { randomBytes } from 'node:crypto'
import { normaliseDomain } from '#server/platform/net/domain-names.ts'

/** Crockford's base32: no letter looks like a digit. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const SUFFIX_CHARS = 9
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s

type Address = { readonly localPart: string; readonly domain: string }

/** Normalises an address, `undefined` if it is invalid. Without a domain it gets `defaultDomain` (RFC 5321 section 4.5.1). */
export function normaliseAddress(address: string, defaultDomain: string): Address | undefined {
  const at = address.lastIndexOf('@')
  const domain = domainOf(address, defaultDomain)
  const localPart = withoutTag(
    unquote(at === -1 ? address : address.slice(0, at))
      .normalize('NFC')
      .toLowerCase(),
  )
  return domain === '' || localPart === '' ? undefined : { localPart, domain }
}

/** The domain of an address, as `normaliseAddress` returns it, also of one whose local part is empty; empty if it is none. */
export function domainOf(address: string, defaultDomain: string): string {
  const at = address.lastIndexOf('@')
  return normaliseDomain(at === -1 ? defaultDomain : address.slice(at + 1))
}

/** The same text for all spellings of an address, without its tag; empty if it is not an address. */
export function canonicalAddress(address: string): string {
  const normalised = normaliseAddress(address, '')
  return normalised ? formatAddress(normalised) : ''
}

/** The same text for all spellings of an address with a domain. With its tag: elsewhere `boss+x` may be somebody else than `boss`. */
export const wholeAddress = (address: string): string => envelopeAddress({ address }).toLowerCase()

/**
 * How readers see an address of ours that an envelope named: its tag as it was written, its domain as in the address that they were given.
 */
export function envelopeAddress({ address }: { readonly address: string }): string {
  return `${address.slice(0, address.lastIndexOf('@')).normalize('NFC')}@${domainOf(address, '')}`
}

/** Whether the address is at one of these domains or at a subdomain of one. */
export function isAtDomain(address: string, domains: readonly string[]): boolean {
  const domain = normaliseAddress(address, '')?.domain ?? ''
  return domains.some(own => domain === own || domain.endsWith(`.${own}`))
}

/** The name in the MX record of this domain: one below it, or else the first. */
export function mailHostFor(domain: string, [first = '', ...others]: readonly string[]): string {
  return [first, ...others].find(host => host === domain || host.endsWith(`.${domain}`)) ?? first
}

export const formatAddress = ({ localPart, domain }: Address): string => `${localPart}@${domain}`

/** `word.word.xxxxxxxxx`, with 63 random bits: readable, not guessable, never generated twice (docs/decisions/0007-addresses.md). */
export function generateLocalPart(random: (bytes: number) => Uint8Array = randomBytes): string {
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

/**
 * The words of generated names: 512 of three to five letters, so that an address fits on one line of a phone. They are friendly next to
 * each other, and easy to spell and to read aloud. A new word must replace an old one, because nine bits choose among them.
 */
export const ADDRESS_WORDS: readonly string[] = `
acorn agate agave alder algae alley aloe alpha amber anise apple april apron arbor arch arena aroma arrow aspen aster atlas atom azure
bagel baker balm banjo bark barn basil basin bean bear beet bell bench berry bike birch bird bison bloom blue boat book bowl braid brass
brick brook broom brush bugle bulb bunny buoy cabin cacao cake calm camel camp canal candy canoe cape card cargo carol cedar cello chalk
charm cheer chess chest chime cider city clam clay cliff climb clock cloth cloud clove coast cocoa comet cone coral cosy cove craft
crane crest crown curry daisy dance dawn day delta denim desk dial dingo dodo dome door dove dream drift drum duck dune eagle earth
easel east echo elder elf elk ember essay event fable fairy farm fawn feast fern ferry fiber field finch fjord flag flint float flora
flute fox frame fresh frog frost fruit fudge gable gala game gate gecko gem giant glad glade glass glaze glee glide globe glow goat gold
goose gorge grain grand grape graph grass green grove guava guest guide gull haiku harp hat hawk hazel heath hedge hello herb heron hill
hippo hive hobby honey hoop hope horse hotel house humor ibex ice icon idea igloo inbox inlet iris ivory ivy jade jam jar jazz jelly
jewel joke jolly juice july jumbo june kale kayak kelp key kind kite kiwi koala lace ladle lake lamb lamp land lane lark latte lawn leaf
ledge lemon lens lilac lily lime linen lion llama lobby logic loom lotus loyal lucky lunar lunch lynx lyric magic mango maple march
marsh mason match medal melon menu merry milk mill mint mocha model moon moose moss moth mouse movie mural music nacho navy neat nest
noble noon north note novel oak oasis oat ocean olive onion onyx opal opera orbit orca otter oval oven owl paint palm panda paper park
party pasta patch path patio pea peach pear pearl pecan pedal penny petal photo piano pier pilot pine pink pixel pizza plant plate plaza
plum plume poem poet polar polka pond pony poppy prism prize pulse puma puppy quail quart quest quick quiet quill quilt quiz radar radio
raft raven ray reef relay rhino rice ridge ring river robin robot rock rodeo roof rose round royal ruby rug ruler rumba sable saga sage
salad salsa salt sand satin scarf scone scout seal seed sepia shade shawl sheep shelf shell shine ship shore sigma silk sky slate sled
sloth smile snail snow sofa solar solid soup south spark spice spoon sport spray stage star steam stem stone stork story straw sugar
sunny surf swan swift table tango tapir taxi teak teal tempo tent tiger tile toast tonic topaz torch totem tower town toy track trail
train tray tree trio trout truck tuba tulip tuna tutor tweed twig twin uncle unity valet value van vase vest video villa vine viola
vivid wafer wagon walk waltz water wave whale wheat white wind wing wolf wool world wren yacht yak yarn year yeast yodel yoga young
zebra zen zest zinc zone
`
  .trim()
  .split(/\s+/)
