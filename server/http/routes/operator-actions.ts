/**
 * The operator's actions: blocks, addresses, accounts, settings. Each is recorded in the audit log and takes effect at once in this
 * process.
 */
import {
  addBlock,
  changeSettings,
  destroyAccount,
  destroyAddress,
  findAccount,
  listBlocks,
  readAuditLog,
  removeBlock,
  resumeAccount,
  suspendAccount,
} from '#contract/operator.ts'
import type { StoredBlock } from '#server/operator/blocks.ts'
import { IpRanges, isIpRange } from '#server/platform/net/ip-address.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Operator'
const AUDIT_LISTED = 200
const HOUR_MS = 3_600_000

type Deps = Pick<HttpDeps, 'config' | 'operator' | 'moderation' | 'livePolicy' | 'clock'>

export const toIso = (ms: number) => new Date(ms).toISOString()

export function operatorActionRoutes(deps: Deps): BoundRoute[] {
  return [...blockRoutes(deps), settingsRoute(deps), addressRoute(deps), ...accountRoutes(deps), auditRoute(deps)]
}

function blockRoutes({ operator: { blocks }, livePolicy, clock }: Deps): BoundRoute[] {
  return [
    defineRoute(listBlocks, {
      tag,
      summary: 'List the blocks in force',
      handle: async () => ({ blocks: (await blocks.list()).map(toBlock) }),
    }),
    defineRoute(addBlock, {
      tag,
      summary: 'Block a sender, a sender’s domain, a network or a recipient pattern',
      async handle({ c, account, body, fail }) {
        const { kind, value, hours } = body
        const network = value.trim()
        if (kind === 'network' && isIpRange(network) && new IpRanges([network]).has(c.var.clientIp)) {
          fail('invalid_request', { detail: 'This range holds your own address.' })
        }
        const endsAt = hours === undefined ? null : clock() + Math.round(hours * HOUR_MS)
        const added = await blocks.add(account.email, { kind, value, endsAt })
        await livePolicy.refresh()
        return toBlock(added)
      },
    }),
    defineRoute(removeBlock, {
      tag,
      summary: 'Remove a block',
      async handle({ account, params, fail }) {
        if (!(await blocks.remove(account.email, toId(params.id)))) fail('not_found')
        await livePolicy.refresh()
        return undefined
      },
    }),
  ]
}

function settingsRoute({ operator: { settings }, livePolicy }: Deps): BoundRoute {
  return defineRoute(changeSettings, {
    tag,
    summary: 'Change registration, difficulty or notice',
    async handle({ account, body }) {
      const { isRegistrationOpen, difficulty, notice } = body
      if (isRegistrationOpen !== undefined) await settings.setRegistration(account.email, isRegistrationOpen)
      if (difficulty !== undefined) await settings.setDifficulty(account.email, difficulty)
      if (notice !== undefined) await settings.setNotice(account.email, notice ?? undefined)
      await livePolicy.refresh()
      return undefined
    },
  })
}

function addressRoute({ moderation }: Deps): BoundRoute {
  return defineRoute(destroyAddress, {
    tag,
    summary: 'Destroy an address and its mail',
    async handle({ account, body, fail }) {
      if (!(await moderation.destroyAddress(account.email, body.address))) fail('not_found')
      return undefined
    },
  })
}

function accountRoutes({ moderation }: Deps): BoundRoute[] {
  return [
    defineRoute(findAccount, {
      tag,
      summary: 'Find an account by its e-mail address',
      async handle({ body, fail }) {
        const { email, isSuspended } = (await moderation.find(body.email)) ?? fail('not_found')
        return { email, isSuspended }
      },
    }),
    defineRoute(suspendAccount, {
      tag,
      summary: 'Suspend an account',
      async handle({ account, body, fail }) {
        if ((await moderation.find(body.email))?.id === account.id) fail('forbidden')
        if (!(await moderation.suspend(account.email, body.email))) fail('not_found')
        return undefined
      },
    }),
    defineRoute(resumeAccount, {
      tag,
      summary: 'End the suspension of an account',
      async handle({ account, body, fail }) {
        if (!(await moderation.resume(account.email, body.email))) fail('not_found')
        return undefined
      },
    }),
    defineRoute(destroyAccount, {
      tag,
      summary: 'Destroy an account, its addresses and their mail',
      async handle({ account, body, fail }) {
        if ((await moderation.find(body.email))?.id === account.id) fail('forbidden')
        if (!(await moderation.destroyAccount(account.email, body.email))) fail('not_found')
        return undefined
      },
    }),
  ]
}

function auditRoute({ operator: { audit } }: Deps): BoundRoute {
  return defineRoute(readAuditLog, {
    tag,
    summary: 'Read what operators did, newest first',
    async handle() {
      const entries = await audit.list(AUDIT_LISTED)
      return { entries: entries.map(({ at, actor, action, subject }) => ({ at: toIso(at), actor, action, subject })) }
    },
  })
}

function toBlock({ id, kind, value, createdAt, endsAt }: StoredBlock) {
  return { id, kind, value, createdAt: toIso(createdAt), endsAt: endsAt === null ? null : toIso(endsAt) }
}

/** Not a number: 0, which no row has. */
export function toId(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}
