/** The browser's own limit of new addresses. The server's is in server/platform/limits/rate-limits.ts, and trusts none of this. */
import { NEW_ADDRESSES, NEW_ADDRESSES_PRO } from '#contract/limits.ts'
import { deviceFingerprint } from '../bot-check/fingerprint.ts'
import { type KeyValue, localStore, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'
import { list, number, object, pair, type Shaped, text } from '../shape.ts'

/** Times in milliseconds since the epoch. */
const recordShape = object({ count: number, firstAttempt: number, lastAttempt: number })
type RateLimitRecord = Shaped<typeof recordShape>
const KEY = 'mayfly.generation-limit'
const recordsShape = list(pair(text, recordShape))

type Limit = { readonly max: number; readonly windowSeconds: number }

export type NewAddressAllowance = {
  readonly remaining: number
  /** Whole seconds until the window ends; 0 while attempts remain. */
  readonly secondsUntilReset: number
}

/** Accounts may create addresses more often. */
export const newAddressLimit = (isPro: boolean): Limit => (isPro ? NEW_ADDRESSES_PRO : NEW_ADDRESSES)

/** What is left for `identifier` now. A window that starts in the future (the clock was set back) counts as over. */
export function allowanceFor(store: KeyValue, identifier: string, now: number, limit: Limit = NEW_ADDRESSES): NewAddressAllowance {
  const record = liveRecord(store, identifier, now, limit)
  if (!record) return { remaining: limit.max, secondsUntilReset: 0 }
  const remaining = Math.max(0, limit.max - record.count)
  const endsAt = record.firstAttempt + limit.windowSeconds * 1000
  return { remaining, secondsUntilReset: remaining > 0 ? 0 : Math.max(1, Math.ceil((endsAt - now) / 1000)) }
}

/** Whether anybody on this device has used up their attempts: cheaper to know than one's own, for the home page's inline script. */
export function hasSpentAttempts(store: KeyValue, now: number): boolean {
  return readRecords(store).some(([, record]) => record.count >= NEW_ADDRESSES.max && isLive(record, now, NEW_ADDRESSES))
}

/** Counts one attempt of this device. */
export function recordNewAddress(
  isPro: boolean,
  store: KeyValue = localStore,
  identifier: string = deviceFingerprint(),
  now: number = Date.now(),
): void {
  const limit = newAddressLimit(isPro)
  const { count, firstAttempt } = liveRecord(store, identifier, now, limit) ?? { count: 0, firstAttempt: now }
  const others = readRecords(store).filter(([key, other]) => key !== identifier && isLive(other, now, limit))
  writeStored(store, KEY, [...others, [identifier, { count: count + 1, firstAttempt, lastAttempt: now }]])
}

function liveRecord(store: KeyValue, identifier: string, now: number, limit: Limit): RateLimitRecord | undefined {
  const record = readRecords(store).find(([key]) => key === identifier)?.[1]
  return record && isLive(record, now, limit) ? record : undefined
}

function isLive(record: RateLimitRecord, now: number, limit: Limit): boolean {
  return record.firstAttempt <= now && now < record.firstAttempt + limit.windowSeconds * 1000
}

const readRecords = (store: KeyValue): Shaped<typeof recordsShape> => readStored(store, KEY, recordsShape) ?? []

/** The server's last refusal, whose count may differ from this browser's. `until`: a time of `Date.now()`. */
export const refusalStore = createStore({ isPro: false, until: 0 })

/** How many more addresses the account that is signed in may hold. */
export const roomStore = createStore(Number.POSITIVE_INFINITY)

/** The server creates no address for the next `seconds`: for this account with `isPro`, else for this network. */
export function noteRefusal(isPro: boolean, seconds: number): void {
  refusalStore.set({ isPro, until: Date.now() + seconds * 1000 })
}

/** What may be created now: what the server said while its last refusal lasts, else by the browser's own count. */
export function newAddressAllowance(isPro: boolean): NewAddressAllowance {
  const now = Date.now()
  const refusal = refusalStore.get()
  const refusedSeconds = refusal.isPro === isPro ? Math.ceil((refusal.until - now) / 1000) : 0
  if (refusedSeconds > 0) return { remaining: 0, secondsUntilReset: refusedSeconds }
  return allowanceFor(localStore, deviceFingerprint(), now, newAddressLimit(isPro))
}
