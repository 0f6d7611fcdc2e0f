import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
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
  /** The key for limits per account. It does not reveal the address. */
  limitKey(email: string): string
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
    limitKey: email => secretBox.hash('limit', canonicalAddress(email)),
    [Symbol.asyncDispose]: () => background.idle(),
  }
}
