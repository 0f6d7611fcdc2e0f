import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AccountProof } from '#contract/account.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asOwner } from '#server/database/rights.ts'
import { KEPT_MS } from '#server/database/sweep.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Config } from '#server/platform/config/config.ts'
import { largestNetwork, type Networks } from '#server/platform/net/ip-address.ts'
import { type Deletion, deleteUser, type RecordDeletion } from './account-endings.ts'
import { type AccountChange, AccountMail, type Warn, type WarningMails } from './account-mail.ts'
import { AgentSessions } from './agent-sessions.ts'
import { ApiCredentials, ApiKeys, ApiTokens } from './api-credentials.ts'
import { ApiMailboxes } from './api-mailboxes.ts'
import { IdempotentRequests } from './idempotent-requests.ts'
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

/** Home, office, phone and a few journeys. */
const PER_ACCOUNT_MAX = 10

/**
 * The networks that an account signed in from, as keyed hashes of network and address. Attempts from them have a limit of their own, so
 * that strangers who use up the attempts of an address do not lock its owner out. When there are too many, those go first beside which the
 * account signed in later from the same IPv4 /24 or IPv6 /48: one line of an intruder, however large, takes one place from the others.
 */
class KnownNetworks {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  async remember({ id, email }: Account, networks: Networks): Promise<void> {
    const [network] = networks
    const row = { user_id: id, seen_at: this.#access.clock(), around_hash: this.#hash(email, largestNetwork(networks)) }
    await asOwner(this.#access, accountOwner(id), async step => {
      // It may have been deleted meanwhile.
      if (!(await step.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) return
      await step
        .insertInto('known_networks')
        .values({ network_hash: this.#hash(email, network), ...row })
        .onConflict(conflict => conflict.column('network_hash').doUpdateSet(row))
        .execute()
      const turn = sql<number>`row_number() over (partition by around_hash order by seen_at desc)`
      const own = step
        .selectFrom('known_networks')
        .select(['network_hash', 'seen_at', turn.as('turn')])
        .where('user_id', '=', id)
      const inTurn = step.selectFrom(own.as('own')).select('network_hash').orderBy('turn').orderBy('seen_at', 'desc')
      const kept = inTurn.limit(PER_ACCOUNT_MAX)
      await step.deleteFrom('known_networks').where('user_id', '=', id).where('network_hash', 'not in', kept).execute()
    })
  }

  async has(email: string, network: string): Promise<boolean> {
    const { db, clock } = this.#access
    const known = db.selectFrom('known_networks').select('seen_at').where('network_hash', '=', this.#hash(email, network))
    return (await known.where('seen_at', '>', clock() - KEPT_MS.knownNetworks).executeTakeFirst()) !== undefined
  }

  #hash(email: string, network: string): string {
    return this.#access.secretBox.hash('known-network', `${canonicalAddress(email)}\0${network}`)
  }
}
