/** The inboxes of one agent, which names them by address; their tokens stay here. */
import { MayflyError } from '../errors.ts'
import type { Mailbox } from '../mailbox.ts'

export class Inboxes {
  readonly #byAddress = new Map<string, Mailbox>()
  readonly #max: number

  /** `max`: an agent that creates more is out of control. The oldest inbox is forgotten and expires by itself. */
  constructor(max = 1000) {
    this.#max = max
  }

  add(mailbox: Mailbox): void {
    this.#byAddress.set(mailbox.address.toLowerCase(), mailbox)
    const [oldest] = this.#byAddress.keys()
    if (this.#byAddress.size > this.#max && oldest !== undefined) this.#byAddress.delete(oldest)
  }

  /** The inbox with this address, or the newest. */
  find(address: string | undefined): Mailbox {
    const mailbox = address === undefined ? [...this.#byAddress.values()].at(-1) : this.#byAddress.get(address.toLowerCase())
    if (mailbox) return mailbox
    const which = address === undefined ? 'There is no inbox yet' : `There is no inbox ${address} in this session`
    throw new MayflyError('mailbox_not_found', `${which}. Make one with create_inbox.`)
  }

  remove(mailbox: Mailbox): void {
    this.#byAddress.delete(mailbox.address.toLowerCase())
  }
}
