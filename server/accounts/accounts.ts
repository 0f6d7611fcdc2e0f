import type { Database } from '#server/database/database.ts'
import { runExclusively } from '#server/database/locks.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { deleteAccount, deleteOwnAccount, type RecordDeletion } from './account-deletion.ts'
import { AccountMail } from './account-mail.ts'
import { AgentSessions } from './agent-sessions.ts'
import { ApiCredentials, ApiKeys, ApiTokens, accountOwner } from './api-credentials.ts'
import { ApiMailboxes } from './api-mailboxes.ts'
import { IdempotentRequests } from './idempotent-requests.ts'
import { KnownNetworks } from './known-networks.ts'
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
  /** The same without its password, for the operator. `record` is part of it: if that fails, the account stays. */
  deleteAccount(userId: string, record?: RecordDeletion): Promise<void>
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
    deleteOwnAccount: (account, password) => deleteOwnAccount({ database, clock, destroyMailboxes }, passwords, account, password),
    deleteAccount: (userId, record) => deleteAccount({ database, clock, destroyMailboxes }, userId, record),
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
