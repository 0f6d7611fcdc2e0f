import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountProof } from '#contract/account.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Config } from '#server/platform/config/config.ts'
import { type Deletion, deleteUser, type RecordDeletion } from './account-endings.ts'
import { type AccountChange, AccountMail, type Warn, type WarningMails } from './account-mail.ts'
import { AgentSessions } from './agent-sessions.ts'
import { ApiCredentials, ApiKeys, ApiTokens } from './api-credentials.ts'
import { ApiMailboxes } from './api-mailboxes.ts'
import { IdempotentRequests } from './idempotent-requests.ts'
import { KnownNetworks } from './known-networks.ts'
import { OwnedMailboxes } from './owned-mailboxes.ts'
import { Passkeys } from './passkeys.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'
import { Passwords } from './passwords.ts'
import { ProMailboxes } from './pro-mailboxes.ts'
import { type Account, Sessions, type SignedIn } from './sessions.ts'
import { SignUps } from './sign-up.ts'
import { Ceremonies } from './webauthn.ts'

/** Thousands of mailboxes take longer, and then the response to a reset or deletion does not wait for the last of them. */
const DESTROYED_WITHIN_MS = 2000

type AccountsDeps = {
  readonly config: Config
  readonly domains: () => MailDomains
  readonly policy: () => Policy
  readonly outbox: Outbox
  readonly mail: MailCore
  /** Cheaper hashing for tests. */
  readonly passwordHasher?: PasswordHasher | undefined
}

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts(access: DatabaseAccess, { config, domains, policy, outbox, mail, ...replaced }: AccountsDeps) {
  const { siteName, publicUrl, operators } = config
  const background = new BackgroundWork(access.log)
  const hasher = replaced.passwordHasher ?? createPasswordHasher()
  const accountMail = new AccountMail({ ...access, outbox, publicUrl, siteName })
  const ceremonies = new Ceremonies({ ...access, publicUrl, siteName })
  const passkeys = new Passkeys({ ...access, ceremonies })
  const signUps = new SignUps({ ...access, hasher, mail: accountMail, ceremonies, domains, policy, operators })
  const sessions = new Sessions({ ...access, hasher, signUps, passkeys, publicUrl })
  const knownNetworks = new KnownNetworks(access)
  const ownedMailboxes = new OwnedMailboxes({ ...access, mail })
  const proMailboxes = new ProMailboxes({ ...access, mail, owned: ownedMailboxes, domains })
  const apiKeys = new ApiKeys(access)
  const apiMailboxes = new ApiMailboxes({ ...access, owned: ownedMailboxes, mailboxesMax: config.apiMailboxesMax, domains })
  const idempotentRequests = new IdempotentRequests({ ...access, mail })
  const agentSessions = new AgentSessions({ ...access, isLive: mail.isLive })
  // The rights have ended: what a mail store that is away keeps from being destroyed now, the sweep destroys.
  const destroyMailboxes = async (userId: string) => {
    const destroyed = background.run(ownedMailboxes.destroyOfAccount(userId), 'Mailboxes of an account could not be destroyed yet')
    await Promise.race([destroyed, sleep(DESTROYED_WITHIN_MS, undefined, { ref: false })])
  }
  const passwords = new Passwords({
    ...access,
    hasher,
    mail: accountMail,
    signUps,
    destroyMailboxes,
    background: work => background.run(work, 'Work after a reply failed'),
  })

  const remove = async (deletion: Deletion) => {
    if (!(await deleteUser(access, deletion))) return false
    await destroyMailboxes(deletion.userId)
    return true
  }

  const requireProof = async (account: Account, proof: AccountProof) => {
    if ('passkey' in proof) await passkeys.prove(account, proof.passkey)
    else if (!(await passwords.isCorrect(account, proof.password))) throw new AppError('credentials_wrong')
  }

  return {
    signUps,
    sessions,
    passwords,
    ceremonies,
    passkeys,
    knownNetworks,
    ownedMailboxes,
    proMailboxes,
    apiKeys,
    apiCredentials: new ApiCredentials(apiKeys, new ApiTokens(access), config.apiTokens),
    apiMailboxes,
    idempotentRequests,
    agentSessions,
    /** AppError `credentials_wrong`, `passkey_refused`. */
    requireProof,
    warning: <Result>(change: AccountChange, mails: WarningMails, work: (warn: Warn) => Promise<Result>): Promise<Result> =>
      accountMail.warning(change, mails, work),
    /** Deletes the account and everything that belongs to it. AppError as `requireProof`, and `sign_in_required`. */
    async deleteOwnAccount({ account, sessionId }: Pick<SignedIn, 'account' | 'sessionId'>, proof: AccountProof, record?: RecordDeletion) {
      await requireProof(account, proof)
      if (!(await remove({ userId: account.id, sessionId, record }))) throw new AppError('sign_in_required')
    },
    /** The same without its password, for the operator. `record` is part of it: if that fails, the account stays. `false` if it is gone. */
    deleteAccount: (userId: string, record?: RecordDeletion) => remove({ userId, record }),
    /** The key for limits per account. It does not reveal the address. */
    limitKey: (email: string) => access.secretBox.hash('limit', canonicalAddress(email)),
    /**
     * The key for limits of mails to an address. Its tags and other spellings have one together, so that they add few mails to an inbox;
     * the plain address has its own, so that mails to a tag of it do not keep its owner from one. Dots in the name make no difference:
     * Gmail delivers all such spellings to one inbox.
     */
    mailLimitKey: (email: string) => {
      const plain = canonicalAddress(email)
      const inbox = plain.replace(/\.(?=.*@)/g, '')
      return access.secretBox.hash('limit', email.toLowerCase() === plain ? inbox : `${inbox} tagged`)
    },
    async [Symbol.asyncDispose]() {
      passwords.stop()
      await background.idle()
    },
  }
}
