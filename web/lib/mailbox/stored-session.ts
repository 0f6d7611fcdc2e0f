/** The visitor's address as local storage keeps it for all tabs. */
import type { Mailbox } from '#contract/mailbox.ts'
import { number, object, type Shaped, text } from '../shape.ts'

const fields = { email: text, token: text, expiresAt: text, lifetimeSeconds: number, secondsLeft: number }

/** What is stored of the server's response to a new address. */
export const newSession = object(fields)

/** `savedAt` is this browser's wall clock in milliseconds: only ever compared with itself. */
export const storedSession = object({ ...fields, savedAt: number })
export type StoredSession = Shaped<typeof storedSession>

type Address = Pick<StoredSession, 'email' | 'token' | 'expiresAt' | 'lifetimeSeconds'>

/** The stored form of an address that lives for `leftMs` from `savedAt`, without anything else from the server. */
export function toStoredSession({ email, token, expiresAt, lifetimeSeconds }: Address, leftMs: number, savedAt: number): StoredSession {
  return { email, token, expiresAt, lifetimeSeconds, secondsLeft: leftMs / 1000, savedAt }
}

/**
 * How many milliseconds a mailbox still lives. The server read its clock somewhere between request and response, so the middle is used;
 * both times are of `performance.now()`.
 */
export function msLeft({ secondsLeft }: Pick<Mailbox, 'secondsLeft'>, askedAtMs: number, nowMs: number): number {
  return secondsLeft * 1000 - Math.max(0, nowMs - askedAtMs) / 2
}
