/** Commands that decide: blocks, addresses, accounts, settings, API tokens; and what the operator looks up. */
import { LANGUAGES, perLanguage } from '#contract/languages.ts'
import { DIFFICULTY, HOUR_MS } from '#contract/limits.ts'
import { BLOCK_KINDS, type BlockKind } from '#contract/operator.ts'
import { proOwner } from '#server/accounts/owned-mailboxes.ts'
import { accountOwner } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import type { SiteNotice } from '#server/mail/policy.ts'
import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import { askServer, type ControlRequest } from '#server/operator/control.ts'
import { disposableSince } from '#server/operator/doctor/list-checks.ts'
import { describeDomains, type StoredDomains } from '#server/operator/domains.ts'
import { addCounts, readLastDay } from '#server/operator/statistics.ts'
import { toIso } from '#server/platform/clock.ts'
import { bareDomain } from '#server/platform/net/domain-names.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, type Given, parseId, type Write } from './command.ts'
import type { OperatorContext } from './operator-context.ts'

const DONE = 'Done. It takes effect within a second.\n'

export const setRegistration =
  (isRegistrationOpen: boolean): Command =>
  () =>
  async ({ operator: { settings } }, write) => {
    await settings.setRegistration(COMMAND_ACTOR, isRegistrationOpen)
    write(DONE, { isRegistrationOpen })
  }

export const DIFFICULTY_RANGE = `${DIFFICULTY.min}-${DIFFICULTY.max}`

export const setDifficulty: Command = ({ args: [given = ''] }) => {
  const times = /^\d+$/.test(given) ? Number(given) : 0
  if (times < DIFFICULTY.min || times > DIFFICULTY.max) throw new CommandError(EXIT.usage, `"difficulty set" needs ${DIFFICULTY_RANGE}.`)
  return async ({ operator: { settings } }, write) => {
    await settings.setDifficulty(COMMAND_ACTOR, times)
    write(DONE, { difficulty: times })
  }
}

/** With a text for each language, or none to remove the notice. */
export const setNotice: Command<Partial<SiteNotice>> = ({ values }) => {
  const shown = LANGUAGES.every(language => values[language] !== undefined) ? perLanguage(language => values[language] ?? '') : undefined
  return async ({ operator: { settings } }, write) => {
    await settings.setNotice(COMMAND_ACTOR, shown)
    write(DONE, { notice: shown ?? null })
  }
}

export const resetOperator: Command =
  ({ args: [email = ''] }) =>
  async ({ operator: { secondFactor, audit } }, write) => {
    if (!(await secondFactor.remove({ email }))) throw new CommandError(EXIT.notFound, 'No operator with this address has a second factor.')
    await audit.add(COMMAND_ACTOR, 'second-factor.reset', email)
    write('The second factor is gone; the next visit to /operator enrols a new one.\n', { reset: email })
  }

const HOURS_MAX = 87_600

export async function listBlocks({ operator: { blocks } }: OperatorContext, write: Write): Promise<void> {
  const listed = await blocks.list()
  if (listed.length === 0) write('Nothing is blocked.\n')
  for (const { id, kind, value, endsAt } of listed) {
    const end = endsAt === null ? null : toIso(endsAt)
    write(`${id}  ${kind.padEnd(9)}  ${plainLine(value)}  until ${end ?? 'removed'}\n`, { id, kind, value, endsAt: end })
  }
}

export const removeBlock: Command = given => {
  const id = parseId('block', 'remove', given)
  return async ({ operator: { blocks } }, write) => {
    if (!(await blocks.remove(COMMAND_ACTOR, id))) throw new CommandError(EXIT.notFound, `There is no block ${id}.`)
    write('Removed. It takes effect within a second.\n', { removed: id })
  }
}

export const addBlock: Command<{ readonly hours?: string | undefined }> = ({ args: [given = '', value = ''], values }) => {
  const hours = values.hours === undefined ? undefined : Number(values.hours)
  const kind = BLOCK_KINDS.find((known): known is BlockKind => known === given)
  if (!kind) throw new CommandError(EXIT.usage, `"${plain(given)}" is no kind of block: ${BLOCK_KINDS.join(', ')}.`)
  if (hours !== undefined && !(hours > 0 && hours <= HOURS_MAX))
    throw new CommandError(EXIT.usage, `--hours takes a number up to ${HOURS_MAX}.`)
  return async ({ operator: { blocks } }, write) => {
    const endsAt = hours === undefined ? null : Date.now() + hours * HOUR_MS
    const { id } = await blocks.add(COMMAND_ACTOR, { kind, value, endsAt })
    const end = endsAt === null ? null : toIso(endsAt)
    write(`Block ${id} is set. It takes effect within a second.\n`, { id, kind, value, endsAt: end })
  }
}

type DomainFlags = { readonly first?: boolean | undefined; readonly now?: boolean | undefined; readonly at?: string | undefined }

/** Other forms depend on the machine, and have years without end. */
const ISO_DAY = /^\d{4}-\d\d-\d\d(?:T|$)/

export const changeDomain =
  (action: 'offer' | 'pause' | 'retire' | 'remove'): Command<DomainFlags> =>
  ({ args: [name = ''], values: { first: isFirst = false, now: isNow = false, at } }) => {
    const endsAt = at === undefined ? undefined : Date.parse(ISO_DAY.test(at) ? at : '')
    if (Number.isNaN(endsAt)) throw new CommandError(EXIT.usage, '--at takes a time such as 2027-01-31T12:00Z.')
    return async ({ operator: { storedDomains: domains } }, write) => {
      const before = (await domains.list()).find(one => one.name === bareDomain(name.toLowerCase()))
      const changes = {
        offer: () => domains.offer(COMMAND_ACTOR, name, { isFirst }),
        pause: () => domains.pause(COMMAND_ACTOR, name),
        retire: () => domains.retire(COMMAND_ACTOR, name, endsAt),
        remove: () => domains.remove(COMMAND_ACTOR, name, { isNow }).then(() => undefined),
      }
      const after = await orNotFound<Awaited<ReturnType<StoredDomains['offer']>> | undefined>(changes[action]())
      const isSame = !isFirst && before && after && before.state === after.state && before.endsAt === after.endsAt
      write(isSame ? `Nothing changed: ${after.name} was in that state already.\n` : DONE, { domain: name, done: action })
    }
  }

export const addDomain: Command<{ readonly offer?: boolean | undefined }> =
  ({ args: [name = ''], values: { offer: isOffered = false } }) =>
  async ({ operator: { storedDomains } }, write) =>
    describeAdded(await orNotFound(storedDomains.add(COMMAND_ACTOR, name, { isOffered })), write)

async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw new CommandError(EXIT.notFound, error.detail ?? '')
    throw error
  }
}

function describeAdded({ name, hasSubdomains, state, missing }: Awaited<ReturnType<StoredDomains['add']>>, write: Write): void {
  const shown = hasSubdomains ? `*.${name}` : name
  const remedy = `Add what "mayfly dns ${hasSubdomains ? `'${shown}'` : shown}" prints, then: mayfly domain offer ${name}`
  const sentence = missing === undefined ? `${shown} is offered within a second.` : `${shown} is added, but paused. ${missing} ${remedy}`
  write(`${sentence}\n`, { domain: name, done: 'add', state, missing: missing ?? null })
}

export async function listDomains({ operator: { storedDomains }, database: { db } }: OperatorContext, write: Write): Promise<void> {
  const day = addCounts(await readLastDay(db, Date.now()))
  for (const one of describeDomains(await storedDomains.list(), day, { now: Date.now(), listedOn: disposableSince })) {
    const { name, hasSubdomains, state, endsAt, livingUntil, counts, isWorn, listedOn } = one
    const shown = hasSubdomains ? `*.${name}` : name
    const { addresses, mails, refusals, unwelcome } = counts
    const states = `${state}${endsAt === null ? '' : ` until ${endsAt}`}${livingUntil === null ? '' : `, addresses live until ${livingUntil}`}`
    const figures = `${addresses} ${addresses === 1 ? 'address' : 'addresses'}, ${mails} ${mails === 1 ? 'mail' : 'mails'}, ${refusals} refused, ${unwelcome} refused by sites`
    write(
      `${plainLine(shown)}  ${states}; in 24 hours ${figures}${isWorn ? ': it wears out' : ''}${listedOn === null ? '' : `; on the public list of ${listedOn}`}\n`,
      one,
    )
  }
}

export const destroyAddress: Command =
  ({ args: [given = ''] }) =>
  (view, write) =>
    askToDestroy(view, write, { destroyAddress: given }, 'No live address is called so.')

export const destroyAccount: Command =
  ({ args: [email = ''] }) =>
  (view, write) =>
    askToDestroy(view, write, { destroyAccount: email }, 'There is no such account.')

export const suspendAccount: Command =
  ({ args: [email = ''] }) =>
  async ({ moderation }, write) => {
    if (!(await moderation.suspend(COMMAND_ACTOR, email))) throw new CommandError(EXIT.notFound, 'There is no such account.')
    write('Suspended.\n', { email, isSuspended: true })
  }

export const resumeAccount: Command =
  ({ args: [email = ''] }) =>
  async ({ moderation }, write) => {
    if (!(await moderation.resume(COMMAND_ACTOR, email))) throw new CommandError(EXIT.notFound, 'No suspended account has this address.')
    write('The suspension has ended.\n', { email, isSuspended: false })
  }

export async function listAccounts({ database: { db } }: OperatorContext, write: Write): Promise<void> {
  const users = db.selectFrom('users').leftJoin('suspensions', 'suspensions.user_id', 'users.id')
  const rows = await users.select(['email', 'created_at', 'since']).orderBy('created_at', 'desc').limit(LISTED_MAX).execute()
  if (rows.length === 0) write('There is no account.\n')
  for (const { email, created_at, since } of rows) {
    const created = toIso(created_at)
    write(`${created}  ${plainLine(email)}${since === null ? '' : '  suspended'}\n`, {
      email,
      createdAt: created,
      isSuspended: since !== null,
    })
  }
}

/** Numbers only: the addresses of an account are sealed, and its mail is nobody else's. */
export const showAccount: Command =
  ({ args: [given = ''] }) =>
  async ({ database: { db }, moderation }, write) => {
    const found = await moderation.find(given)
    if (!found) throw new CommandError(EXIT.notFound, 'There is no such account.')
    const { id, email, isSuspended } = found
    const count = async (query: Promise<{ count: number | string | bigint }>) => Number((await query).count)
    const total = db.fn.countAll<number>().as('count')
    const owner = accountOwner(id)
    const mailboxes = (of: string) => db.selectFrom('owned_mailboxes').select(total).where('owner', '=', of).where('destroy_at', 'is', null)
    const [user, sessions, addresses, keys, apiAddresses, webhooks] = await Promise.all([
      db.selectFrom('users').select(['created_at', 'language']).where('id', '=', id).executeTakeFirstOrThrow(),
      count(db.selectFrom('sessions').select(total).where('user_id', '=', id).executeTakeFirstOrThrow()),
      count(mailboxes(proOwner(id)).executeTakeFirstOrThrow()),
      db.selectFrom('api_keys').select(['name', 'prefix', 'last_used_at']).where('user_id', '=', id).orderBy('created_at').execute(),
      count(mailboxes(owner).executeTakeFirstOrThrow()),
      count(db.selectFrom('webhooks').select(total).where('owner', '=', owner).executeTakeFirstOrThrow()),
    ])
    const createdAt = toIso(user.created_at)
    const apiKeys = keys.map(({ name, prefix, last_used_at }) => ({ name, prefix, lastUsedAt: last_used_at && toIso(last_used_at) }))
    const counts = { sessions, addresses, apiAddresses, webhooks }
    const lines = [
      `${plainLine(email)}${isSuspended ? '  suspended' : ''}`,
      `created ${createdAt}, language ${user.language}`,
      ...Object.entries(counts).map(([name, n]) => `${name.padEnd(14)}${n}`),
      ...apiKeys.map(({ name, prefix, lastUsedAt }) => `API key ${prefix}…  ${plainLine(name)}  last used ${lastUsedAt ?? 'never'}`),
    ]
    write(`${lines.join('\n')}\n`, { email, createdAt, language: user.language, isSuspended, ...counts, apiKeys })
  }

async function askToDestroy({ config }: OperatorContext, write: Write, request: ControlRequest, absent: string): Promise<void> {
  const reply = await askServer(config.dataDir, request)
  if (!reply)
    throw new CommandError(
      EXIT.unreachable,
      'The server does not run on this data folder: only it can open the mail database. Start it first.',
    )
  if (reply.failure !== undefined) throw new CommandError(EXIT.failed, reply.failure)
  if (!reply.isDone) throw new CommandError(EXIT.notFound, absent)
  write('Destroyed.\n', { destroyed: request.destroyAddress ?? request.destroyAccount })
}

const NAME = /^[\w.-]{1,60}$/
/** Completes "needs" where it is missing. */
export const NAME_NEEDS = 'a name of up to 60 letters, digits, dots, hyphens and underscores'

function parseName({ args: [name = ''] }: Given): string {
  if (NAME.test(name)) return name
  throw new CommandError(EXIT.usage, `"${plainLine(name)}" cannot be the name of a token: it needs ${NAME_NEEDS}.`)
}

export const revokeToken: Command = given => {
  const name = parseName(given)
  return async ({ apiTokens, config, operator: { audit } }, write) => {
    if (await apiTokens.revoke(name)) {
      await audit.add(COMMAND_ACTOR, 'token.revoke', name)
      if (isConfigured(config, name)) {
        const left = 'is revoked, but API_TOKENS has one of the same name, which works on: remove it there, and start the server again.'
        throw new CommandError(EXIT.failed, `The stored token "${name}" ${left}`)
      }
      return write('Revoked. The mailboxes that it created live to their end.\n', { revoked: name })
    }
    if (!isConfigured(config, name)) throw new CommandError(EXIT.notFound, `There is no token "${name}".`)
    throw new CommandError(EXIT.failed, `"${name}" is in API_TOKENS: remove it there, and start the server again.`)
  }
}

const isConfigured = ({ apiTokens }: OperatorContext['config'], name: string) => apiTokens.some(configured => configured.name === name)

/** The running server knows it at once. */
export const createToken: Command = given => {
  const name = parseName(given)
  return async ({ apiTokens, config, operator: { audit } }, write) => {
    const created = isConfigured(config, name) ? undefined : await apiTokens.create(name)
    if (created === undefined)
      throw new CommandError(EXIT.failed, `There is already a token "${name}". Revoke it first, or choose another name.`)
    await audit.add(COMMAND_ACTOR, 'token.create', name)
    write(`${created}\n\nGive this token to the script; it is shown only now. The server knows it already.\n`, { name, token: created })
  }
}

export async function listTokens({ apiTokens, config }: OperatorContext, write: Write): Promise<void> {
  const stored = await apiTokens.list()
  if (stored.length + config.apiTokens.length === 0) write('There is no API token.\n')
  for (const { name, createdAt, lastUsedAt } of stored) {
    const [created, used] = [toIso(createdAt), lastUsedAt && toIso(lastUsedAt)]
    write(`${name.padEnd(20)}  created ${created}  last used ${used ?? 'never'}\n`, { name, createdAt: created, lastUsedAt: used })
  }
  for (const { name } of config.apiTokens) write(`${name.padEnd(20)}  in API_TOKENS\n`, { name, isConfigured: true })
}

/** Stores nothing: the operator adds the printed line to the configuration. */
export async function newToken(given: Given, write: Write): Promise<void> {
  const name = parseName(given)
  const { createApiToken } = await import('#server/accounts/api-credentials.ts')
  const created = createApiToken()
  const text = `${created.token}

Give this token to the script; it is shown only now. The server knows it by its hash. Start the server with

  API_TOKENS=${name}:${created.sha256}

Several tokens stand in one API_TOKENS, separated by commas. Remove a pair and start again to revoke its token.
`
  write(text, { name, ...created, setting: `API_TOKENS=${name}:${created.sha256}` })
}

const TABLES = ['users', 'sessions', 'owned_mailboxes', 'api_keys', 'contact_messages', 'operator_messages', 'outbox'] as const

export async function stats({ database: { db } }: OperatorContext, write: Write): Promise<void> {
  const rows: Record<string, number> = {}
  for (const table of TABLES) {
    const { count } = await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    rows[table] = Number(count)
  }
  const articles = await db.selectFrom('blog_post_views').selectAll().orderBy('post_id').execute()
  const views = Object.fromEntries(articles.map(({ post_id, views_count }) => [post_id, views_count]))
  const lines = [
    ...Object.entries(rows).map(([table, count]) => `${table.padEnd(20)}${count}\n`),
    ...Object.entries(views).map(([article, count]) => `${`views of ${article}`.padEnd(40)}${count}\n`),
  ]
  write(lines.join(''), { rows, views })
}

const LISTED_MAX = 200

export async function audit({ operator }: OperatorContext, write: Write): Promise<void> {
  const entries = await operator.audit.list(LISTED_MAX)
  if (entries.length === 0) write('Nothing was done yet.\n')
  for (const { at, actor, action, subject } of entries) {
    const time = toIso(at)
    write(`${time}  ${plainLine(`${actor}  ${action}  ${subject}`)}\n`, { at: time, actor, action, subject })
  }
}
