import type { DatabaseAccess } from '#server/database/database.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Config } from '#server/platform/config/config.ts'
import { deleteAccount, type RecordDeletion } from './account-deletion.ts'
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

export function openAccounts(access: DatabaseAccess, { config, domains, outbox, mail, ...replaced }: AccountsDeps): Accounts {
  const { siteName, publicUrl } = config
  const background = new BackgroundWork(access.log)
  const hasher = replaced.passwordHasher ?? createPasswordHasher()
  const accountMail = new AccountMail({ ...access, outbox, publicUrl, siteName })
  const signUps = new SignUps({ ...access, hasher, mail: accountMail, domains })
  const sessions = new Sessions({ ...access, hasher, signUps, publicUrl })
  const knownNetworks = new KnownNetworks(access)
  const proMailboxes = new ProMailboxes({ ...access, mail, domains })
  const apiKeys = new ApiKeys(access)
  const apiMailboxes = new ApiMailboxes({ ...access, mail, mailboxesMax: config.apiMailboxesMax, domains })
  const idempotentRequests = new IdempotentRequests({ ...access, mail })
  const agentSessions = new AgentSessions(access)
  const destroyMailboxes = async (userId: string) => {
    await proMailboxes.destroyAll(userId)
    await apiMailboxes.destroyAll(accountOwner(userId))
  }
  const passwords = new Passwords({
    ...access,
    hasher,
    mail: accountMail,
    signUps,
    destroyMailboxes,
    background: work => background.run(work, 'Work after a reply failed'),
  })

  const remove = (userId: string, record?: RecordDeletion) => deleteAccount({ ...access, destroyMailboxes }, userId, record)

  return {
    signUps,
    sessions,
    passwords,
    knownNetworks,
    proMailboxes,
    apiKeys,
    apiCredentials: new ApiCredentials(apiKeys, new ApiTokens(access), config.apiTokens),
    apiMailboxes,
    idempotentRequests,
    agentSessions,
    async deleteOwnAccount(account, password) {
      if (!(await passwords.isCorrect(account, password))) throw new AppError('credentials_wrong')
      await remove(account.id)
    },
    deleteAccount: remove,
    limitKey: email => access.secretBox.hash('limit', canonicalAddress(email)),
    [Symbol.asyncDispose]: () => background.idle(),
  }
}
