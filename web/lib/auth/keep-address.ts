/** Keeping the address that this browser shows for an account. Fetched when an address nears its end, or with a signed-in page. */
import type { Language } from '#contract/languages.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { keepMailbox } from '../api/account-routes.ts'
import { request } from '../api/request.ts'
import { obtainBotCheck } from '../bot-check/bot-check.ts'
import { KEEP_KEY, localStore, readStored, writeStored } from '../browser/storage.ts'
import { addressStore, otherAddressStore } from '../mailbox/page-addresses.ts'
import { text } from '../shape.ts'
import { signUpWithPasskey } from './passkeys.ts'

/** For the signed-in account. Throws `ProblemError`. */
export async function keepForAccount(token: string): Promise<void> {
  const askedAtMs = performance.now()
  showKept(await request(keepMailbox, { json: { token } }), askedAtMs)
}

/** Signs up with a passkey. `false` if the address had ended before it could be kept. Throws `ProblemError` and `BotCheckError`. */
export async function keepWithPasskey(email: string, token: string, language: Language): Promise<boolean> {
  const { mailbox, askedAtMs } = await signUpWithPasskey(email, await obtainBotCheck('signup'), language, token)
  if (mailbox) showKept({ ...mailbox, unconfirmed: email }, askedAtMs)
  return mailbox !== undefined
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

/** The night goes over into the day, unless motion is not wanted. Meanwhile the visitor may have changed to their other address. */
function showKept(mailbox: MailboxCreated & { unconfirmed?: string }, askedAtMs: number): void {
  const store = [addressStore, otherAddressStore].find(each => each.get()?.token === mailbox.token)
  if (!store) return
  const show = () => store.save(mailbox, askedAtMs)
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) show()
  else {
    const { ready } = document.startViewTransition(async () => {
      show()
      // React has drawn it then.
      await new Promise(resolve => setTimeout(resolve))
    })
    // A hidden tab or a slow device skips it, and the address is shown all the same.
    ready.catch(() => undefined)
  }
}
