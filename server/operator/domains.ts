import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { HOUR_MS } from '#contract/limits.ts'
import { type AuditAction, type Counts, DOMAIN_STATES, type OperatorDomain } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { type DatabaseSchema, REMOVED_DOMAIN } from '#server/database/schema.ts'
import { AppError, invalid } from '#server/errors.ts'
import { domainOfAddress, initialDomains, type MailDomain } from '#server/mail/addresses/mail-domains.ts'
import { toIso } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { DEFAULT_DOMAIN } from '#server/platform/config/settings.ts'
import { bareDomain, DOMAIN_NAME, normaliseDomain } from '#server/platform/net/domain-names.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import type { AuditedBy, AuditLog } from './audit-log.ts'
import { errorReason, isLocalName } from './doctor/context.ts'
import { bumpRevision } from './settings.ts'

/** Limited, because every page holds the list. */
const DOMAINS_MAX = 500
/** How exactly it is known until when addresses live. Coarse, so that creating an address rarely writes. */
const LIVING_STEP_MS = 600_000
/** Every process has read a change by then. A domain that ends goes on for so long, because others still give addresses there. */
const KNOWN_EVERYWHERE_MS = 10_000
/** A removed domain is remembered while addresses live there, because it may be added again, and for this long after them. */
const REMEMBERED_MS = HOUR_MS

/** `livingUntil`: milliseconds since the epoch, rounded up; after it no address at this domain lives. */
type StoredDomain = MailDomain & { readonly livingUntil: number }

/** `config`: what else the operator set: names that depend on the domains, and where DNS is asked. */
type DomainsDeps = DatabaseAccess & { readonly audit: AuditLog; readonly config: Config }

/** What `add` did. `missing`: why mail for it would not arrive yet, so that it is paused. */
type AddedDomain = StoredDomain & { readonly missing?: string | undefined }

/**
 * The domains of this server, in the order in which they are offered. Changes are in the audit log and reach every process within a
 * second. AppError `invalid_request` says what to do instead; `not_found` for a domain that is not in the list.
 */
export class StoredDomains {
  readonly #deps: DomainsDeps
  readonly #livingUntil = new Map<string, number>()

  constructor(deps: DomainsDeps) {
    this.#deps = deps
  }

  async list(): Promise<StoredDomain[]> {
    return (await readRows(this.#deps.db)).filter(isThere).map(toStored)
  }

  /** Includes the domains that mail is still taken for, such as one that was just removed. */
  async inUse(): Promise<MailDomain[]> {
    const rows = await readRows(this.#deps.db)
    return rows
      .filter(row => isThere(row) || row.ends_at !== null)
      .map(row => {
        const { livingUntil: _, ...domain } = toStored(row)
        return isThere(row) ? domain : { ...domain, state: 'retired' }
      })
  }

  /**
   * `*.box.example`: with subdomains. Adding one again changes only whether it has them, and not while addresses live at them. One whose
   * mail does not come here yet is paused, unless `isOffered`.
   */
  async add(actor: AuditedBy, given: string, { isOffered = false } = {}): Promise<AddedDomain> {
    const { clock, config } = this.#deps
    const [asked] = initialDomains([given.trim()])
    const name = normaliseDomain(asked?.name ?? '')
    if (!asked || !DOMAIN_NAME.test(name))
      throw invalid('A domain looks like box.example, or *.box.example for addresses at subdomains of it.')
    this.#refuseOwnForwarding({ ...asked, name })
    const missing = isOffered ? undefined : await missingRecord({ ...asked, name }, config)
    const added = await this.#change(actor, 'domain.add', name, async (step, all) => {
      const present = all.find(domain => domain.name === name)
      if (present) {
        refuseAgain(present, asked, clock())
        if (asked.hasSubdomains && missing !== undefined)
          throw invalid(`${missing} Add what "mayfly dns '*.${name}'" prints first, or add it with --offer.`)
        await step
          .updateTable('mail_domains')
          .set({ has_subdomains: asked.hasSubdomains ? 1 : 0 })
          .where('name', '=', name)
          .execute()
        return
      }
      if (all.length >= DOMAINS_MAX) throw invalid(`There are ${DOMAINS_MAX} domains. Remove one first.`)
      const forgotten = clock() - REMEMBERED_MS
      const isOver = step.deleteFrom('mail_domains').where('state', '=', REMOVED_DOMAIN).where('living_until', '<=', forgotten)
      await isOver.where(is => is.or([is('ends_at', 'is', null), is('ends_at', '<=', forgotten)])).execute()
      const { next } = await step.selectFrom('mail_domains').select(step.fn.max('position').as('next')).executeTakeFirstOrThrow()
      await insert(step, { ...asked, name, state: missing === undefined ? 'offered' : 'paused' }, Number(next ?? 0) + 1, clock())
    })
    return added.state === 'offered' ? added : { ...added, missing }
  }

  /** `isFirst`: from now on the default. */
  async offer(actor: AuditedBy, name: string, { isFirst = false }: { isFirst?: boolean | undefined } = {}): Promise<StoredDomain> {
    return this.#change(actor, 'domain.offer', name, async (step, all) => {
      const domain = known(all, name)
      this.#refuseOwnForwarding(domain)
      const row = step.updateTable('mail_domains').where('name', '=', domain.name)
      await row.set({ state: 'offered', ends_at: null }).execute()
      if (!isFirst) return
      const { first } = await step.selectFrom('mail_domains').select(step.fn.min('position').as('first')).executeTakeFirstOrThrow()
      await row.set({ position: Number(first ?? 0) - 1 }).execute()
    })
  }

  /** No new addresses there. */
  async pause(actor: AuditedBy, name: string): Promise<StoredDomain> {
    return this.#change(actor, 'domain.pause', name, async (step, all) => {
      const domain = known(all, name)
      requireAnother(all, domain)
      await step.updateTable('mail_domains').set({ state: 'paused', ends_at: null }).where('name', '=', domain.name).execute()
    })
  }

  /** No new addresses there, and no mail after `endsAt`: milliseconds since the epoch, by default when the last address has ended. */
  async retire(actor: AuditedBy, name: string, endsAt?: number): Promise<StoredDomain> {
    return this.#change(actor, 'domain.retire', name, async (step, all) => {
      const domain = known(all, name)
      requireAnother(all, domain)
      const now = this.#deps.clock()
      const earliest = Math.max(domain.livingUntil, now)
      if (endsAt !== undefined && endsAt < earliest)
        throw invalid(`Addresses at ${domain.name} live until ${toIso(earliest)}: name a time after that.`)
      const end = Math.max(endsAt ?? 0, now + KNOWN_EVERYWHERE_MS)
      // The row is asked as it is now: an address may have been created since it was read.
      const ends_at = sql<number>`case when living_until > ${end} then living_until else ${end} end`
      await step.updateTable('mail_domains').set({ state: 'retired', ends_at }).where('name', '=', domain.name).execute()
    })
  }

  /** `isNow`: although addresses live there, or settings name it, which get no more mail. */
  async remove(actor: AuditedBy, name: string, { isNow = false } = {}): Promise<void> {
    const { clock, audit, config } = this.#deps
    await inOrder(this.#deps.db, async (step, all) => {
      const domain = known(all, name)
      requireAnother(all, domain)
      const using = isNow ? [] : settingsAt(domain, config)
      if (using.length > 0)
        throw invalid(
          `${using.join(' and ')} ${using.length === 1 ? 'uses' : 'use'} ${domain.name}: answers to your mail, and mail to postmaster and abuse there, would be refused. Pause it instead; or remove it now, if you mean it.`,
        )
      const now = clock()
      const row = { state: REMOVED_DOMAIN, ends_at: isNow ? null : now + KNOWN_EVERYWHERE_MS }
      const removal = step.updateTable('mail_domains').set(row).where('name', '=', domain.name)
      // The row is asked as it is now: an address may have been created since it was read.
      const { numUpdatedRows } = await (isNow ? removal : removal.where('living_until', '<=', now)).executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        const { livingUntil } = known((await readRows(step)).map(toStored), name)
        throw invalid(
          `Addresses at ${domain.name} live until ${toIso(livingUntil)}. Retire it, and remove it after that; or remove it now, and they get no more mail.`,
        )
      }
      await audit.add(actor, 'domain.remove', domain.name, step)
    })
  }

  /** Resolves when it is recorded that an address at this domain lives until `expiresAt`, milliseconds since the epoch. */
  async keepUntil(name: string, expiresAt: number): Promise<void> {
    const until = Math.ceil(expiresAt / LIVING_STEP_MS) * LIVING_STEP_MS
    const known = this.#livingUntil.get(name) ?? 0
    if (known >= until) return
    // First, so that a slow database is asked once.
    this.#livingUntil.set(name, until)
    try {
      const { db } = this.#deps
      const row = db.updateTable('mail_domains').set({ living_until: until }).where('name', '=', name)
      await row.where('living_until', '<', until).execute()
      const ended = await db
        .selectFrom('mail_domains')
        .select('name')
        .where('name', '=', name)
        .where('ends_at', '<', until)
        .executeTakeFirst()
      // This process had not heard of the domain's end when it gave the address.
      if (ended) await this.#endLater(name, until)
    } catch (error) {
      this.#livingUntil.set(name, known)
      throw error
    }
  }

  async #endLater(name: string, until: number): Promise<void> {
    await inOrder(this.#deps.db, async step => {
      const row = step.updateTable('mail_domains').set({ state: 'retired', ends_at: until }).where('name', '=', name)
      await row.where('ends_at', '<', until).execute()
    })
  }

  /** What is forwarded to one of our own domains would come back and be forwarded again. */
  #refuseOwnForwarding(domain: MailDomain): void {
    const contactTo = this.#deps.config.contactTo
    if (contactTo !== undefined && domainOfAddress([domain], contactTo))
      throw invalid('CONTACT_TO is an address there, so what is forwarded would come back: name a mailbox elsewhere first.')
  }

  async #change(
    actor: AuditedBy,
    action: AuditAction,
    name: string,
    change: (step: Transaction<DatabaseSchema>, all: readonly StoredDomain[]) => Promise<void>,
  ): Promise<StoredDomain> {
    return inOrder(this.#deps.db, async (step, all) => {
      await change(step, all)
      await this.#deps.audit.add(actor, action, name, step)
      return known((await readRows(step)).map(toStored), name)
    })
  }
}

/** In one transaction. The revision comes first, because it locks: of two operators, the second sees what the first has done. */
async function inOrder<Result>(
  db: Kysely<DatabaseSchema>,
  change: (step: Transaction<DatabaseSchema>, all: readonly StoredDomain[]) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async step => {
    await bumpRevision(step)
    return change(step, (await readRows(step)).filter(isThere).map(toStored))
  })
}

/** At the first start: offers those of MAIL_DOMAINS. Later it changes nothing. `advice`: about those that are not in the database. */
export async function seedDomains({ db, clock }: Pick<DatabaseAccess, 'db' | 'clock'>, config: Config) {
  const initial = initialDomains(config.domains)
  let all = (await readRows(db)).filter(isThere).map(toStored)
  if (all.length === 0) {
    all = await inOrder(db, async (step, added) => {
      // Unless another process was faster.
      if (added.length === 0) for (const [position, domain] of initial.entries()) await insert(step, domain, position, clock())
      return (await readRows(step)).map(toStored)
    })
  }
  const missing = unservedNames(config, all)
  const sentence = `MAIL_DOMAINS names ${missing.join(', ')}, but it counts at the first start only. ${adviceForUnserved(missing, config)}`
  return { all, advice: missing.length > 0 ? sentence : undefined }
}

/** The names of MAIL_DOMAINS that are not among these domains. A default is no wish of anybody. */
export function unservedNames({ domains }: Config, served: readonly { readonly name: string }[]): string[] {
  return domains.map(bareDomain).filter(name => name !== DEFAULT_DOMAIN && !served.some(domain => domain.name === name))
}

/** What to do about them. */
export function adviceForUnserved(names: readonly string[], { domains, fromFirstDomain }: Config): string {
  const add = `Add it on the operator's page or with "mayfly domain add", or take it out of MAIL_DOMAINS`
  const following = Object.entries(names.includes(bareDomain(domains[0] ?? '')) ? fromFirstDomain : {})
  if (following.length === 0) return `${add}.`
  return `${add}, after you have set what follows from its first name: ${following.map(([name, value]) => `${name}=${value}`).join(' and ')}.`
}

/** Fewer are chance: sites refuse this or that address on any domain. */
const UNWELCOME_MIN = 5
const UNWELCOME_SHARE = 0.1

type DomainFacts = {
  readonly now: number
  /** See `OperatorDomain`. */
  readonly listedOn: (name: string) => string | null
}

/** The domains as the operator sees them. `day`: the counts of the last 24 hours. */
export function describeDomains(all: readonly StoredDomain[], day: Counts, { now, listedOn }: DomainFacts): OperatorDomain[] {
  return all.map(({ name, state, hasSubdomains, endsAt, livingUntil }) => {
    const counts = day.domains[name] ?? { addresses: 0, mails: 0, refusals: 0, unwelcome: 0 }
    return {
      name,
      state,
      hasSubdomains,
      endsAt: endsAt === null ? null : toIso(endsAt),
      livingUntil: livingUntil > now ? toIso(livingUntil) : null,
      counts,
      isWorn: counts.unwelcome >= Math.max(UNWELCOME_MIN, counts.addresses * UNWELCOME_SHARE),
      listedOn: listedOn(name),
    }
  })
}

/** The settings that name this domain. Mail is sent from it only through a relay. */
function settingsAt({ name }: MailDomain, { publicUrl, mailFrom, smtpRelayUrl }: Config): string[] {
  return [
    ...(new URL(publicUrl).hostname === name ? ['PUBLIC_URL'] : []),
    ...(smtpRelayUrl !== undefined && mailFrom.endsWith(`@${name}`) ? ['MAIL_FROM'] : []),
  ]
}

/** Says what DNS lacks for mail to come here; `undefined` if nothing, for names for trying out, or with `DNS_SERVERS=off`. */
async function missingRecord({ name, hasSubdomains }: MailDomain, config: Config): Promise<string | undefined> {
  if (!config.authenticateMail || isLocalName(name)) return undefined
  const names = createNameServer(config.dnsServers)
  // Any label: the record has a wildcard.
  const asked = hasSubdomains ? `a-subdomain.${name}` : name
  const shown = hasSubdomains ? `*.${name}` : name
  try {
    const exchanges = (await names.exchanges(asked)).map(exchange => exchange.toLowerCase()).filter(exchange => exchange !== '')
    if (exchanges.some(exchange => config.mailHosts.includes(exchange))) return undefined
    // Without an MX record senders take its own address (RFC 5321 section 5.1).
    const addressesOf = async (hosts: readonly string[]) => (await Promise.all(hosts.map(host => names.addresses(host)))).flat()
    const [theirs, ours] = await Promise.all([addressesOf(exchanges.length > 0 ? exchanges : [asked]), addressesOf(config.mailHosts)])
    if (theirs.some(address => ours.includes(address))) return undefined
    if (exchanges.length === 0) return `${shown} has no MX record.`
    return `Mail for ${shown} goes to ${exchanges.join(', ')}, which is not this server.`
  } catch (error) {
    return `DNS did not answer for ${shown} (${errorReason(error)}).`
  }
}

type DomainRow = Selectable<DatabaseSchema['mail_domains']>

async function readRows(db: Kysely<DatabaseSchema>): Promise<DomainRow[]> {
  return db.selectFrom('mail_domains').selectAll().orderBy('position').orderBy('name').execute()
}

const isThere = ({ state }: DomainRow) => state !== REMOVED_DOMAIN

function toStored({ name, state, has_subdomains, ends_at, living_until }: DomainRow): StoredDomain {
  return {
    name,
    // A state of a newer version takes mail, and gives no addresses.
    state: DOMAIN_STATES.find(one => one === state) ?? 'paused',
    hasSubdomains: Number(has_subdomains) === 1,
    endsAt: ends_at === null ? null : Number(ends_at),
    livingUntil: Number(living_until),
  }
}

/** One that was removed keeps until when addresses live there. */
async function insert(step: Transaction<DatabaseSchema>, domain: MailDomain, position: number, now: number): Promise<void> {
  const { name, hasSubdomains, state } = domain
  const row = { state, has_subdomains: hasSubdomains ? 1 : 0, position, ends_at: null, created_at: now }
  await step
    .insertInto('mail_domains')
    .values({ name, living_until: 0, ...row })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row))
    .execute()
}

function known(all: readonly StoredDomain[], given: string): StoredDomain {
  const name = normaliseDomain(bareDomain(given.trim()))
  const found = all.find(domain => domain.name === name)
  if (!found) throw new AppError('not_found', { detail: `${given} is not a domain of this server.` })
  return found
}

function refuseAgain({ name, state, hasSubdomains, livingUntil }: StoredDomain, asked: MailDomain, now: number): void {
  if (state !== 'offered') throw invalid(`${name} is in the list and not offered: offer it.`)
  if (hasSubdomains && !asked.hasSubdomains && livingUntil > now)
    throw invalid(`Addresses at subdomains of ${name} live until ${toIso(livingUntil)}, and would get no more mail.`)
}

function requireAnother(all: readonly StoredDomain[], { name, state }: StoredDomain): void {
  if (state === 'offered' && !all.some(other => other.name !== name && other.state === 'offered'))
    throw invalid(`${name} is the only domain where people get addresses: add or offer another one first.`)
}
