/** The inboxes of one agent, which names them by address; their tokens stay here. */
import { MayflyError } from '../errors.ts'
import type { Mailbox } from '../mailbox.ts'

/** An agent that creates more is out of control. The oldest inbox is forgotten and expires by itself. */
const INBOXES_MAX = 1000

export interface Inboxes {
  add(mailbox: Mailbox): Promise<void> | void
  /** The inbox with this address, or the newest. `mailbox_not_found` if there is none. */
  find(address: string | undefined): Promise<Mailbox> | Mailbox
  remove(mailbox: Mailbox): Promise<void> | void
}

/** For a session of one process. */
export class InboxesInMemory implements Inboxes {
  readonly #byAddress = new Map<string, Mailbox>()

  add(mailbox: Mailbox): void {
    this.#byAddress.set(mailbox.address.toLowerCase(), mailbox)
    const [oldest] = this.#byAddress.keys()
    if (this.#byAddress.size > INBOXES_MAX && oldest !== undefined) this.#byAddress.delete(oldest)
  }

  find(address: string | undefined): Mailbox {
    const mailbox = address === undefined ? [...this.#byAddress.values()].at(-1) : this.#byAddress.get(address.toLowerCase())
    return mailbox ?? throwUnknownInbox(address)
  }

  remove(mailbox: Mailbox): void {
    this.#byAddress.delete(mailbox.address.toLowerCase())
  }
}

export function throwUnknownInbox(address: string | undefined): never {
  const which = address === undefined ? 'There is no inbox yet' : `There is no inbox ${address} in this session`
  throw new MayflyError('mailbox_not_found', `${which}. Make one with create_inbox.`)
}
