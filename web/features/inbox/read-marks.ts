/** Which messages were opened, and which were reported to analytics: stored in this browser, for all tabs and across reloads. */
import { hashText } from '#web/lib/bot-check/fingerprint.ts'
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import { list, object, text } from '#web/lib/shape.ts'

const KEY = 'mayfly.read'
const REPORTED_KEY = 'mayfly.reported'
const marks = object({ mailbox: text, ids: list(text) })

export function readMarks(token: string): ReadonlySet<string> {
  return storedIds(KEY, token)
}

function storedIds(key: string, token: string): ReadonlySet<string> {
  const stored = readStored(localStore, key, marks)
  return new Set(stored?.mailbox === hashText(token) ? stored.ids : [])
}

/** Marks of other mailboxes are dropped: their messages are gone. */
export function markRead(token: string, id: string): ReadonlySet<string> {
  const read = new Set([...readMarks(token), id])
  writeStored(localStore, KEY, { mailbox: hashText(token), ids: [...read] })
  return read
}

/** How many of these no tab has reported yet; they then count as reported. Stream, poll and refresh may all bring the same message. */
export function claimArrivals(token: string, messages: readonly { id: string }[]): number {
  const reported = storedIds(REPORTED_KEY, token)
  const unreported = messages.filter(message => !reported.has(message.id)).map(message => message.id)
  if (unreported.length > 0) writeStored(localStore, REPORTED_KEY, { mailbox: hashText(token), ids: [...reported, ...unreported] })
  return unreported.length
}
