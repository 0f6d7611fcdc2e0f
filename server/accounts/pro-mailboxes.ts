import { PRO_LIFETIME_SECONDS, PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { type MailboxCreated, mailboxTimes } from '#contract/mailbox.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import { domainOf } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { type AddressRequest, checkAddress } from './chosen-names.ts'
import { type OwnedMailbox, type OwnedMailboxes, proOwner } from './owned-mailboxes.ts'

type ProMailboxesDeps = Pick<DatabaseAccess, 'db' | 'clock'> & {
  readonly mail: Pick<MailCore, 'openMailbox'>
  readonly owned: OwnedMailboxes
  readonly domains: () => MailDomains
}

/** Who has one on the pages: a session, or a sign-up that waits for its link, whose account will have this id. */
type ProCaller = { readonly accountId: string; readonly sessionId?: string; readonly signUpId?: string }

const MAX = { name: 'mailboxes', code: 'mailboxes_max', mailboxes: PRO_MAILBOXES_MAX } as const

/** Addresses that belong to an account and live `PRO_LIFETIME_SECONDS`. */
export class ProMailboxes {
  readonly #deps: ProMailboxesDeps

  constructor(deps: ProMailboxesDeps) {
    this.#deps = deps
  }

  /**
   * `charge` counts the address against the rate limit, when nothing else refuses it. AppError `mailboxes_max`, `local_part_taken`,
   * `local_part_reserved`, `domain_not_served`, `invalid_request`, `sign_in_required`.
   */
  async create({ accountId, sessionId }: ProCaller, request: AddressRequest, charge?: () => Promise<void>): Promise<MailboxCreated> {
    const { domains, owned, clock } = this.#deps
    const [created] = await owned.create({
      right: { owner: accountOwner(accountId), sessionId },
      owner: proOwner(accountId),
      nameOwner: accountId,
      address: { ...checkAddress(request, domains()), lifetimeSeconds: PRO_LIFETIME_SECONDS },
      count: 1,
      max: MAX,
      charge,
    })
    if (!created) throw new TypeError('one was asked for')
    return describe(created, clock())
  }

  /**
   * Keeps the live address of this token, which nobody owns, with its mail: it then lives as long as if the account had created it.
   * Repeating it changes nothing. AppError `mailbox_not_found`, `forbidden`, `mailboxes_max`, `domain_not_served`, `sign_in_required`.
   */
  async keep({ accountId, sessionId, signUpId }: ProCaller, token: string, charge?: () => Promise<void>): Promise<MailboxCreated> {
    const { domains, owned, mail, clock } = this.#deps
    const mailbox = await mail.openMailbox(token)
    if (!mailbox) throw new AppError('mailbox_not_found')
    const { mailboxId, email, createdAt } = mailbox
    const expiresAt = Math.max(mailbox.expiresAt, createdAt + PRO_LIFETIME_SECONDS * 1000)
    const domainEndsAt = domains().receiving(domainOf(email, ''))?.endsAt ?? Number.POSITIVE_INFINITY
    // The operator may be about to remove it.
    if (domainEndsAt < expiresAt) throw new AppError('domain_not_served')
    const right = { owner: accountOwner(accountId), sessionId, signUpId }
    return describe(
      await owned.adopt({ mailboxId, email, token, createdAt, expiresAt }, { right, owner: proOwner(accountId), max: MAX, charge }),
      clock(),
    )
  }

  /** The live addresses with their tokens, oldest first. */
  async list(userId: string): Promise<MailboxCreated[]> {
    const { owned, mail, clock } = this.#deps
    const rows = await owned.live(proOwner(userId)).selectAll().orderBy('created_at').orderBy('id').execute()
    const addresses = await Promise.all(
      rows.map(async row => {
        const address = owned.open(row)
        if (address && (await mail.openMailbox(address.token))) return [describe(address, clock())]
        // The database was away when it was destroyed.
        await owned.destroy(row.owner, row.id)
        return []
      }),
    )
    return addresses.flat()
  }
}

function describe({ email, token, createdAt, expiresAt }: OwnedMailbox, now: number): MailboxCreated {
  return { email, token, ...mailboxTimes({ createdAt, expiresAt }, now), kept: true }
}
