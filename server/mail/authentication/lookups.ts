/** What one mail may have looked up. Its sender chooses the envelope and the signers, and with them names, servers and answers. */
import { KIB } from '#contract/limits.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { DnsRecord, DnsResolve } from '#server/platform/net/dns-resolver.ts'
import { registeredDomain } from '#server/platform/net/registered-domain.ts'

/** Looks up one record set. Rejects with `code` `ENOTFOUND` or `ENODATA` if there is none. */
export type Resolve = (domain: string, type: string) => Promise<readonly DnsRecord[]>
/** The same in the library's words. */
export type LibraryResolve = (domain: string, type: string) => Promise<string[] | string[][]>

/**
 * What the domain of the shown sender publishes, the keys of other signers, and SPF: each has its own time, so that none can use up that
 * of another. How many names are asked is limited by the protocols: 10 signatures, 8 names for each walk of DMARC, and for SPF 10 terms
 * with 10 hosts each. SPF must be given 20 s (RFC 7208 section 4.6.4).
 */
const MS_MAX = { author: 6000, signers: 4000, spf: 20_000 } as const
type Purpose = keyof typeof MS_MAX
/** All answers together for each purpose. The longest chains of SPF records have less than 20 KiB; 240 KiB of terms take 84 ms of CPU. */
const ANSWER_BYTES_MAX = 48 * KIB

/**
 * The domain decides how long a record is, and reading one takes the library a time that grows with the square of its longest word. A key
 * of 16,384 bits has 2,800 characters. An expanded name has 253 characters, and what it is expanded from is hardly longer.
 */
const WORD_CHARS_MAX = 4096
const SPF_TERM_CHARS_MAX = 1000

/** Blocklists, which are asked beside these names, change within minutes. */
const HELD_MS_MAX = 5 * 60_000

/** After a time-out the names of that registered domain are waited for less, until one has an answer. */
const SILENCE_MS = 10_000
const SILENT_WAIT_MS = 1000
const SILENT_DOMAINS_MAX = 1000

/**
 * Looks up names for all checks. Servers that did not answer must not keep each further mail waiting. They are asked nevertheless: whoever
 * knows a dead name of an honest domain must not be able to keep its mail from being checked.
 */
export function rememberSilence(resolve: DnsResolve, nowMs: () => number): DnsResolve {
  const silentUntilMs = new BoundedMap<string, number>(SILENT_DOMAINS_MAX)
  return async (name, type, noteUntil) => {
    const domain = registeredDomain(name)
    const wasSilent = (silentUntilMs.get(domain) ?? 0) > nowMs()
    const late = Promise.withResolvers<never>()
    const timer = wasSilent ? setTimeout(() => late.reject(noAnswer()), SILENT_WAIT_MS) : undefined
    const asked = resolve(name, type, noteUntil)
    const forget = () => silentUntilMs.delete(domain)
    asked.then(forget, (error: unknown) => {
      const code = codeOf(error)
      if (code === 'ETIMEOUT') silentUntilMs.set(domain, nowMs() + SILENCE_MS)
      else if (code === 'ENOTFOUND' || code === 'ENODATA') forget()
    })
    try {
      return await (timer ? Promise.race([asked, late.promise]) : asked)
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Looks up names for one check, and knows how long all the answers hold together. Once `ended`, there are no more answers.
 */
export function holdingAnswers(resolve: DnsResolve, nowMs: () => number, ended: Promise<void>): { resolve: Resolve; heldMs: () => number } {
  let untilMs = Number.POSITIVE_INFINITY
  let waiting = 0
  const noMore = ended.then((): never => {
    throw noAnswer()
  })
  noMore.catch(() => undefined)
  return {
    async resolve(domain, type) {
      // Only an answer holds. A server that failed may have one for the next mail.
      let holdsUntilMs = 0
      waiting++
      try {
        const asked = resolve(domain, type, answerUntilMs => {
          holdsUntilMs = answerUntilMs
        })
        const records = await Promise.race([noMore, asked])
        if (hasMacro(records)) holdsUntilMs = 0
        return records
      } finally {
        waiting--
        untilMs = Math.min(untilMs, holdsUntilMs)
      }
    },
    // A check that gives up waiting ends before its questions.
    heldMs: () => (waiting > 0 ? 0 : Math.min(HELD_MS_MAX, Math.max(0, untilMs - nowMs()))),
  }
}

/** With a macro, the results of SPF depend on the sender's whole address (RFC 7208 section 7.2). */
function hasMacro(records: readonly DnsRecord[]): boolean {
  return records.some(record => Array.isArray(record) && record.some(text => text.includes('%')))
}

type Lookups = {
  /** The domain whose names are looked up for `author`. Known once its DMARC record is. */
  organization: string
  /** Each check has its own, because whoever writes the mail chooses the names that SPF and signatures look up. */
  readonly author: LibraryResolve
  readonly keys: LibraryResolve
  readonly spf: LibraryResolve
}

/**
 * Looks up nothing twice for one check. `nextTurn`: what is done with each answer is a piece of work of its own. A check that is ended does
 * not wait for it: SPF and the policy are judged by the answers that are there, which takes little.
 */
export function boundedLookups(resolve: Resolve, author: string, nowMs: () => number, nextTurn: () => Promise<unknown>): Lookups {
  const spent = { author: { ms: 0, bytes: 0 }, signers: { ms: 0, bytes: 0 }, spf: { ms: 0, bytes: 0 } }
  async function lookUp(domain: string, type: string, purpose: Purpose): ReturnType<LibraryResolve> {
    const budget = spent[purpose]
    const msLeft = MS_MAX[purpose] - budget.ms
    if (msLeft <= 0 || budget.bytes > ANSWER_BYTES_MAX) throw noAnswer()
    const startedMs = nowMs()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(noAnswer()), msLeft)
    try {
      const records = await Promise.race([resolve(domain, type), late.promise])
      budget.bytes += JSON.stringify(records).length
      return readable(records, type, purpose) as string[]
    } catch (error) {
      throw isNoName(error) && purpose !== 'spf' ? absent() : error
    } finally {
      clearTimeout(timer)
      budget.ms += nowMs() - startedMs
    }
  }
  function remembering(purposeOf: (domain: string) => Purpose): LibraryResolve {
    const known = new Map<string, ReturnType<LibraryResolve>>()
    return (domain, type) => {
      const key = `${type} ${domain}`
      const found = known.get(key) ?? lookUp(domain, type, purposeOf(domain.toLowerCase())).finally(nextTurn)
      known.set(key, found)
      return found
    }
  }
  const signerOf = (name: string) => name.split('._domainkey.')[1] ?? name
  const lookups: Lookups = {
    organization: author,
    author: remembering(() => 'author'),
    keys: remembering(name => (isWithin(signerOf(name), lookups.organization) ? 'author' : 'signers')),
    spf: remembering(() => 'spf'),
  }
  return lookups
}

export const isWithin = (domain: string, organization: string): boolean => domain === organization || domain.endsWith(`.${organization}`)

/** In one order, however servers shuffle them: a limit of hosts or names must not be reached by chance. */
function readable(records: readonly DnsRecord[], type: string, purpose: Purpose): readonly DnsRecord[] {
  if (type !== 'TXT') return records.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  // The library takes the first record of a signer for its key (RFC 6376 section 3.6.2.2), whatever else has that name.
  const texts = records.map(record => [record].flat().join('')).toSorted((one, other) => (textKey(one) < textKey(other) ? -1 : 1))
  if (purpose !== 'spf') return texts.filter(text => text.length <= WORD_CHARS_MAX).map(text => [text])
  if (texts.some(text => /^v=spf1(?: |$)/i.test(text) && text.split(' ').some(term => term.length > SPF_TERM_CHARS_MAX)))
    throw Object.assign(new Error('too long a term'), { spfResult: { error: 'permerror', text: 'too long a term' } })
  return texts.map(text => [text])
}

function sortKey(record: DnsRecord): string {
  return typeof record === 'object' && 'exchange' in record
    ? `${String(record.priority).padStart(5, '0')} ${record.exchange}`
    : String(record)
}

const textKey = (text: string): string => (/(?:^|;)\s*p\s*=/.test(text) ? '0' : '1') + text

/** The name of a key or policy that DNS does not allow has none. The library would call it a temporary error, which helps a forger. */
const isNoName = (error: unknown): boolean => codeOf(error) === 'EBADNAME'
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
const absent = (): Error => Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })

export const noAnswer = (): Error => Object.assign(new Error('too slow or too long answers'), { code: 'ETIMEOUT' })
