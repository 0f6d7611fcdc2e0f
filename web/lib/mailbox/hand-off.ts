/**
 * Opening the same inbox on another device: the token travels in the fragment of a URL, which no browser sends to any server,
 * and is taken out of the address bar before anything else can read it.
 */
import { createStore } from '../browser/store.ts'

const PARAMETER = 'm'
/** Survives a reload while the server cannot be reached; gone with the tab. */
const KEPT_KEY = 'mayfly.hand-off'

/** What every token of the server looks like. Anything else cannot even be sent in a header. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/

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

/** What a hand-off URL's fragment says, be it a token or not. */
function handedOver(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get(PARAMETER)
}

function takeFromAddressBar(): void {
  const token = handedOver(location.hash)
  if (token === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (!TOKEN.test(token)) return
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
    const kept = sessionStorage.getItem(KEPT_KEY)
    return kept !== null && TOKEN.test(kept) ? kept : undefined
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
