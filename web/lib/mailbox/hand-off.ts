/**
 * Opening the same inbox on another device: the token travels in the fragment of a URL, which no browser sends to any server,
 * and is taken out of the address bar before anything else can read it.
 */
import { createStore } from '../browser/store.ts'

const PARAMETER = 'm'
/** Survives a reload while the server cannot be reached; gone with the tab. */
const KEPT_KEY = 'mayfly.hand-off'

/** What the QR code says. */
export function handOffUrl(token: string, origin: string): string {
  return `${origin}/#${PARAMETER}=${encodeURIComponent(token)}`
}

/** The token of a link that was followed here and has not been opened yet. */
export const linkTokenStore = createStore<string | undefined>(undefined)

/** The link was opened, or its inbox is gone. */
export function forgetLinkToken(): void {
  linkTokenStore.set(undefined)
  keep(undefined)
}

/** The token of a hand-off URL's fragment, if it is one. */
function tokenInFragment(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get(PARAMETER) || undefined
}

function takeFromAddressBar(): void {
  const token = tokenInFragment(location.hash)
  if (token === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  keep(token)
  linkTokenStore.set(token)
}

/** Storage is refused in some private modes: the token then lives as long as the page. */
function keep(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(KEPT_KEY)
    else sessionStorage.setItem(KEPT_KEY, token)
  } catch {}
}

function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT_KEY) ?? undefined
  } catch {
    return undefined
  }
}

// While modules load, before a router or an analytics script has seen the URL.
if (typeof location !== 'undefined') {
  linkTokenStore.set(keptToken())
  takeFromAddressBar()
  addEventListener('hashchange', takeFromAddressBar)
}
