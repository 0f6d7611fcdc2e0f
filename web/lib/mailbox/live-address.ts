/**
 * The visitor's address as every page but the home page shows it: until its end by either clock, and whatever another tab does with it.
 * Nothing is removed from storage here: that is left to the home page, which reports the end once.
 */
import type { PageClock, watchWake } from '../browser/clock.ts'
import type { AddressStore, StoredAddress } from './address-store.ts'

export function createLiveAddress(deps: { addresses: AddressStore; clock: PageClock; watchWake: typeof watchWake }) {
  const { addresses, clock } = deps
  const listeners = new Set<() => void>()
  /** The token of an address that the server no longer knows, although its time is not over. */
  let gone: string | undefined
  let checking: Promise<void> | undefined

  /** The machine may have slept with one of the clocks stopped. */
  const untilEndMs = ({ deadlineMs, wallDeadlineMs }: StoredAddress) => Math.min(deadlineMs - clock.now(), wallDeadlineMs - clock.wall())

  /** `undefined` when no address is live. */
  function get(): StoredAddress | undefined {
    const address = addresses.get()
    return address && address.token !== gone && untilEndMs(address) > 0 ? address : undefined
  }

  async function ask(): Promise<void> {
    const token = addresses.get()?.token
    if (token === undefined || (await addresses.confirm()) !== 'gone') return
    gone = token
    for (const listener of listeners) listener()
  }

  /** Asks the server how long the address lives. Without a response, this browser's clocks decide. */
  function check(): Promise<void> {
    checking ??= ask().finally(() => {
      checking = undefined
    })
    return checking
  }

  function subscribe(listener: () => void): () => void {
    const unsubscribed = new AbortController()
    let awaited = new AbortController()
    const awaitEnd = () => {
      awaited.abort()
      awaited = new AbortController()
      const address = get()
      if (address) void clock.sleep(untilEndMs(address), awaited.signal).then(update)
    }
    const update = () => {
      awaitEnd()
      listener()
    }
    const unsubscribe = addresses.subscribe(update)
    listeners.add(listener)
    deps.watchWake(() => {
      update()
      void check()
    }, unsubscribed.signal)
    awaitEnd()
    return () => {
      unsubscribed.abort()
      unsubscribe()
      listeners.delete(listener)
      awaited.abort()
    }
  }

  return { get, subscribe, check }
}
