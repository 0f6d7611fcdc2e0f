/** Lists on which sites and receivers look up domains and senders: public lists of disposable domains, and DNS blocklists (RFC 5782). */
import { HOUR_MS } from '#contract/limits.ts'
import type { DnsLists } from '#contract/operator.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import { type Clock, toIso } from '#server/platform/clock.ts'
import { isListing, isRefusal } from '#server/platform/net/dns-blocklists.ts'
import { bareDomain } from '#server/platform/net/domain-names.ts'
import { isPublicIp, reversedLabels } from '#server/platform/net/ip-address.ts'
import { type DoctorContext, errorReason, type Finding, failure, isLocalName, ok, warning } from './context.ts'
import list from './disposable-domains.json' with { type: 'json' }

const disposable: Readonly<Record<string, string>> = list.domains
const LIST = `the public list of disposable domains of ${list.releasedOn} (${list.source})`

/** The day of the public list that names this domain, or the one above it; `null` if it does not. */
export function disposableSince(domain: string): string | null {
  const labels = domain.split('.')
  const ending = labels.at(-1) ?? ''
  const listed = ` ${disposable[ending] ?? ''} `
  const isListed = labels.some((_, at) => at < labels.length - 1 && listed.includes(` ${labels.slice(at, -1).join('.')} `))
  return isListed ? list.releasedOn : null
}

type List = {
  readonly zone: string
  /** What it always lists. */
  readonly testName: string
  /** What it replies instead of refusing with 127.255.255.x. */
  readonly refusal?: string
  /** What it replies of addresses that should send no mail, which this machine does not. */
  readonly harmless?: readonly string[]
}

/** The lists of domains that occur in mail. */
const DOMAIN_LISTS: readonly List[] = [
  { zone: 'dbl.spamhaus.org', testName: 'dbltest.com' },
  { zone: 'multi.surbl.org', testName: 'surbl-org-permanent-test-point.com', refusal: '127.0.0.1' },
]
/** Every list of senders must contain the first address and not the second (RFC 5782 section 5). */
const ALWAYS_LISTED = '127.0.0.2'
const NEVER_LISTED = '127.0.0.1'
/** The lists of senders' addresses that receivers use most. */
const SENDER_LISTS: readonly List[] = [
  // The last two are its policy list, on which most rented and home addresses are.
  { zone: 'zen.spamhaus.org', harmless: ['127.0.0.10', '127.0.0.11'] },
  { zone: 'bl.spamcop.net' },
  { zone: 'psbl.surriel.com' },
].map(each => ({ ...each, testName: reversedLabels(ALWAYS_LISTED).labels }))
/** Domains that are looked up at once. */
const AT_ONCE = 20

type State = 'answers' | 'refuses' | 'silent'

/** What the lists of others say of our domains, and of the address of this machine. */
export async function checkPublicLists(context: DoctorContext): Promise<Finding[]> {
  const { config, identify } = context
  const served = (await identify())?.domains?.receiving ?? config.domains
  const domains = served.map(bareDomain).filter(domain => !isLocalName(domain))
  if (domains.length === 0) return []
  const own = await ownAddresses(context)
  const senderLists = own.length === 0 ? [] : SENDER_LISTS.filter(({ zone }) => !config.dnsBlocklists.includes(zone))
  const states = new Map(
    await Promise.all([...DOMAIN_LISTS, ...senderLists].map(async each => [each, await stateOf(context, each)] as const)),
  )
  const answering = (lists: readonly List[]) => lists.filter(each => states.get(each) === 'answers')
  const zones = (state: State) => [...states].filter(([, found]) => found === state).map(([{ zone }]) => zone)
  const findings: Finding[] = []
  for (let at = 0; at < domains.length; at += AT_ONCE) {
    const some = domains.slice(at, at + AT_ONCE)
    findings.push(...(await Promise.all(some.map(domain => lookUpDomain(context, domain, answering(DOMAIN_LISTS))))))
  }
  if (answering(senderLists).length > 0) for (const ip of own) findings.push(await lookUpSender(context, ip, answering(senderLists)))
  return [...findings, ...unanswered(zones('refuses'), zones('silent'))]
}

type Names = { readonly names: DoctorContext['names'] }

async function stateOf(context: Names, { zone, testName, refusal }: List): Promise<State> {
  const records = await context.names.addresses(`${testName}.${zone}`).catch(() => [])
  if (records.some(record => isRefusal(record) || record === refusal)) return 'refuses'
  return records.some(isListing) ? 'answers' : 'silent'
}

/** The zones that list this name. One that does not answer any more lists nothing. */
async function listing({ names }: Names, name: string, lists: readonly List[]): Promise<string[]> {
  const found = await Promise.all(
    lists.map(async ({ zone, refusal = '', harmless = [] }) => {
      const records = await names.addresses(`${name}.${zone}`).catch(() => [])
      return records.some(record => isListing(record) && ![refusal, ...harmless].includes(record)) ? [zone] : []
    }),
  )
  return found.flat()
}

const zonesOf = (lists: readonly List[]) => lists.map(({ zone }) => zone)

/** Lists change within hours, and refuse who asks too often. */
const KEPT_MS = HOUR_MS
/** After a list did not answer. */
const RETRY_MS = 60_000
const KEPT_MAX = 1000

/** What DNS lists say of our domains, for the operator's page: asked when somebody looks, at most once an hour for each. */
export class DomainLists {
  readonly #deps: Names & { readonly clock: Clock }
  readonly #kept = new BoundedMap<string, { readonly lists: DnsLists; readonly until: number }>(KEPT_MAX)

  constructor(deps: Names & { readonly clock: Clock }) {
    this.#deps = deps
  }

  /** By domain. Those for trying out are missing. */
  async of(domains: readonly string[]): Promise<ReadonlyMap<string, DnsLists>> {
    const { clock } = this.#deps
    const asked = domains.filter(domain => !isLocalName(domain) && (this.#kept.get(domain)?.until ?? 0) <= clock())
    const answering = asked.length === 0 ? [] : await this.#answering()
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      await Promise.all(asked.slice(at, at + AT_ONCE).map(domain => this.#ask(domain, answering)))
    }
    return new Map(
      domains.flatMap(domain => {
        const lists = this.#kept.get(domain)?.lists
        return lists ? [[domain, lists]] : []
      }),
    )
  }

  async #answering(): Promise<List[]> {
    const states = await Promise.all(DOMAIN_LISTS.map(each => stateOf(this.#deps, each)))
    return DOMAIN_LISTS.filter((_, at) => states[at] === 'answers')
  }

  async #ask(domain: string, answering: readonly List[]): Promise<void> {
    const naming = await listing(this.#deps, domain, answering)
    const now = this.#deps.clock()
    const lists = { at: toIso(now), naming, answered: zonesOf(answering) }
    this.#kept.set(domain, { lists, until: now + (answering.length < DOMAIN_LISTS.length ? RETRY_MS : KEPT_MS) })
  }
}

function unlisted(name: string, lists: readonly string[]): Finding {
  return ok('lists', `No list names ${name}: ${lists.length > 1 ? 'neither' : 'only this one was asked,'} ${lists.join(', nor ')}.`)
}

async function lookUpDomain(context: DoctorContext, domain: string, lists: readonly List[]): Promise<Finding> {
  const listed = [...(disposableSince(domain) === null ? [] : [LIST]), ...(await listing(context, domain, lists))]
  if (listed.length === 0) return unlisted(domain, [LIST, ...zonesOf(lists)])
  const remedy = 'Offer another domain, and retire this one: docs/operations.md#domains. A DNS blocklist says why when you ask it.'
  return warning('lists', `${domain} is on ${listed.join(' and on ')}: sites that look there refuse addresses at it.`, remedy)
}

async function lookUpSender(context: DoctorContext, ip: string, lists: readonly List[]): Promise<Finding> {
  const listed = await listing(context, reversedLabels(ip).labels, lists)
  if (listed.length === 0) return unlisted(`${ip}, the address of this machine`, zonesOf(lists))
  const sentence = `${ip}, the address of this machine, is on ${listed.join(' and on ')}.`
  return warning('lists', sentence, 'Ask the list why: the one before you had it, or something on this machine sends mail.')
}

/** Many lists refuse the resolvers of large providers, which ask for too many at once. */
function unanswered(refusing: readonly string[], silent: readonly string[]): Finding[] {
  const remedy =
    'Run a resolver of your own (apt-get install unbound) and name it in DNS_SERVERS, or ask the list for a free key: Spamhaus calls it Data Query Service.'
  return [
    ...(refusing.length > 0
      ? [warning('lists', `${refusing.join(', ')} refuse to answer your resolver, so nothing was looked up there.`, remedy)]
      : []),
    ...(silent.length > 0
      ? [
          warning(
            'lists',
            `${silent.join(', ')} did not answer, not even for what they always list.`,
            'Check the network and DNS_SERVERS: some resolvers leave out what lists say.',
          ),
        ]
      : []),
  ]
}

const LEAVE_OUT = 'Leave it out of DNS_BLOCKLISTS'

/** Checks the lists of DNS_BLOCKLISTS: whether each works (RFC 5782 section 5), and whether one lists this machine. */
export async function checkBlocklists(context: DoctorContext): Promise<Finding[]> {
  const { dnsBlocklists: lists } = context.config
  if (lists.length === 0) return []
  const own = await ownAddresses(context)
  return (await Promise.all(lists.map(list => checkList(context, list, own)))).flat()
}

async function checkList({ names }: DoctorContext, list: string, own: readonly string[]): Promise<Finding[]> {
  const ask = (ip: string) => names.addresses(`${reversedLabels(ip).labels}.${list}`)
  try {
    const [always, never] = await Promise.all([ask(ALWAYS_LISTED), ask(NEVER_LISTED)])
    if (always.some(isRefusal)) {
      const remedy = `Many lists refuse public resolvers: name one of your own in DNS_SERVERS, or get an account. ${LEAVE_OUT} otherwise.`
      return [failure('blocklist', `${list} refuses to answer this resolver, so no sender is looked up there.`, remedy)]
    }
    if (never.some(isListing)) return [failure('blocklist', `${list} lists every address: it was probably shut down.`, `${LEAVE_OUT}.`)]
    if (!always.some(isListing))
      return [
        failure('blocklist', `${list} does not list its own test address ${ALWAYS_LISTED}.`, `Correct its name. ${LEAVE_OUT} otherwise.`),
      ]
    const listed = await Promise.all(own.map(async ip => ((await ask(ip)).some(isListing) ? [ip] : [])))
    return [
      ok('blocklist', `${list} answers.`),
      ...listed
        .flat()
        .map(ip =>
          warning(
            'blocklist',
            `${ip}, the address of this machine, is on ${list}.`,
            'Ask the list why: something on this machine sends mail.',
          ),
        ),
    ]
  } catch (error) {
    return [
      warning(
        'blocklist',
        `${list} did not answer (${errorReason(error)}).`,
        `Check the network and DNS_SERVERS. ${LEAVE_OUT} if it stays so.`,
      ),
    ]
  }
}

/** The address where our mail arrives, as senders see it. */
async function ownAddresses({ config, names }: DoctorContext): Promise<string[]> {
  if (isLocalName(config.mailHost)) return []
  return (await names.addresses(config.mailHost).catch(() => [])).filter(isPublicIp)
}
