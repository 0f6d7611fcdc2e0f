import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { CreateWebhook, Webhook, WebhookCreated } from '#contract/notifications.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { endWebhooks, hashMailbox, keepIfLive, removeDeliveries } from '#server/database/mailbox-rows.ts'
import { asOwner, type Right, type Step, withRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { toIso } from '#server/platform/clock.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { RequestTargets } from './guarded-request.ts'

/** After a rotation both secrets sign for this long, so that a receiver can change over without losing a request. */
const BOTH_SECRETS_MS = DAY_MS
/** One account or API token may have so many. */
const WEBHOOKS_PER_ACCOUNT_MAX = 20
const WEBHOOKS_PER_MAILBOX_MAX = 5
/** Who owns a webhook: one mailbox, until it ends, or all mailboxes of an account or API token. */
export type WebhookOwner =
  | { readonly kind: 'mailbox'; readonly mailboxId: MailboxId; readonly expiresAt: number }
  | ({ readonly kind: 'account' } & Right)

type Deps = DatabaseAccess & { readonly targets: RequestTargets; readonly isLive: (mailboxId: MailboxId) => Promise<boolean> }

export type WebhookRow = DatabaseSchema['webhooks']

/** Webhooks, with sealed URLs and secrets. `WebhookDeliveries` sends their requests. */
export class WebhookRegistry {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The only time that the secret is returned. AppError `webhook_target_refused`, `webhooks_max`, `mailbox_not_found`. */
  async create(of: WebhookOwner, request: CreateWebhook): Promise<WebhookCreated> {
    const { clock, targets } = this.#deps
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    const refusal = url ? targets.refuse(url) : 'not_https'
    if (!url || refusal !== undefined) throw new AppError('webhook_target_refused', { detail: REFUSALS[refusal ?? 'not_https'] })
    const owner = this.#ownerKey(of)
    const secret = createWebhookSecret()
    const id = randomUUID()
    const row = {
      id,
      owner,
      sealed_url: this.#seal(id, url.href),
      sealed_secret: this.#seal(id, secret),
      sealed_old_secret: null,
      rotated_at: null,
      created_at: clock(),
      expires_at: of.kind === 'mailbox' ? of.expiresAt : null,
      failures: 0,
      last_reason: null,
      disabled_reason: null,
      api_key_id: (of.kind === 'account' && of.apiKeyId) || null,
    }
    const max = of.kind === 'mailbox' ? WEBHOOKS_PER_MAILBOX_MAX : WEBHOOKS_PER_ACCOUNT_MAX
    const insert = async (step: Step) => {
      const held = step.selectFrom('webhooks').select('id').where('owner', '=', owner)
      if ((await held.execute()).length >= max) throw new AppError('webhooks_max', { detail: `There may be ${max}.` })
      await step.insertInto('webhooks').values(row).execute()
    }
    await this.#inStep(of, insert)
    if (of.kind === 'mailbox' && !(await keepIfLive(this.#deps, [of.mailboxId]))) throw new AppError('mailbox_not_found')
    return { ...this.#describe(row), secret }
  }

  async list(of: WebhookOwner): Promise<Webhook[]> {
    const rows = await this.#own(of).selectAll().orderBy('created_at').orderBy('id').execute()
    return rows.map(row => this.#describe(row))
  }

  async find(of: WebhookOwner, id: string): Promise<WebhookRow | undefined> {
    return await this.#own(of).selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Removes its waiting deliveries too. `false` if there is none. */
  async remove(of: WebhookOwner, id: string): Promise<boolean> {
    if (!(await this.find(of, id))) return false
    const isEnded = await this.#inStep(of, async step => {
      const own = await this.#own(of, step).select('id').where('id', '=', id).executeTakeFirst()
      return own !== undefined && (await endWebhooks(step, 'id', own.id))
    })
    if (isEnded) await removeDeliveries(this.#deps, 'webhook_id', [id])
    return isEnded
  }

  /** Creates a new secret, resets failures and enables a disabled webhook. `undefined` if there is none. */
  rotate(of: WebhookOwner, id: string): Promise<WebhookCreated | undefined> {
    return this.#inStep(of, async step => {
      const row = await this.#own(of, step).selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return undefined
      const secret = createWebhookSecret()
      const changes = {
        sealed_secret: this.#seal(id, secret),
        sealed_old_secret: row.sealed_secret,
        rotated_at: this.#deps.clock(),
        failures: 0,
        disabled_reason: null,
      }
      const rotated = await step.updateTable('webhooks').set(changes).where('id', '=', id).returning('id').executeTakeFirst()
      return rotated && { ...this.#describe({ ...row, ...changes }), secret }
    })
  }

  /**
   * Webhooks that cover this mailbox, and whether each may be told its address: those of the mailbox and of the key that made it. The other
   * keys of an account see its mailboxes without their addresses.
   */
  async listening(mailboxId: MailboxId, maker: Right): Promise<Map<string, { knowsAddress: boolean }>> {
    const { db, clock } = this.#deps
    const own = this.#mailboxKey(mailboxId)
    const columns = ['id', 'owner', 'api_key_id', 'expires_at'] as const
    const enabled = db.selectFrom('webhooks').select(columns).where('owner', 'in', [own, maker.owner]).where('disabled_reason', 'is', null)
    const live = (await enabled.execute()).filter(({ expires_at: end }) => end === null || end > clock())
    const knowsAddress = (row: (typeof live)[number]) => row.owner === own || row.api_key_id === (maker.apiKeyId ?? null)
    return new Map(live.map(row => [row.id, { knowsAddress: knowsAddress(row) }]))
  }

  async exist(): Promise<boolean> {
    return (await this.#deps.db.selectFrom('webhooks').select('id').limit(1).executeTakeFirst()) !== undefined
  }

  /** URL and secrets; `undefined` if they were sealed under another secret. */
  open(row: WebhookRow): { url: string; secrets: string[] } | undefined {
    const [url, secret, old] = [row.sealed_url, row.sealed_secret, row.sealed_old_secret].map(
      sealed => sealed && this.#open(row.id, sealed),
    )
    if (!url || !secret) return undefined
    const isRecent = row.rotated_at !== null && row.rotated_at + BOTH_SECRETS_MS > this.#deps.clock()
    return { url, secrets: [secret, ...(old && isRecent ? [old] : [])] }
  }

  /** An API key has those that it created: the secret of another's would outlive its revocation. The account itself has all. */
  #own(of: WebhookOwner, db: Kysely<DatabaseSchema> = this.#deps.db) {
    const owned = db.selectFrom('webhooks').where('owner', '=', this.#ownerKey(of))
    return of.kind === 'account' && of.apiKeyId !== undefined ? owned.where('api_key_id', '=', of.apiKeyId) : owned
  }

  /** While the right of an account or API token exists. */
  #inStep<Result>(of: WebhookOwner, work: (step: Step) => Promise<Result>): Promise<Result> {
    return of.kind === 'account' ? withRight(this.#deps, of, work) : asOwner(this.#deps, this.#ownerKey(of), work)
  }

  #ownerKey(of: WebhookOwner): string {
    return of.kind === 'mailbox' ? this.#mailboxKey(of.mailboxId) : of.owner
  }

  #mailboxKey(mailboxId: MailboxId): string {
    return hashMailbox(this.#deps.secretBox, 'webhooks', mailboxId)
  }

  #seal(id: string, text: string): string {
    return this.#deps.secretBox.seal(`webhook/${id}`, Buffer.from(text)).toString('base64')
  }

  #open(id: string, sealed: string): string | undefined {
    return this.#deps.secretBox.open(`webhook/${id}`, Buffer.from(sealed, 'base64'))?.toString()
  }

  #describe(row: WebhookRow): Webhook {
    return {
      id: row.id,
      url: this.#open(row.id, row.sealed_url) ?? '',
      createdAt: toIso(row.created_at),
      failures: row.failures,
      ...(row.last_reason !== null && { lastFailure: row.last_reason }),
      ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
    }
  }
}

const REFUSALS = {
  not_https: 'Use https; plain http only reaches networks that the operator named in WEBHOOK_ALLOW_PRIVATE.',
  private_address: 'Webhooks are not sent to private, loopback, link-local or reserved addresses.',
  has_credentials: 'A webhook carries its signature; leave name and password out of the URL.',
  too_long: 'The URL is too long.',
} as const

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

const createWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * Signatures and secrets as in Standard Webhooks 1.0 (standardwebhooks.com). The headers of one attempt. `secrets`: the current one and,
 * for a while after a rotation, the previous one.
 */
export function signatureHeaders(secrets: readonly string[], id: string, timestampSeconds: number, body: string): Record<string, string> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signatures.join(' ') }
}
