/** The view of HTML mail that the visitor chose last. The first is the specification's own. */
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import { oneOf } from '#web/lib/shape.ts'
import type { MailView } from '../sanitize/sanitize.ts'

const KEY = 'mayfly.mail-view'

export function preferredView(): MailView {
  return readStored(localStore, KEY, oneOf('simple', 'layout')) ?? 'simple'
}

export function rememberView(view: MailView): void {
  writeStored(localStore, KEY, view)
}
