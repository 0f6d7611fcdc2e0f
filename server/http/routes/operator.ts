/** The operator's page: signing in with the second factor, figures, and the operator's actions. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { HOUR_MS } from '#contract/limits.ts'
import * as contract from '#contract/operator.ts'
import type { Account, SignedIn } from '#server/accounts/sessions.ts'
import type { StoredBlock } from '#server/operator/blocks.ts'
import type { Moderation } from '#server/operator/moderation.ts'
import type { Operator } from '#server/operator/operator.ts'
import type { ContactMessage, ReplyTo } from '#server/operator/operator-inbox.ts'
import { VERIFIED_MS } from '#server/operator/second-factor.ts'
import { addCounts } from '#server/operator/statistics.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import { type Clock, toIso } from '#server/platform/clock.ts'
import { build } from '#server/platform/installation.ts'
import { IpRanges, isIpRange } from '#server/platform/net/ip-address.ts'
import type { HttpEnv } from '../env.ts'
import { isHttps, operatorCookie, requireNamedOperator } from './credentials.ts'
import { type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function operatorRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  return [...operatorSessionRoutes(deps, guards), ...operatorOverviewRoutes(deps, guards), ...operatorActionRoutes(deps)]
}

function operatorSessionRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const { config, accounts, operator } = deps
  const { secondFactor } = operator

  async function setVerified(c: Context<HttpEnv>, { account, sessionId }: SignedIn): Promise<void> {
    const token = await secondFactor.openSession({ ...account, sessionId })
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${VERIFIED_MS / 1000}${isHttps(config) ? '; Secure' : ''}`
    c.header('set-cookie', `${operatorCookie(config)}=${token}; ${attributes}`, { append: true })
  }

  return [
    defineRoute(contract.readOperatorSession, async ({ c }) => {
      const { account, sessionId } = await requireNamedOperator(c, deps)
      const isVerified = await secondFactor.isVerified(sessionId, getCookie(c, operatorCookie(config)))
      return { isEnrolled: await secondFactor.isEnrolled(account), isVerified }
    }),
    defineRoute(contract.enrolSecondFactor, async request => {
      const { account, sessionId } = await requireNamedOperator(request.c, deps)
      await guards.enforcePasswordLimit(request, { account, sessionId })
      if (!(await accounts.passwords.isCorrect(account, request.body.password))) request.fail('credentials_wrong')
      return secondFactor.enrol({ ...account, sessionId })
    }),
    defineRoute(contract.confirmSecondFactor, async ({ c, body }) => {
      const signedIn = await requireNamedOperator(c, deps)
      const { account, sessionId } = signedIn
      const recoveryCodes = await secondFactor.confirm({ ...account, sessionId }, body.code)
      await setVerified(c, signedIn)
      return { recoveryCodes }
    }),
    defineRoute(contract.passSecondFactor, async ({ c, body }) => {
      const signedIn = await requireNamedOperator(c, deps)
      await guards.warningOwner('second_factor_locked', warn => secondFactor.pass(signedIn.account, body.code, warn))
      await setVerified(c, signedIn)
    }),
  ]
}

function operatorOverviewRoutes(
  { config, operator, admission: { limits }, server: { examine, certificates, startedAt } }: HttpDeps,
  guards: Guards,
): BoundRoute[] {
  const { statistics, rules, replies } = operator
  return [
    defineRoute(contract.readChecks, async request => {
      await guards.enforceLimit(request, limits.publicWrites)
      const findings = await examine()
      await operator.lastLook.keep(findings)
      return { findings }
    }),
    defineRoute(contract.readOverview, async () => {
      const read = [statistics.live(), statistics.lastDay(), operator.unread(), operator.lastLook.read()] as const
      const [now, points, unread, lastLook] = await Promise.all(read)
      const { isRegistrationOpen, difficulty, notice } = rules.policy
      const day = addCounts([...points, now])
      return {
        startedAt: toIso(startedAt),
        version: build.version,
        now,
        day,
        points: points.map(point => ({ ...point, at: toIso(point.at) })),
        certificates: certificates(),
        blocklists: config.dnsBlocklists.map(list => ({ list, mails: day.listed[list] ?? 0 })),
        settings: { isRegistrationOpen, difficulty, notice: notice ?? null },
        canReply: replies.canSend,
        unread,
        lastLook,
      }
    }),
  ]
}

const AUDIT_LISTED = 200

/** The operator's actions. Each is recorded in the audit log and takes effect at once in this process. */
function operatorActionRoutes({ clock, operator, moderation, server }: HttpDeps): BoundRoute[] {
  const { audit, rules, settings } = operator
  return [
    ...blockRoutes(operator, clock),
    ...domainRoutes(operator, server),
    defineRoute(contract.changeSettings, async ({ account, body }) => {
      const { isRegistrationOpen, difficulty, notice } = body
      if (isRegistrationOpen !== undefined) await settings.setRegistration(account.email, isRegistrationOpen)
      if (difficulty !== undefined) await settings.setDifficulty(account.email, difficulty)
      if (notice !== undefined) await settings.setNotice(account.email, notice ?? undefined)
      await rules.refresh()
    }),
    defineRoute(contract.destroyAddress, async ({ account, body, fail }) => {
      if (!(await moderation.destroyAddress(account.email, body.address))) fail('not_found')
    }),
    ...accountActionRoutes(moderation),
    defineRoute(contract.readAuditLog, async () => {
      const entries = await audit.list(AUDIT_LISTED)
      return { entries: entries.map(({ at, actor, action, subject }) => ({ at: toIso(at), actor, action, subject })) }
    }),
  ]
}

function blockRoutes({ blocks, rules }: Operator, clock: Clock): BoundRoute[] {
  return [
    defineRoute(contract.listBlocks, async () => ({ blocks: (await blocks.list()).map(toBlock) })),
    defineRoute(contract.addBlock, async ({ c, account, body, fail }) => {
      const { kind, value, hours } = body
      const network = value.trim()
      if (kind === 'network' && isIpRange(network) && new IpRanges([network]).has(c.get('clientIp'))) {
        fail('invalid_request', { detail: 'This range holds your own address.' })
      }
      const endsAt = hours === undefined ? null : clock() + Math.round(hours * HOUR_MS)
      const added = await blocks.add(account.email, { kind, value, endsAt })
      await rules.refresh()
      return toBlock(added)
    }),
    defineRoute(contract.removeBlock, async ({ account, params, fail }) => {
      if (!(await blocks.remove(account.email, toId(params.id)))) fail('not_found')
      await rules.refresh()
    }),
  ]
}

function domainRoutes(
  { storedDomains, rules, describeDomains }: Operator,
  { askLists }: Pick<HttpDeps['server'], 'askLists'>,
): BoundRoute[] {
  return [
    defineRoute(contract.listDomains, async () => {
      const { disposableSince } = await import('#server/operator/doctor/list-checks.ts')
      const described = await describeDomains(disposableSince)
      const lists = await askLists(described.map(({ name }) => name))
      return { domains: described.map(domain => ({ ...domain, dnsLists: lists.get(domain.name) ?? null })) }
    }),
    defineRoute(contract.addDomain, async ({ account, body }) => {
      const { missing } = await storedDomains.add(account.email, body.name)
      await rules.refresh()
      return { missing: missing ?? null }
    }),
    defineRoute(contract.changeDomain, async ({ account, params, body }) => {
      const { state, isFirst, endsAt } = body
      if (state === 'offered') await storedDomains.offer(account.email, params.name, { isFirst })
      if (state === 'paused') await storedDomains.pause(account.email, params.name)
      if (state === 'retired') await storedDomains.retire(account.email, params.name, endsAt === undefined ? undefined : Date.parse(endsAt))
      await rules.refresh()
    }),
    defineRoute(contract.removeDomain, async ({ account, params, query }) => {
      await storedDomains.remove(account.email, params.name, { isNow: query.now === '1' })
      await rules.refresh()
    }),
  ]
}

type AccountRequest = GuardedRequest<'forbidden' | 'not_found'> & { readonly account: Account; readonly body: { readonly email: string } }

function accountActionRoutes(moderation: Moderation): BoundRoute[] {
  /** Operators cannot do this to the account that they are signed in with. */
  async function actOnOther(
    { account, body, fail }: AccountRequest,
    act: (operator: string, email: string) => Promise<boolean>,
  ): Promise<void> {
    if ((await moderation.find(body.email))?.id === account.id) fail('forbidden')
    if (!(await act(account.email, body.email))) fail('not_found')
  }

  return [
    defineRoute(contract.findAccount, async ({ body, fail }) => {
      const { email, isSuspended } = (await moderation.find(body.email)) ?? fail('not_found')
      return { email, isSuspended }
    }),
    defineRoute(contract.suspendAccount, request => actOnOther(request, moderation.suspend.bind(moderation))),
    defineRoute(contract.resumeAccount, async ({ account, body, fail }) => {
      if (!(await moderation.resume(account.email, body.email))) fail('not_found')
    }),
    defineRoute(contract.destroyAccount, request => actOnOther(request, moderation.destroyAccount.bind(moderation))),
  ]
}

function toBlock({ id, kind, value, createdAt, endsAt }: StoredBlock) {
  return { id, kind, value, createdAt: toIso(createdAt), endsAt: endsAt === null ? null : toIso(endsAt) }
}

/** 0, which no row has, for anything but a number. */
const toId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

const MESSAGES_LISTED = 100
/** A row of the operator's page has room for so much. */
const EXCERPT_CHARS_MAX = 160

/** Messages to the operator, and the operator's answers. */
export function operatorMessageRoutes({ mail, operator }: HttpDeps): BoundRoute[] {
  const { contact, inbox, reports, audit, replies } = operator

  /** Recipient and subject of an answer. `undefined` if the message is gone or nobody can be answered. */
  async function findReplyTo({ about, id }: contract.OperatorReply): Promise<ReplyTo | undefined> {
    if (about === 'contact') {
      const message = await contact.read(id)
      return message && { to: message.email, subject: message.subject }
    }
    if (about === 'report') {
      const report = await reports.read(id)
      return report?.email === undefined ? undefined : { to: report.email, subject: `Report of abuse: ${report.address}` }
    }
    const message = await inbox.read(id)
    if (!message || message === 'sealed') return undefined
    const { replyTo, subject } = await mail.plainText(message.raw, message.envelopeFrom)
    return replyTo === '' ? undefined : { to: replyTo, subject }
  }

  return [
    defineRoute(contract.listOperatorMessages, async () => {
      const [messages, mails, reported] = await Promise.all([
        contact.list(MESSAGES_LISTED),
        inbox.list(MESSAGES_LISTED),
        reports.list(MESSAGES_LISTED),
      ])
      return {
        contact: messages.map(message => ({ ...toContactHead(message), excerpt: excerptOf(message.message) })),
        mail: mails.map(({ id, receivedAt, readAt, bytes, head }) => {
          const addresses = { recipient: oneLine(head?.recipient ?? ''), from: oneLine(head?.envelopeFrom ?? '') }
          return { id, receivedAt: toIso(receivedAt), isRead: readAt !== null, bytes, ...addresses }
        }),
        reports: reported.map(({ id, receivedAt, isRead, isClosed, report }) => {
          const about = { kind: report?.kind ?? '', address: report?.address ?? '', excerpt: excerptOf(report?.message ?? '') }
          return { id, receivedAt: toIso(receivedAt), isRead, isClosed, ...about }
        }),
      }
    }),
    defineRoute(contract.readContactMessage, async ({ params, fail }) => {
      const message = (await contact.read(toId(params.id))) ?? fail('not_found')
      return { ...toContactHead(message), message: message.message, language: message.language }
    }),
    defineRoute(contract.readOperatorMail, async ({ params, fail }) => {
      const message = await inbox.read(toId(params.id))
      if (!message || message === 'sealed') return fail('not_found')
      const plainText = await mail.plainText(message.raw, message.envelopeFrom)
      return { recipient: oneLine(message.recipient), from: oneLine(message.envelopeFrom), ...plainText }
    }),
    defineRoute(contract.readAbuseReport, async ({ params, fail }) => (await reports.read(toId(params.id))) ?? fail('not_found')),
    defineRoute(contract.closeAbuseReport, async ({ account, params, fail }) => {
      if (!(await reports.close(toId(params.id)))) fail('not_found')
      await audit.add(account.email, 'report.close', params.id)
    }),
    defineRoute(contract.sendReply, async ({ account, body, fail }) => {
      const replyTo = (await findReplyTo(body)) ?? fail('not_found')
      await replies.send(replyTo, body.text)
      await audit.add(account.email, 'reply.send', `${body.about} ${body.id}`)
    }),
  ]
}

function toContactHead({ id, received_at, read_at, name, email, subject }: ContactMessage) {
  return { id, receivedAt: toIso(received_at), isRead: read_at !== null, name, email, subject }
}

const excerptOf = (message: string) =>
  message
    .slice(0, 2 * EXCERPT_CHARS_MAX)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT_CHARS_MAX)
