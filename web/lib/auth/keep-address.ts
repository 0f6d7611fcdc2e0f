/** Keeping the address that this browser shows for an account. Fetched when an address nears its end, or with a signed-in page. */
import type { Language } from '#contract/languages.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { keepMailbox } from '../api/account-routes.ts'
import { request } from '../api/request.ts'
import { obtainBotCheck } from '../bot-check/bot-check.ts'
import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { addressStore } from '../mailbox/page-addresses.ts'
import { text } from '../shape.ts'
import { signUpWithPasskey } from './passkeys.ts'

/** The e-mail address that its visitor wants to keep, while they sign in or up elsewhere. */
const KEEP_KEY = 'mayfly.keep'

/** For the signed-in account. Throws `ProblemError`. */
export async function keepForAccount(token: string): Promise<void> {
  const askedAtMs = performance.now()
  showKept(await request(keepMailbox, { json: { token } }), askedAtMs)
}

/** Signs up with a passkey. `false` if the address had ended before it could be kept. Throws `ProblemError` and `BotCheckError`. */
export async function keepWithPasskey(email: string, token: string, language: Language): Promise<boolean> {
  const botCheck = await obtainBotCheck('signup')
  const askedAtMs = performance.now()
  const kept = await signUpWithPasskey(email, botCheck, language, token)
  if (kept) showKept({ ...kept, unconfirmed: email }, askedAtMs)
  return kept !== undefined
}

/** Before the visitor goes to sign in or up: their address is kept when they come back. */
export const wantToKeep = (email: string) => writeStored(localStore, KEEP_KEY, email)

/** Whether the address that is shown now is the one that was wanted, and can still be kept. `true` once. */
export function takeWanted(): boolean {
  const wanted = readStored(localStore, KEEP_KEY, text)
  localStore.removeItem(KEEP_KEY)
  const shown = addressStore.get()
  return wanted !== undefined && shown?.email === wanted && !shown.kept
}

/** The night goes over into the day, unless motion is not wanted. */
function showKept(mailbox: MailboxCreated & { unconfirmed?: string }, askedAtMs: number): void {
  if (addressStore.get()?.token !== mailbox.token) return
  const show = () => addressStore.save(mailbox, askedAtMs)
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) show()
  else {
    document.startViewTransition(async () => {
      show()
      // React has drawn it then.
      await new Promise(resolve => setTimeout(resolve))
    })
  }
}
