/**
 * Opens the same inbox on another device. The token is in the fragment of a URL, which browsers send to no server, and is removed from the
 * address bar before anything else can read it.
 */
import { LINK_TOKEN_KEY } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'

const PARAMETER = 'm'

/** The format of every token of the server. Anything else could not even be sent in a header. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/

/** The content of the QR code. */
export const handOffUrl = (token: string, origin: string): string => `${origin}/#${PARAMETER}=${encodeURIComponent(token)}`

/** Stands for the token of a link that was cut off or mistyped. */
export const INVALID_TOKEN = ''

/** The token of a link that was followed but not opened yet. */
export const linkTokenStore = createStore<string | undefined>(undefined)

/** The link was opened, or its inbox is gone. */
export function forgetLinkToken(): void {
  linkTokenStore.set(undefined)
  keep(undefined)
}

/** The content of the URL's fragment, whether or not it is a valid token. */
const handedOver = (fragment: string): string | null => new URLSearchParams(fragment.replace(/^#/, '')).get(PARAMETER)

function takeFromAddressBar(): void {
  const token = handedOver(location.hash)
  if (token === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const isValid = TOKEN.test(token)
  if (isValid) keep(token)
  linkTokenStore.set(isValid ? token : INVALID_TOKEN)
}

/** Some private modes refuse storage; the token then lasts as long as the page. */
function keep(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(LINK_TOKEN_KEY)
    else sessionStorage.setItem(LINK_TOKEN_KEY, token)
  } catch {}
}

function keptToken(): string | undefined {
  try {
    const kept = sessionStorage.getItem(LINK_TOKEN_KEY)
    return kept !== null && TOKEN.test(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

// Runs while modules load, before a router or analytics script can see the URL.
if (typeof location !== 'undefined') {
  linkTokenStore.set(keptToken())
  takeFromAddressBar()
  addEventListener('hashchange', takeFromAddressBar)
}
