import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox, keepIfLive } from '#server/database/mailbox-rows.ts'
import { asOwner, type Right, withRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { KEPT_MS } from '#server/database/sweep.ts'
import { AppError } from '#server/errors.ts'
import { parseToken } from '#server/mail/keys/token.ts'
import { deriveSubkey, openText, sealText } from '#server/platform/cryptography.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { ApiCaller } from './api-credentials.ts'

const ID_BYTES = 32
/** Many clients never end a session: the one idle for longest ends first. */
const SESSIONS_PER_OWNER_MAX = 50
/** An agent that creates more is out of control. The oldest inbox is forgotten and expires by itself. */
const INBOXES_PER_SESSION_MAX = 200
/** How exactly the last use is stored, so that many calls write little. With more sessions than this, each call counts. */
const USE_STEP_MS = 1000
const EXACT_ABOVE_SESSIONS = SESSIONS_PER_OWNER_MAX / 2
const RETRY_SECONDS = 5

const inboxSchema = z.object({ address: z.string(), token: z.string() })
type AgentInbox = z.infer<typeof inboxSchema>

type StoredSession = { readonly id_hash: string; readonly used_at: number }
type Caller = Right & Pick<ApiCaller, 'sealingKey'>
type AgentSessionsAccess = DatabaseAccess & { readonly isLive: (mailboxId: MailboxId) => Promise<boolean> }

/**
 * Sessions of agents over MCP. They are in the database, so that any process can serve any request of a session. The tokens of its inboxes
 * are sealed with a key derived from the session's id and from the API key or API token, none of which is stored.
 */
export class AgentSessions {
  readonly #access: AgentSessionsAccess

  constructor(access: AgentSessionsAccess) {
    this.#access = access
  }

  /**
   * Resolves to the id of a new session. Ends the owner's session that was idle for longest if there are too many, but none that `isBusy`.
   * @throws AppError `rate_limited` if all are busy.
   */
  async begin(caller: Caller, isBusy: (key: string) => boolean): Promise<string> {
    const { owner } = caller
    const id = randomBytes(ID_BYTES).toString('base64url')
    await withRight(this.#access, caller, async step => {
      const rows = await this.#list(owner, step)
      const surplus = Math.max(0, rows.length + 1 - SESSIONS_PER_OWNER_MAX)
      const idle = rows.map(row => row.id_hash).filter(key => !isBusy(key))
      if (idle.length < surplus) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
      if (surplus > 0) await step.deleteFrom('agent_sessions').where('id_hash', 'in', idle.slice(0, surplus)).execute()
      await step
        .insertInto('agent_sessions')
        .values({ id_hash: this.#hash(id, caller), owner, api_key_id: caller.apiKeyId ?? null, used_at: this.#access.clock() })
        .execute()
    })
    return id
  }

  /** `undefined` if no session of this key or token has this id, or it ended. */
  async find(id: string, caller: Caller): Promise<AgentSession | undefined> {
    const idHash = this.#hash(id, caller)
    const sessions = await this.#list(caller.owner)
    const found = sessions.find(session => session.id_hash === idHash)
    if (!found || found.used_at <= this.#access.clock() - KEPT_MS.agentSessions) return undefined
    await this.#use(idHash, sessions)
    const use = async () => this.#use(idHash, await this.#list(caller.owner))
    const sealingKey = deriveSubkey(caller.sealingKey, 'mayfly agent session v1', id)
    return new AgentSession({ ...this.#access, idHash, sealingKey, use, end: () => this.#end(idHash) })
  }

  /** The owner's sessions, idle for longest first. */
  #list(owner: string, db: Kysely<DatabaseSchema> = this.#access.db): Promise<StoredSession[]> {
    return db.selectFrom('agent_sessions').select(['id_hash', 'used_at']).where('owner', '=', owner).orderBy('used_at').execute()
  }

  /** `sessions`: all of the owner's. */
  async #use(idHash: string, sessions: readonly StoredSession[]): Promise<void> {
    const { db, clock } = this.#access
    const now = clock()
    const stored = sessions.find(session => session.id_hash === idHash)?.used_at ?? now
    const step = sessions.length > EXACT_ABOVE_SESSIONS ? 1 : USE_STEP_MS
    if (stored <= now - step) await db.updateTable('agent_sessions').set({ used_at: now }).where('id_hash', '=', idHash).execute()
  }

  async #end(idHash: string): Promise<void> {
    await this.#access.db.deleteFrom('agent_sessions').where('id_hash', '=', idHash).execute()
  }

  /** With the API key's id, so that another key of the account has no such session. */
  #hash(id: string, { apiKeyId = '' }: Caller): string {
    return this.#access.secretBox.hash('agent-session', `${id} ${apiKeyId}`)
  }
}

type SessionDeps = AgentSessionsAccess & {
  readonly idHash: string
  readonly sealingKey: Uint8Array
  readonly use: () => Promise<void>
  readonly end: () => Promise<void>
}

/** Orders inboxes that this process created within one millisecond. */
let inboxesAdded = 0

export class AgentSession {
  readonly #deps: SessionDeps

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  /** Identifies the session in this process. It is a hash of its id. */
  get key(): string {
    return this.#deps.idHash
  }

  /** Keeps it from being idle, at the end of a call: a call may take minutes. */
  use(): Promise<void> {
    return this.#deps.use()
  }

  end(): Promise<void> {
    return this.#deps.end()
  }

  /** Does nothing if the session has ended, e.g. with its API key. */
  async addInbox({ expiresAt, ...inbox }: AgentInbox & { readonly expiresAt: Date }): Promise<void> {
    const { clock, idHash, sealingKey, secretBox } = this.#deps
    const mailboxId = parseToken(inbox.token)?.mailboxId
    if (mailboxId === undefined) throw new TypeError('the token of an inbox is one of ours')
    const id = `${String(++inboxesAdded).padStart(12, '0')}-${randomUUID()}`
    const row = {
      id,
      session_hash: idHash,
      mailbox_hash: hashMailbox(secretBox, 'agent_inboxes', mailboxId),
      sealed: sealText(sealingKey, id, JSON.stringify(inbox)),
      created_at: clock(),
      expires_at: expiresAt.getTime(),
    }
    await asOwner(this.#deps, idHash, async step => {
      const session = step.selectFrom('agent_sessions').select('id_hash').where('id_hash', '=', idHash)
      if (!(await (this.#deps.dialect === 'postgres' ? session.forKeyShare() : session).executeTakeFirst())) return
      const surplus = (await this.#rows(step)).slice(INBOXES_PER_SESSION_MAX - 1)
      await this.#forget(surplus, step)
      await step.insertInto('agent_inboxes').values(row).execute()
    })
    await keepIfLive(this.#deps, [mailboxId])
  }

  /** The inbox with this address, or the newest. */
  async findInbox(address?: string): Promise<AgentInbox | undefined> {
    for (const row of await this.#rows()) {
      const inbox = this.#open(row)
      if (inbox && (address === undefined || isSame(inbox.address, address))) return inbox
    }
    return undefined
  }

  async removeInbox(address: string): Promise<void> {
    await this.#forget((await this.#rows()).filter(row => isSame(this.#open(row)?.address ?? '', address)))
  }

  /** Newest first. */
  #rows(db: Kysely<DatabaseSchema> = this.#deps.db) {
    const rows = db.selectFrom('agent_inboxes').select(['id', 'sealed']).where('session_hash', '=', this.#deps.idHash)
    return rows.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  }

  #open({ id, sealed }: { id: string; sealed: string }): AgentInbox | undefined {
    const text = openText(this.#deps.sealingKey, id, sealed)
    return text === undefined ? undefined : inboxSchema.parse(JSON.parse(text))
  }

  async #forget(rows: readonly { id: string }[], db: Kysely<DatabaseSchema> = this.#deps.db): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('agent_inboxes').where('id', 'in', ids).execute()
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
