import type { Database, SealedRows } from '#server/database/database.ts'
import { lockOwner, runExclusively } from '#server/database/locks.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { AccountMail } from './account-mail.ts'
import { AgentSessions } from './agent-sessions.ts'
import { ApiCredentials, ApiKeys, ApiTokens, accountOwner } from './api-credentials.ts'
import { ApiMailboxes } from './api-mailboxes.ts'
import { IdempotentRequests } from './idempotent-requests.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'
import { Passwords } from './passwords.ts'
import { ProMailboxes } from './pro-mailboxes.ts'
import { type Account, Sessions } from './sessions.ts'
import { SignUps } from './sign-up.ts'

/** The sealed token of an expired Pro address must be off the disk within five seconds. */
const SWEEP_EXPIRED_EVERY_MS = 2000
/** docs/privacy.md promises that expired sessions and links are removed within 5 minutes. A sweep of a busy database may come late. */
const SWEEP_EVERY_MS = 2 * 60_000

type AccountsDeps = {
  readonly config: Config
  readonly domains: () => MailDomains
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly mail: MailCore
  /** Cheaper hashing for tests. */
  readonly passwordHasher?: PasswordHasher | undefined
}

export interface Accounts extends AsyncDisposable {
  readonly signUps: SignUps
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly knownNetworks: KnownNetworks
  readonly apiKeys: ApiKeys
  readonly apiCredentials: ApiCredentials
  readonly apiMailboxes: ApiMailboxes
  readonly idempotentRequests: IdempotentRequests
  readonly agentSessions: AgentSessions
  readonly proMailboxes: ProMailboxes
  /** Deletes the account and everything that belongs to it. AppError `credentials_wrong`. */
  deleteOwnAccount(account: Account, password: string): Promise<void>
  /** The same without its password, for the operator. */
  deleteAccount(userId: string): Promise<void>
  /** Call when a mailbox was destroyed before it expired. Resolves when no row is about it; a failure is only logged. */
  mailboxDestroyed(mailboxId: MailboxId): Promise<void>
  /** The key for limits per account. It does not reveal the address. */
  limitKey(email: string): string
  /** Removes what has expired. */
  sweep(): Promise<void>
}

export function openAccounts(deps: AccountsDeps): Accounts {
  const { config, database, domains, secretBox, clock, outbox } = deps
  const { db } = database
  const { siteName, publicUrl } = config
  const background = new BackgroundWork(deps.log)
  const hasher = deps.passwordHasher ?? createPasswordHasher()
  const mail = new AccountMail({ secretBox, outbox, publicUrl, siteName })
  const signUps = new SignUps({ db, clock, secretBox, hasher, mail, domains })
  const sessions = new Sessions({ database, secretBox, hasher, signUps, clock, publicUrl })
  const knownNetworks = new KnownNetworks({ db, secretBox, clock })
  const proMailboxes = new ProMailboxes({ db, secretBox, clock, mail: deps.mail, domains })
  const apiKeys = new ApiKeys({ db, secretBox, clock })
  const apiMailboxes = new ApiMailboxes({
    database,
    secretBox,
    clock,
    mail: deps.mail,
    mailboxesMax: config.apiMailboxesMax,
    domains,
  })
  const idempotentRequests = new IdempotentRequests({ db, secretBox, clock, mail: deps.mail })
  const agentSessions = new AgentSessions({ db, dialect: database.dialect, secretBox, clock })
  const destroyMailboxes = async (userId: string) => {
    await proMailboxes.destroyAll(userId)
    await apiMailboxes.destroyAll(accountOwner(userId))
  }
  const passwords = new Passwords({
    db,
    clock,
    hasher,
    mail,
    signUps,
    destroyMailboxes,
    background: work => background.run(work, 'Work after a reply failed'),
  })

  const sweepExpired = async () => {
    await proMailboxes.sweepExpired()
    await apiMailboxes.sweep()
    await idempotentRequests.sweep()
    await agentSessions.sweep()
  }
  const sweep = async () => {
    await sweepExpired()
    await proMailboxes.sweepNames()
    for (const part of [signUps, sessions, passwords, knownNetworks]) await part.sweep()
  }
  const sweepAlone = (task: 'sweep' | 'sweepExpired', work: () => Promise<void>) =>
    void background.run(runExclusively(database, task, work), 'What expired could not be removed')
  const timers = [
    setInterval(() => sweepAlone('sweepExpired', sweepExpired), SWEEP_EXPIRED_EVERY_MS),
    setInterval(() => sweepAlone('sweep', sweep), SWEEP_EVERY_MS),
  ]
  for (const timer of timers) timer.unref()
  // Removes what expired while no server was running.
  sweepAlone('sweep', sweep)

  return {
    signUps,
    sessions,
    passwords,
    knownNetworks,
    proMailboxes,
    apiKeys,
    apiCredentials: new ApiCredentials(apiKeys, new ApiTokens(db, clock), config.apiTokens),
    apiMailboxes,
    idempotentRequests,
    agentSessions,
    deleteOwnAccount: (account, password) =>
      deleteOwnAccount({ database, clock, proMailboxes, destroyMailboxes }, passwords, account, password),
    deleteAccount: userId => deleteAccount({ database, clock, proMailboxes, destroyMailboxes }, userId),
    async mailboxDestroyed(mailboxId) {
      const rows = [proMailboxes, apiMailboxes, idempotentRequests, agentSessions].map(part => part.forget(mailboxId))
      await background.run(
        Promise.all(rows).then(() => undefined),
        'Rows about a destroyed mailbox could not be removed',
      )
    },
    limitKey: email => secretBox.hash('limit', canonicalAddress(email)),
    sweep,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      await background.idle()
    },
  }
}

type AccountDeletionDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly proMailboxes: ProMailboxes
  readonly destroyMailboxes: (userId: string) => Promise<void>
}

/** Deletes an account and everything that belongs to it. AppError `credentials_wrong`. */
async function deleteOwnAccount(deps: AccountDeletionDeps, passwords: Passwords, account: Account, password: string): Promise<void> {
  if (!(await passwords.isCorrect(account, password))) throw new AppError('credentials_wrong')
  await deleteAccount(deps, account.id)
}

/**
 * The same without a password, for the operator. A mailbox that is being created meanwhile cannot store its row any more, so its creator
 * destroys it. One that was stored after `destroyMailboxes` started is found here, and everything is done once more.
 */
async function deleteAccount(deps: AccountDeletionDeps, userId: string): Promise<void> {
  const owner = accountOwner(userId)
  do await deps.destroyMailboxes(userId)
  while (!(await deleteUser(deps, userId, owner)))
  await deps.proMailboxes.forgetNames(userId)
}

/**
 * `false` if mailboxes of the account are left. Sessions, keys, links, networks and addresses refer to the user and are deleted with it.
 */
function deleteUser({ database: { db, dialect }, clock }: AccountDeletionDeps, userId: string, owner: string): Promise<boolean> {
  return db.transaction().execute(async step => {
    await lockOwner(step, dialect, owner)
    // New slots refer to this row, so none is taken until it is gone. SQLite runs one writing transaction at a time anyway.
    if (dialect === 'postgres') await step.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    // A slot without its address yet: whoever creates it finds the slot gone and destroys the mailbox.
    await step.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('sealed', '=', '').execute()
    const ofPro = await step.selectFrom('pro_mailboxes').select('slot').where('user_id', '=', userId).executeTakeFirst()
    const ofKeys = step.selectFrom('api_mailboxes').select('id').where('owner', '=', owner).where('expires_at', '>', clock())
    if (ofPro || (await ofKeys.executeTakeFirst())) return false
    await step.deleteFrom('webhooks').where('owner', '=', owner).execute()
    const agentSessions = step.selectFrom('agent_sessions').select('id_hash').where('owner', '=', owner)
    await step.deleteFrom('agent_inboxes').where('session_hash', 'in', agentSessions).execute()
    await step.deleteFrom('agent_sessions').where('owner', '=', owner).execute()
    await step.deleteFrom('users').where('id', '=', userId).execute()
    return true
  })
}

/** Home, office, phone and a few journeys. A new one replaces the one unused for longest. */
const PER_ACCOUNT_MAX = 10
const REMEMBERED_MS = 90 * 86_400_000

/**
 * The networks that an account signed in from, as keyed hashes of network and address. Attempts from them have a limit of their own, so
 * that strangers who use up the attempts of an address do not lock its owner out.
 */
class KnownNetworks {
  readonly #deps: SealedRows

  constructor(deps: SealedRows) {
    this.#deps = deps
  }

  async remember({ id, email }: Account, network: string): Promise<void> {
    const { db, clock } = this.#deps
    const row = { user_id: id, seen_at: clock() }
    await db
      .insertInto('known_networks')
      .values({ network_hash: this.#hash(email, network), ...row })
      .onConflict(conflict => conflict.column('network_hash').doUpdateSet(row))
      .execute()
    const networks = db.selectFrom('known_networks').select('network_hash').where('user_id', '=', id).orderBy('seen_at', 'desc')
    const kept = (await networks.limit(PER_ACCOUNT_MAX).execute()).map(({ network_hash }) => network_hash)
    await db.deleteFrom('known_networks').where('user_id', '=', id).where('network_hash', 'not in', kept).execute()
  }

  async has(email: string, network: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const known = db.selectFrom('known_networks').select('seen_at').where('network_hash', '=', this.#hash(email, network))
    return (await known.where('seen_at', '>', clock() - REMEMBERED_MS).executeTakeFirst()) !== undefined
  }

  async sweep(): Promise<void> {
    const { db, clock } = this.#deps
    await db
      .deleteFrom('known_networks')
      .where('seen_at', '<=', clock() - REMEMBERED_MS)
      .execute()
  }

  #hash(email: string, network: string): string {
    return this.#deps.secretBox.hash('known-network', `${canonicalAddress(email)}\0${network}`)
  }
}
