/**
 * The visitor's live mailbox: stored in local storage, shared by all tabs, and counted down on the monotonic clock from the server's
 * `secondsLeft`, so that a wrong wall clock does not matter.
 */
import type { Mailbox } from '#contract/mailbox.ts'
import { ProblemError } from '../api/request.ts'
import type { PageClock } from '../browser/clock.ts'
import { ADDRESS_KEY, type KeyValue, parseStored, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'
import { flag, number, object, optional, type Shaped, text } from '../shape.ts'

/** Two tabs restored at once must not both create an address. Plain http has no locks; there the limit bounds the harm. */
export async function exclusively(task: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('mayfly.generate', task)
  else await task()
}

/** The part of a new address that is stored. `savedAt` is this browser's wall clock in milliseconds: only ever compared with itself. */
export const addressRecord = object({
  email: text,
  token: text,
  /** ISO 8601 by the server's clock. For display ("Gone at 14:32"), never for counting. */
  expiresAt: text,
  lifetimeSeconds: number,
  secondsLeft: number,
  savedAt: number,
  /** Listed by the account or come by a link: others have it too. A new address does not destroy it; signing out forgets it here. */
  kept: optional(flag),
  /** A sign-up with this e-mail address keeps it, whose confirmation this browser has not seen: no account lists it yet. */
  unconfirmed: optional(text),
})
type AddressRecord = Shaped<typeof addressRecord>

/** What does not change while it lives. */
type AddressFields = Pick<AddressRecord, 'email' | 'token' | 'expiresAt' | 'lifetimeSeconds' | 'kept' | 'unconfirmed'>

/** An address that is in local storage, with its end on the clocks of this page. */
export type StoredAddress = Readonly<AddressFields> & {
  /** When the mailbox expires, on the clock of `performance.now()`. */
  readonly deadlineMs: number
  /** The same by this browser's wall clock, which continues while the machine sleeps. */
  readonly wallDeadlineMs: number
  /** The server has confirmed in this page that the mailbox is live. Until then `deadlineMs` is an estimate. */
  readonly isConfirmed: boolean
}

/** Without anything else of what has them. */
function addressOf({ email, token, expiresAt, lifetimeSeconds, kept, unconfirmed }: AddressFields): AddressFields {
  return { email, token, expiresAt, lifetimeSeconds, kept, unconfirmed }
}

/** The stored form of an address that lives for `leftMs` from `savedAt`. */
export function toAddressRecord(address: AddressFields, leftMs: number, savedAt: number): AddressRecord {
  return { ...addressOf(address), secondsLeft: leftMs / 1000, savedAt }
}

/** How many milliseconds a mailbox still lives, by the middle of request and response; both times are of `performance.now()`. */
export function msLeft({ secondsLeft }: Pick<Mailbox, 'secondsLeft'>, askedAtMs: number, nowMs: number): number {
  return secondsLeft * 1000 - Math.max(0, nowMs - askedAtMs) / 2
}

/** `gone`: the server no longer knows the mailbox. `unknown`: no response came. */
type Confirmed = 'live' | 'gone' | 'unknown'

export type AddressStore = ReturnType<typeof createAddressStore>

type Clocks = Pick<PageClock, 'now' | 'wall'>

export function createAddressStore(store: KeyValue, clocks: Clocks, ask: (token: string) => Promise<Mailbox>, key: string = ADDRESS_KEY) {
  const { get, subscribe, set } = createStore(fromStored(readStored(store, key, addressRecord), clocks))

  function clear(): void {
    store.removeItem(key)
    if (get()) set(undefined)
  }

  /** `askedAtMs`: when the request for `mailbox` was sent, on the clock of `performance.now()`. */
  function save(mailbox: Mailbox & AddressFields, askedAtMs: number): void {
    write(mailbox, msLeft(mailbox, askedAtMs, clocks.now()))
  }

  function write(address: AddressFields, leftMs: number): void {
    const savedAt = clocks.wall()
    writeStored(store, key, toAddressRecord(address, leftMs, savedAt))
    set({ ...addressOf(address), deadlineMs: clocks.now() + leftMs, wallDeadlineMs: savedAt + leftMs, isConfirmed: true })
  }

  /** Restores an address that was replaced. */
  function restore(address: StoredAddress): void {
    write(address, address.deadlineMs - clocks.now())
  }

  /** Forgets this address. `true` once, in the tab that removed it from the shared storage. */
  function take(token: string): boolean {
    const isStored = readStored(store, key, addressRecord)?.token === token
    if (isStored) store.removeItem(key)
    if (get()?.token === token) set(undefined)
    return isStored
  }

  /** Asks the server how long the mailbox lives, and removes nothing. */
  async function confirm(): Promise<Confirmed> {
    const address = get()
    if (!address) return 'gone'
    const askedAtMs = clocks.now()
    try {
      const mailbox = await ask(address.token)
      // Meanwhile another tab may have changed to another address, or a sign-up may have kept this one, which the reply does not know.
      const current = get()
      // Only an account can have given it a later end.
      const kept = current?.kept || mailbox.expiresAt > address.expiresAt || undefined
      // Another tab may have forgotten it, with a sign-out, of which this page has not heard.
      const isStored = readStored(store, key, addressRecord)?.token === address.token
      if (isStored && current?.token === address.token && mailbox.expiresAt >= current.expiresAt)
        save({ ...current, ...mailbox, kept }, askedAtMs)
      return 'live'
    } catch (error) {
      return error instanceof ProblemError && error.code === 'mailbox_not_found' ? 'gone' : 'unknown'
    }
  }

  let isAdopting = false

  /** Another tab wrote. `text` is the stored value now. */
  function adopt(text: string | null): void {
    const next = fromStored(parseStored(text, addressRecord), clocks)
    isAdopting = true
    if (next || get()) set(next && { ...next, isConfirmed: true })
    isAdopting = false
  }

  return {
    get,
    subscribe,
    save,
    confirm,
    restore,
    clear,
    take,
    adopt,
    /** Whether the change that listeners are told of was made by another tab. */
    isAdopting: () => isAdopting,
    /** Reads what another tab may have written before its event arrives. */
    refresh: () => adopt(store.getItem(key)),
  }
}

function fromStored(stored: AddressRecord | undefined, clocks: Clocks): StoredAddress | undefined {
  if (!stored) return undefined
  const passedMs = Math.max(0, clocks.wall() - stored.savedAt)
  const leftMs = stored.secondsLeft * 1000 - passedMs
  return { ...addressOf(stored), deadlineMs: clocks.now() + leftMs, wallDeadlineMs: clocks.wall() + leftMs, isConfirmed: false }
}
