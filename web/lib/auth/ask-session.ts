/** Asks the server who is signed in. Most visitors have no account, so nothing of it is in the first file. */
import { toLanguage } from '#contract/languages.ts'
import { readSession } from '../api/account-routes.ts'
import { request } from '../api/request.ts'
import { ACCOUNT_KEY, localStore } from '../browser/storage.ts'
import { fetchTexts } from '../i18n/i18n.tsx'
import { showToast } from '../notify/toasts.ts'

/** Long enough for somebody who comes back to the page. */
const SHOWN_MS = 60_000

/** `wasSignedIn`, as far as the browser knew. Then its addresses go with the session, which nobody here ended: that is told. */
export async function askSession(wasSignedIn = localStore.getItem(ACCOUNT_KEY) !== null) {
  const { session } = await request(readSession, {})
  if (!session && wasSignedIn) tellSessionEnded().catch(console.warn)
  return session
}

async function tellSessionEnded(): Promise<void> {
  const { sessionEnded: texts } = await fetchTexts(toLanguage(document.documentElement.lang) ?? 'en', 'notices')
  const signIn = { label: texts.signIn, run: () => location.assign('/auth') }
  showToast({ title: texts.title, description: texts.text, durationMs: SHOWN_MS, action: signIn })
}
