import type { Account } from '#server/accounts/account.ts'
import { type Accounts, createAccounts } from '#server/accounts/accounts.ts'
import { type ApiKeys, createApiKeys } from '#server/accounts/api-keys.ts'
import { createChosenNames } from '#server/accounts/chosen-names.ts'
import { createPasswords, type Passwords } from '#server/accounts/password-hash.ts'
import { createProMailboxes, type MailboxMaker, type ProMailboxes } from '#server/accounts/pro-mailboxes.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { openDatabase, type SiteDatabase } from '#server/database/database.ts'
import { createSecretBox, type Vault } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { keyCheckOf } from '#server/mail/keys/secret.ts'
import type { MailOut } from '#server/mail-out/mail-out.ts'
import { type BlogViews, createBlogViews } from '#server/operator/blog-views.ts'
import { type ContactMessages, createContactMessages } from '#server/operator/contact-messages.ts'
import { createOperatorInbox, type OperatorInbox, type OperatorInboxLimits } from '#server/operator/operator-inbox.ts'
import { createOutbox, type Outbox } from '#server/operator/outbox.ts'

const SWEEP_EVERY_MS = 10 * 60_000

/** Everything beside mail: accounts, Pro addresses, API keys, contact messages, blog views, the operator's own mail. */
export interface Site extends AsyncDisposable {
  readonly accounts: Accounts
  readonly proMailboxes: ProMailboxes
  readonly apiKeys: ApiKeys
  readonly contact: ContactMessages
  readonly views: BlogViews
  readonly operatorInbox: OperatorInbox
  readonly outbox: Outbox
  /**
   * The account a request acts for: an API key (`Authorization: Bearer mfk_…`) or the session cookie; `undefined` for a visitor.
   * AppError `sign_in_required` for an API key that is wrong or revoked.
   */
  accountOf(headers: Headers): Promise<{ readonly id: string; readonly by: 'api_key' | 'session' } | undefined>
  /** Ends the account and everything that belongs to it (case W33). AppError `credentials_wrong`. */
  deleteAccount(account: Account, password: string): Promise<void>
  /** Accounts and rows whose time is over; cheap, run every ten minutes. */
  sweep(): Promise<void>
}

type SiteParts = {
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'domains' | 'siteName' | 'contactTo' | 'smtpRelayUrl'>
  /** The server's secret; subkeys are derived from it, it is used for nothing itself. */
  secret: Uint8Array
  /** See `Identity` in database/about.ts. */
  mailStoreId?: string | undefined
  /** Links in mails start with it; without a trailing slash. */
  publicUrl: string
  clock: Clock
  log: Log
  mailOut: MailOut
  /** The core, which may be made after the site, since it hands operator mail to it. */
  mail: () => MailboxMaker
  /** The articles that exist. */
  slugs: readonly string[]
  /** What tests make cheaper; the product leaves both out. */
  passwords?: Passwords | undefined
  operatorInboxLimits?: OperatorInboxLimits
}

/** Opens the database, brings it up to date and starts the outbox. */
export async function openSite(given: SiteParts): Promise<Site> {
  const { log, mailOut } = given
  const database = await openDatabase(given.config, { keyCheck: keyCheckOf(given.secret), mailStoreId: given.mailStoreId })
  const background = createBackground(log)
  const vault = createSecretBox(given.secret)
  const outbox = createOutbox({ db: database.db, vault, clock: given.clock, log, mailOut })
  const rooms = openRooms(given, { database, vault, outbox, background: background.run })
  const { accounts, proMailboxes } = rooms

  const sweep = async () => {
    await accounts.sweep()
    await proMailboxes.sweep()
  }
  const timer = setInterval(() => background.run(sweep()), SWEEP_EVERY_MS)
  timer.unref()
  void outbox.flush()

  return {
    ...rooms,
    outbox,
    sweep,
    accountOf: headers => accountOf(rooms, headers),

    async deleteAccount(account, password) {
      if (!(await accounts.checkPassword(account, password))) throw new AppError('credentials_wrong')
      await proMailboxes.destroyAll(account.id)
      await accounts.remove(account)
    },

    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await background.idle()
      await accounts[Symbol.asyncDispose]()
      await outbox[Symbol.asyncDispose]()
      await mailOut[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Ground = { database: SiteDatabase; vault: Vault; outbox: Outbox; background: (work: Promise<void>) => void }

/** Everything that stands on the database. */
function openRooms({ config, secret, publicUrl, clock, mail, slugs, ...given }: SiteParts, ground: Ground) {
  const { domains, siteName } = config
  const { db } = ground.database
  const { vault, outbox } = ground
  // Without a relay there is nobody to forward to: the command reads what is stored.
  const forwardTo = config.smtpRelayUrl === undefined ? undefined : config.contactTo
  const maker: MailboxMaker = {
    createAddress: request => mail().createAddress(request),
    openMailbox: token => mail().openMailbox(token),
    destroyMailbox: mailbox => mail().destroyMailbox(mailbox),
  }
  const passwords = given.passwords ?? createPasswords()
  return {
    accounts: createAccounts({ ...ground, secret, passwords, publicUrl, clock, domains, siteName }),
    proMailboxes: createProMailboxes({ db, vault, clock, mail: maker, names: createChosenNames(db, vault, clock), domains }),
    apiKeys: createApiKeys(db, vault, clock),
    contact: createContactMessages({ db, clock, outbox, forwardTo, siteName }),
    views: createBlogViews(db, clock, slugs),
    operatorInbox: createOperatorInbox({ db, vault, clock, outbox, forwardTo, siteName, limits: given.operatorInboxLimits }),
  }
}

async function accountOf({ accounts, apiKeys }: Pick<Site, 'accounts' | 'apiKeys'>, headers: Headers): ReturnType<Site['accountOf']> {
  const key = /^Bearer (mfk_.*)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (key !== undefined) {
    const owner = await apiKeys.owner(key)
    if (!owner) throw new AppError('sign_in_required')
    return { id: owner.id, by: 'api_key' }
  }
  const { signedIn } = await accounts.session(headers)
  return signedIn && { id: signedIn.account.id, by: 'session' }
}

function createBackground(log: Log) {
  const running = new Set<Promise<void>>()
  return {
    run(work: Promise<void>): void {
      const watched = work
        .catch((error: unknown) => log.error({ err: error }, 'Work after a reply failed'))
        .finally(() => running.delete(watched))
      running.add(watched)
    },
    async idle(): Promise<void> {
      await Promise.all(running)
    },
  }
}
