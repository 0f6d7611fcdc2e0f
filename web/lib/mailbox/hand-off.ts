/**
 * Opening the same inbox on another device: the token travels in the fragment of a URL, which no browser sends to any server,
 * and is taken out of the address bar before anything else can read it.
 */

const PARAMETER = 'm'

/** What the QR code says. */
export function handOffUrl(token: string, origin: string): string {
  return `${origin}/#${PARAMETER}=${encodeURIComponent(token)}`
}

/** The token of a hand-off URL's fragment, if it is one. */
function tokenInFragment(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get(PARAMETER) || undefined
}

/** Taken while modules load, before a router or an analytics script has seen the URL. */
let pending: string | undefined = takeFromAddressBar()

/** The token this page was opened with; only the first caller gets it. */
export function takeHandedOver(): string | undefined {
  const token = pending
  pending = undefined
  return token
}

function takeFromAddressBar(): string | undefined {
  if (typeof location === 'undefined') return undefined
  const token = tokenInFragment(location.hash)
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
