/** Creating an address, reading its state, destroying it. */
import * as contract from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import type { RouteProblem } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import type { CreatedMailboxes } from '#server/accounts/idempotent-requests.ts'
import { accountOwner } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import { toIso } from '#server/platform/clock.ts'
import { InvalidRequest, parseCursor, readCondition, readIdempotencyKey, toReader } from '../requests/input.ts'
import { setHeaders } from '../responses/security-headers.ts'
import { type Actor, type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

type CreateRequest = GuardedRequest<RouteProblem<typeof contract.createMailbox>> & {
  readonly actor: Actor | undefined
  readonly body: contract.CreateMailbox
}

export function mailboxRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const create = createAddressCreator(deps, guards)
  return [
    defineRoute(contract.createMailbox, async request => {
      const { c, actor, body } = request
      setHeaders(c, [['cache-control', 'no-store']])
      const owner = actor?.by === 'api' ? actor.caller.owner : actor && accountOwner(actor.accountId)
      const scope = actor ? scopeOf(actor) : `network:${c.get('networks')[0]}`
      if (!actor) await checkVisitorRequest(deps, guards, request, scope)
      const created = await onceOnly(deps, request, scope, body, () => create(request, owner))
      return contract.withTimeLeft(created, deps.clock())
    }),
    ...apiMailboxRoutes(deps, guards),
    defineRoute(contract.readMailbox, ({ mailbox }) => ({ email: mailbox.email, ...contract.mailboxTimes(mailbox, deps.clock()) })),
    defineRoute(contract.destroyMailbox, async ({ mailbox, fail }) => {
      if (!(await deps.mail.destroyMailbox(mailbox))) fail('mailbox_not_found')
    }),
  ]
}

/** Actions on all mailboxes of an API key or API token. */
function apiMailboxRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const { accounts, admission, clock, config } = deps
  const { limits } = admission
  const { apiMailboxes } = accounts
  return [
    defineRoute(contract.createMailboxes, async request => {
      const { caller, body } = request
      const { count, domain, lifetimeSeconds = config.lifetimeSeconds, failure } = body
      const { mailboxes } = await onceOnly(deps, request, scopeOf({ by: 'api', caller }), body, async () => {
        await guards.checkLimit(request, limits.apiCreations, caller.owner, count)
        const created = await apiMailboxes.create(caller, { count, domain, lifetimeSeconds, failure }, () =>
          guards.enforceLimit(request, limits.apiCreations, caller.owner, count),
        )
        return { mailboxes: created, expiresAt: created[0]?.expiresAt ?? '' }
      })
      return { mailboxes: mailboxes.map(created => contract.withTimeLeft(created, clock())) }
    }),
    defineRoute(contract.listMailboxes, ({ caller, query }) => apiMailboxes.list(caller, query)),
    defineRoute(contract.destroyMailboxes, async ({ caller }) => ({ destroyed: await apiMailboxes.destroyAll(caller) })),
    defineRoute(contract.destroyMailboxById, async ({ caller, params, fail }) => {
      if (!(await apiMailboxes.destroy(caller, params.id))) fail('mailbox_not_found')
    }),
  ]
}

/**
 * A request that visitors may not make uses up nothing. The database records a key before the bot check, so neither such a request nor a
 * visitor without attempts may cause a write. What they got before is returned again.
 */
async function checkVisitorRequest(deps: HttpDeps, guards: Guards, request: CreateRequest, scope: string): Promise<void> {
  const { accounts, admission, operator } = deps
  const { limits } = admission
  const { domain, insteadOf, localPart, lifetimeSeconds, failure } = request.body
  if (localPart !== undefined || lifetimeSeconds !== undefined || failure !== undefined) {
    const detail = '`localPart` needs a session, an API key or an API token; `lifetimeSeconds` and `failure` a key or token.'
    request.fail('sign_in_required', { detail })
  }
  const { rules } = operator
  if (rules.policy.blocksRecipient(`@${rules.domains.choose(domain, insteadOf).name}`)) request.fail('domain_not_served')
  const key = readIdempotencyKey(request.c)
  if (key === undefined || (await accounts.idempotentRequests.isKnown({ scope, key }))) return
  await guards.checkLimit(request, limits.botCheckFailures)
  await guards.checkLimit(request, limits.newAddresses)
}

/** Another key or session of the same account may not read what a leaked `Idempotency-Key` of this one made. */
function scopeOf(actor: Actor): string {
  if (actor.by === 'session') return `session:${actor.sessionId}`
  return `${actor.caller.owner}:${Buffer.from(actor.caller.sealingKey).toString('base64')}`
}

/** Creates it, or returns what the same request with the same `Idempotency-Key` got before. */
function onceOnly<T extends CreatedMailboxes>(
  { accounts }: HttpDeps,
  { c }: GuardedRequest<'idempotency_key_in_use' | 'idempotency_key_reused'>,
  scope: string,
  request: unknown,
  make: () => Promise<T>,
): Promise<T> {
  const key = readIdempotencyKey(c)
  return key === undefined ? make() : accounts.idempotentRequests.once({ scope, key, request: [c.req.path, request] }, make)
}

/** `owner`: whose quotas and names an actor uses; `undefined` for a visitor. */
function createAddressCreator(deps: HttpDeps, guards: Guards) {
  const { accounts, admission, clock, config, mail, operator } = deps
  const { limits } = admission
  const { rules } = operator

  async function create(request: CreateRequest, owner: string | undefined) {
    const { insteadOf, localPart } = request.body
    const created =
      owner !== undefined && localPart !== undefined ? await countingTakenNames(request, owner) : await createForActor(request)
    if (insteadOf !== undefined) rules.noteUnwelcome(insteadOf)
    return created
  }

  /** Each refusal tells that somebody has the name, so these have a limit of their own. Reserved names are no secret. */
  async function countingTakenNames(request: CreateRequest, owner: string) {
    await guards.checkLimit(request, limits.takenNames, owner)
    try {
      return await createForActor(request)
    } catch (error) {
      if (error instanceof AppError && error.code === 'local_part_taken') await guards.enforceLimit(request, limits.takenNames, owner)
      throw error
    }
  }

  function createForActor(request: CreateRequest) {
    const { actor } = request
    if (actor?.by === 'api') return createForApi(request, actor.caller)
    return actor ? createForAccount(request, actor) : createForVisitor(request)
  }

  async function createForApi(request: CreateRequest, caller: ApiCaller) {
    const { domain, insteadOf, localPart, lifetimeSeconds = config.lifetimeSeconds, failure } = request.body
    refuseBlockedName(request)
    await guards.checkLimit(request, limits.apiCreations, caller.owner)
    const [created] = await accounts.apiMailboxes.create(caller, { domain, insteadOf, localPart, lifetimeSeconds, failure }, () =>
      guards.enforceLimit(request, limits.apiCreations, caller.owner),
    )
    return created ?? request.fail('unavailable')
  }

  /** Pages solve the check for every address, signed in or not. */
  async function createForAccount(request: CreateRequest, actor: Actor & { by: 'session' }) {
    const { domain, insteadOf, localPart, botCheck } = request.body
    const ofKeys = (['lifetimeSeconds', 'failure'] as const).filter(field => request.body[field] !== undefined)
    if (ofKeys.length > 0) throw new InvalidRequest(ofKeys.map(path => ({ path, message: 'needs an API key or API token' })))
    await guards.checkLimit(request, limits.newAddressesPro, actor.accountId)
    await guards.botCheck(request, botCheck, 'generate_email')
    refuseBlockedName(request)
    return accounts.proMailboxes.create(actor, { domain, insteadOf, localPart }, () =>
      guards.enforceLimit(request, limits.newAddressesPro, actor.accountId),
    )
  }

  /** Mail to a name that the operator blocks would be refused. */
  function refuseBlockedName({ body: { domain, insteadOf, localPart }, fail }: CreateRequest): void {
    if (localPart === undefined) return
    if (rules.policy.blocksRecipient(`${localPart}@${rules.domains.choose(domain, insteadOf).name}`)) fail('local_part_reserved')
  }

  /** The limit is checked before the bot check, so that no solution is wasted, and used up after it. */
  async function createForVisitor(request: CreateRequest) {
    const { domain, insteadOf, botCheck } = request.body
    await guards.checkLimit(request, limits.newAddresses)
    await guards.botCheck(request, botCheck, 'generate_email')
    await guards.enforceLimit(request, limits.newAddresses)
    const creator = request.c.get('networks')
    const created = await mail.createAddress({ domain, insteadOf, lifetimeSeconds: config.lifetimeSeconds, creator })
    if (rules.policy.blocksRecipient(created.email)) {
      // By chance: mail to this address would be refused.
      await mail.destroyMailbox(created)
      request.fail('domain_not_served')
    }
    return { email: created.email, token: created.token, ...contract.mailboxTimes(created, clock()) }
  }

  return create
}

/**
 * Messages of one mailbox and their attachments, by its token or, for one attachment, by a link that needs none. The id of another
 * mailbox's message gets the same response as an unknown id.
 */
export function messageRoutes({ mail }: HttpDeps): BoundRoute[] {
  return [
    defineRoute(contract.listMessages, async ({ c, mailbox, query, fail }) => {
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : parseCursor(query.before)
      const wanted = { condition: readCondition(query), before, limit: query.limit ?? Number.POSITIVE_INFINITY }
      return (await mail.listMessages(mailbox, wanted, toReader(c))) ?? fail('mailbox_not_found')
    }),
    defineRoute(contract.readMessage, async ({ c, mailbox, params, fail }) => {
      return (await mail.readMessage(mailbox, params.id, toReader(c))) ?? fail('message_not_found')
    }),
    defineRoute(contract.deleteMessage, async ({ mailbox, params, fail }) => {
      if (!(await mail.deleteMessage(mailbox, params.id))) fail('message_not_found')
    }),
    defineRoute(contract.readRawMessage, async ({ c, mailbox, params: { id }, fail }) => {
      const bytes = (await mail.readRaw(mailbox, id, toReader(c))) ?? fail('message_not_found')
      return { filename: 'message.eml', contentType: 'message/rfc822', bytes, etag: id }
    }),
    defineRoute(contract.readAttachment, async ({ c, mailbox, params: { id, index }, fail }) => {
      const found = await mail.readAttachment(mailbox, id, attachmentIndex(index), toReader(c))
      return { ...(found ?? fail('attachment_not_found')), etag: `${id}-${index}` }
    }),
    defineRoute(contract.createAttachmentLink, async ({ c, mailbox, params: { id, index }, fail }) => {
      const created = (await mail.createAttachmentLink(mailbox, id, attachmentIndex(index), toReader(c))) ?? fail('attachment_not_found')
      return { url: pathTo(routes.download, { capability: created.link }), expiresAt: toIso(created.expiresAt) }
    }),
    defineRoute(contract.downloadAttachment, async ({ c, params, query, fail }) => {
      const found = (await mail.openAttachmentLink(params.capability, toReader(c))) ?? fail('link_expired')
      // A link always names the same bytes, and no part of it may appear in a header.
      return { ...found, etag: `${found.bytes.length}`, isViewWanted: query.view === '1' }
    }),
  ]
}

/** ASCII digits only: other spellings of a number are unknown attachments. */
const attachmentIndex = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : -1)
