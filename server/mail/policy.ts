/** The operator's decisions that SMTP and HTTP enforce: blocks, registration, difficulty, notice. operator/live-rules.ts renews it. */
import { domainToASCII } from 'node:url'
import type { Language } from '#contract/languages.ts'
import { DIFFICULTY } from '#contract/limits.ts'
import type { BlockKind } from '#contract/operator.ts'
import { IpRanges } from '#server/platform/net/ip-address.ts'

/** `endsAt`: milliseconds since the epoch; `null` for a block without an end. */
export type Block = { readonly kind: BlockKind; readonly value: string; readonly endsAt: number | null }

/** The operator's message on every page, in each language. */
export type SiteNotice = Readonly<Record<Language, string>>
export type Settings = { readonly isRegistrationOpen: boolean; readonly difficulty: number; readonly notice: SiteNotice | undefined }

export const defaultSettings: Settings = { isRegistrationOpen: true, difficulty: DIFFICULTY.min, notice: undefined }

export type Policy = ReturnType<typeof createPolicy>

/** Results kept per network: parsing an address takes 30 µs. */
const REMEMBERED_MAX = 10_000

/** Which of our domains takes mail for this one: itself, or the one above it. */
type ServedBy = (domain: string) => string | undefined

/** Blocks that have ended are ignored from then on, even if they are still listed. */
export function createPolicy(blocks: readonly Block[], settings: Settings, clock: () => number, servedBy: ServedBy) {
  const endTimes = (kind: BlockKind) => blocks.filter(block => block.kind === kind).map(({ value, endsAt }) => [value, endsAt] as const)
  const senders = new Map(endTimes('sender').map(([sender, endsAt]) => [canonicalSender(sender), endsAt]))
  const domains = new Map(endTimes('domain'))
  const networks = blocks.filter(({ kind }) => kind === 'network').map(block => ({ range: new IpRanges([block.value]), ...block }))
  const recipients = blocks
    .filter(({ kind }) => kind === 'recipient')
    .map(block => ({ parts: block.value.toLowerCase().split('*'), ...block }))
  const isLive = (endsAt: number | null | undefined) => endsAt === null || (endsAt !== undefined && endsAt > clock())
  const remembered = new Map<string, readonly Block[]>()

  function blocksAround(ip: string): readonly Block[] {
    const known = remembered.get(ip)
    if (known) return known
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    const found = networks.filter(({ range }) => range.has(ip))
    remembered.set(ip, found)
    return found
  }

  return {
    ...settings,
    /** By the client's address. */
    blocksNetwork: (ip: string) => networks.length > 0 && blocksAround(ip).some(({ endsAt }) => isLive(endsAt)),
    /** By the envelope sender: the address itself, its domain or a parent domain. The empty sender of bounces is never blocked. */
    blocksSender(address: string): boolean {
      if (address === '' || senders.size + domains.size === 0) return false
      const sender = canonicalSender(address)
      return isLive(senders.get(sender)) || parentDomains(sender).some(domain => isLive(domains.get(domain)))
    },
    /** By the recipient's address without its tag. An address at a subdomain of ours also counts as one at the domain itself. */
    blocksRecipient(address: string): boolean {
      const live = recipients.filter(({ endsAt }) => isLive(endsAt))
      if (live.length === 0) return false
      const written = address.toLowerCase()
      const at = written.lastIndexOf('@') + 1
      const spellings = [written, written.slice(0, at) + (servedBy(written.slice(at)) ?? written.slice(at))]
      return live.some(({ parts }) => spellings.some(spelling => matches(parts, spelling)))
    },
  }
}

/** Blocks nothing, with the default settings. */
export const ALLOW_ALL: Policy = createPolicy(
  [],
  defaultSettings,
  () => 0,
  () => undefined,
)

/**
 * One spelling for a sender in all the forms that Unicode and DNS have for it: full-width letters, composed and decomposed accents, a
 * domain in its own script or in ASCII, a dot at the end.
 */
export function canonicalSender(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address
    .slice(at + 1)
    .normalize('NFKC')
    .replace(/\.$/, '')
  return `${address.slice(0, at).normalize('NFKC').toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`
}

/** `a@mx.spam.test` gives `mx.spam.test`, `spam.test`, `test`. */
function parentDomains(address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** `*` matches any text. Each part is searched once, from left to right, so that no pattern is slow. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
