/** How many connections one client holds at once, so that none takes the file descriptors of all (cases W15, W20). */
import { addressList, isListed, networkOf, plainAddress } from '../requests/client-ip.ts'

export type ConnectionLimit = {
  readonly perClientMax: number
  /** Proxies, as addresses or CIDR ranges: behind each of them are many clients. */
  readonly trusted: readonly string[]
}

export class Connections {
  readonly #max: number
  readonly #trusted: ReturnType<typeof addressList>
  readonly #open = new Map<string, number>()

  constructor({ perClientMax, trusted }: ConnectionLimit) {
    this.#max = perClientMax
    this.#trusted = addressList(trusted)
  }

  /** Takes a place; call the result once when the connection has closed. `undefined` when this client has as many as it may. */
  enter(peer: string | undefined): (() => void) | undefined {
    const address = plainAddress(peer ?? '')
    if (isListed(this.#trusted, address)) return () => undefined
    const client = networkOf(address)
    const open = this.#open.get(client) ?? 0
    if (open >= this.#max) return undefined
    this.#open.set(client, open + 1)
    return () => {
      const left = (this.#open.get(client) ?? 0) - 1
      if (left > 0) this.#open.set(client, left)
      else this.#open.delete(client)
    }
  }
}
