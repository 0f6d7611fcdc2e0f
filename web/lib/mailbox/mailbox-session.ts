/**
 * The visitor's live mailbox: kept in local storage, shared by all tabs, counted down on the monotonic clock from the server's `secondsLeft`
 *, so that a wrong wall clock changes nothing.
 */
import * as z from 'zod/mini'
import type { Mailbox } from '#contract/mailbox.ts'
import { ProblemError, readMailbox } from '../api/mailbox-api.ts'
import { type KeyValue, localStore, parseStored, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'

const SESSION_KEY = 'mayfly.mailbox'

/** `savedAt` is this browser's wall clock in milliseconds: only ever compared with itself. */
const storedSchema = z.object({
  email: z.string(),
  token: z.string(),
  expiresAt: z.string(),
  lifetimeSeconds: z.number(),
  secondsLeft: z.number(),
  savedAt: z.number(),
})
type Stored = z.infer<typeof storedSchema>

export type MailboxSession = {
  readonly email: string
  readonly token: string
  /** ISO 8601 by the server's clock: for showing ("Gone at 14:32"), never for counting. */
  readonly expiresAt: string
  readonly lifetimeSeconds: number
  /** When the mailbox ends, on the clock of `performance.now()`. */
  readonly deadlineMs: number
  /** The server has said in this page that the mailbox lives; until then `deadlineMs` is an estimate. */
  readonly isConfirmed: boolean
}

/** `gone`: the server does not know the mailbox any more. `unknown`: no answer came. */
type Resynced = 'live' | 'gone' | 'unknown'

export type SessionStore = {
  get(): MailboxSession | undefined
  subscribe(listener: () => void): () => void
  /** `askedAtMs` is when the request that brought `mailbox` was sent, on the clock of `performance.now()`. */
  save(mailbox: Mailbox & { token: string }, askedAtMs: number): void
  /** Asks the server how long the mailbox still lives. Forgets it when it is gone. */
  resync(): Promise<Resynced>
  clear(): void
  /** Another tab wrote: `text` is the stored value now. */
  adopt(text: string | null): void
  /** Reads what another tab may have written before its event has reached this one. */
  refresh(): void
}

type Clocks = { now: () => number; wall: () => number }
type Ask = (token: string) => Promise<Mailbox>

export function createSessionStore(store: KeyValue, clocks: Clocks, ask: Ask): SessionStore {
  const { get, subscribe, set } = createStore(fromStored(readStored(store, SESSION_KEY, storedSchema), clocks))

  function clear(): void {
    store.removeItem(SESSION_KEY)
    if (get()) set(undefined)
  }

  function save(mailbox: Mailbox & { token: string }, askedAtMs: number): void {
    const { email, token, expiresAt, lifetimeSeconds, secondsLeft } = mailbox
    // The server read its clock somewhere between the question and the answer: take the middle.
    const transitMs = Math.max(0, clocks.now() - askedAtMs) / 2
    const leftMs = secondsLeft * 1000 - transitMs
    const stored: Stored = { email, token, expiresAt, lifetimeSeconds, secondsLeft: leftMs / 1000, savedAt: clocks.wall() }
    writeStored(store, SESSION_KEY, stored)
    set({ email, token, expiresAt, lifetimeSeconds, deadlineMs: clocks.now() + leftMs, isConfirmed: true })
  }

  async function resync(): Promise<Resynced> {
    const asked = get()
    if (!asked) return 'gone'
    const askedAtMs = clocks.now()
    try {
      const mailbox = await ask(asked.token)
      // Another tab may have moved on to another address while we asked.
      if (get()?.token === asked.token) save({ ...mailbox, ...longerLifetime(asked, mailbox), token: asked.token }, askedAtMs)
      return 'live'
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'mailbox_not_found') return 'unknown'
      if (get()?.token === asked.token) clear()
      return 'gone'
    }
  }

  function adopt(text: string | null): void {
    const next = fromStored(parseStored(text, storedSchema), clocks)
    if (next || get()) set(next && { ...next, isConfirmed: true })
  }

  return {
    get,
    subscribe,
    save,
    resync,
    clear,
    adopt,
    refresh: () => adopt(store.getItem(SESSION_KEY)),
  }
}

/** The server keeps only the end: in its last minutes it takes a 24 h address for a short one, and we know better. */
function longerLifetime(known: MailboxSession, told: Mailbox): { lifetimeSeconds: number } {
  return { lifetimeSeconds: Math.max(known.lifetimeSeconds, told.lifetimeSeconds) }
}

function fromStored(stored: Stored | undefined, clocks: Clocks): MailboxSession | undefined {
  if (!stored) return undefined
  const passedMs = Math.max(0, clocks.wall() - stored.savedAt)
  const { email, token, expiresAt, lifetimeSeconds } = stored
  return { email, token, expiresAt, lifetimeSeconds, deadlineMs: clocks.now() + stored.secondsLeft * 1000 - passedMs, isConfirmed: false }
}

/** The one session of this page, in step with the other tabs. */
export const sessionStore = createSessionStore(localStore, { now: () => performance.now(), wall: () => Date.now() }, readMailbox)

if (typeof window !== 'undefined') {
  window.addEventListener('storage', event => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) sessionStore.adopt(event.newValue)
  })
}
