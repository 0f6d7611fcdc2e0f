/** Which mails were opened, kept in this browser so that a reload does not make them new again. */
import * as z from 'zod/mini'
import { hashText } from '#web/lib/bot-check/fingerprint.ts'
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'

const KEY = 'mayfly.read'
const schema = z.object({ mailbox: z.string(), ids: z.array(z.string()) })

export function readMarks(token: string): ReadonlySet<string> {
  const stored = readStored(localStore, KEY, schema)
  return new Set(stored?.mailbox === hashText(token) ? stored.ids : [])
}

/** Marks of another mailbox are forgotten: their mails are gone. */
export function markRead(token: string, id: string): ReadonlySet<string> {
  const marks = new Set([...readMarks(token), id])
  writeStored(localStore, KEY, { mailbox: hashText(token), ids: [...marks] })
  return marks
}
