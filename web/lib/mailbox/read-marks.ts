/** Which messages were opened, and which were reported to analytics: stored in this browser, for all tabs and across reloads. */
import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { hashText } from '../hash-text.ts'
import { list, object, type Shaped, text } from '../shape.ts'

const KEY = 'mayfly.read'
const REPORTED_KEY = 'mayfly.reported'
/** As many as an account has live addresses; a visitor has one or two. Older ones are dropped: their messages are gone. */
const MAILBOXES_MAX = 12
const marks = list(object({ mailbox: text, ids: list(text) }))

export const readMarks = (token: string): ReadonlySet<string> => new Set(idsIn(stored(KEY), hashText(token)))
export const markRead = (token: string, id: string): ReadonlySet<string> => add(KEY, token, [id])

/** How many of these no tab has reported yet; they then count as reported. Stream, poll and refresh may all return the same message. */
export function claimArrivals(token: string, messages: readonly { id: string }[]): number {
  const reported = new Set(idsIn(stored(REPORTED_KEY), hashText(token)))
  const unreported = messages.filter(message => !reported.has(message.id)).map(message => message.id)
  if (unreported.length > 0) add(REPORTED_KEY, token, unreported)
  return unreported.length
}

const stored = (key: string) => readStored(localStore, key, marks) ?? []

const idsIn = (all: Shaped<typeof marks>, mailbox: string) => all.find(known => known.mailbox === mailbox)?.ids ?? []

/** The most recently used mailbox comes first. */
function add(key: string, token: string, added: readonly string[]): ReadonlySet<string> {
  const mailbox = hashText(token)
  const all = stored(key)
  const ids = new Set([...idsIn(all, mailbox), ...added])
  const others = all.filter(known => known.mailbox !== mailbox)
  writeStored(localStore, key, [{ mailbox, ids: [...ids] }, ...others].slice(0, MAILBOXES_MAX))
  return ids
}
