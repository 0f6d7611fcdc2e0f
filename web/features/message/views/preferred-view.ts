/** The view of HTML mail that the visitor chose last. The first is the specification's own. */
import * as z from 'zod/mini'
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import type { MailView } from '../sanitize/sanitize.ts'

const KEY = 'mayfly.mail-view'

export function preferredView(): MailView {
  return readStored(localStore, KEY, z.enum(['simple', 'layout'])) ?? 'simple'
}

export function rememberView(view: MailView): void {
  writeStored(localStore, KEY, view)
}
