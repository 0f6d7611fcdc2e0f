/**
 * Requests and shows a visitor's first address before the rest of the application has loaded, which saves a phone a second. The home page
 * loads this module as a separate script before all others, and the challenge of the bot check with it (scripts/build/prerender.ts). It
 * leaves the address in local storage, where the application finds it. If this fails, the application requests one itself and shows the
 * error. A live address from an earlier visit is shown at once.
 */
import { FIRST_CHALLENGE } from '#contract/challenge-preload.ts'
import { visitorRoutes as routes } from '#contract/visitor-routes.ts'
import { challenge, mailboxCreated } from '../api/response-shapes.ts'
import { deviceFingerprint } from '../bot-check/fingerprint.ts'
import { solveProofOfWork } from '../bot-check/proof-of-work.ts'
import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { ACCOUNT_KEY, LINK_TOKEN_KEY, OTHER_SESSION_KEY, SESSION_KEY } from '../browser/storage-keys.ts'
import type { Shape } from '../shape.ts'
import { servedConfig } from '../site/served-config.ts'
import { exclusively } from './exclusively.ts'
import { allowanceFor, recordAttempt } from './generation-limit.ts'
import { showFirstAddress } from './show-first-address.ts'
import { msLeft, storedSession, toStoredSession } from './stored-session.ts'

/** After this long the application requests an address itself, with its own time-out. */
const PATIENCE_MS = 8000

const hasAddress = () => [SESSION_KEY, OTHER_SESSION_KEY, ACCOUNT_KEY].some(key => localStore.getItem(key) !== null)
const isAllowed = () => allowanceFor(localStore, deviceFingerprint(), Date.now()).remaining > 0

/** A visitor without an address, an account or a link to an inbox. */
function isFirst(): boolean {
  // Missing if prerendered, or under `vite dev`.
  if (!servedConfig || servedConfig.botCheck.provider === 'recaptcha' || location.pathname !== '/') return false
  const hasLink = location.hash !== '' || sessionStorage.getItem(LINK_TOKEN_KEY) !== null
  return !hasLink && !hasAddress() && isAllowed()
}

async function ask<T>(path: string, shape: Shape<T>, init: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  const reply: unknown = await response.json()
  if (!response.ok || !shape(reply)) throw new Error('No first address')
  return reply
}

async function makeAddress(signal: AbortSignal): Promise<boolean> {
  const hasCheck = servedConfig?.botCheck.provider === 'pow'
  const botCheck = hasCheck ? await solveProofOfWork(ask(FIRST_CHALLENGE, challenge, { signal }), signal) : undefined
  let isMade = false
  // Of several tabs that open at once, one requests an address.
  await exclusively(async () => {
    if (signal.aborted || hasAddress() || !isAllowed()) return
    const askedAtMs = performance.now()
    const headers = { 'content-type': 'application/json' }
    const created = await ask(routes.mailboxes, mailboxCreated, { method: 'POST', headers, body: JSON.stringify({ botCheck }), signal })
    recordAttempt(localStore, deviceFingerprint(), Date.now())
    writeStored(localStore, SESSION_KEY, toStoredSession(created, msLeft(created, askedAtMs, performance.now()), Date.now()))
    // Where storage is full the application creates another address, and this one must not be given to anybody.
    if (readStored(localStore, SESSION_KEY, storedSession)?.email !== created.email) return
    showFirstAddress(created.email)
    isMade = true
    // The address is painted before the application, if it is there already, draws all that belongs to it.
    await new Promise(resolve => setTimeout(resolve))
  })
  return isMade
}

/** The address that this browser still has. */
function showLive(): void {
  const stored = readStored(localStore, SESSION_KEY, storedSession)
  if (stored && stored.savedAt <= Date.now() && Date.now() < stored.savedAt + stored.secondsLeft * 1000) showFirstAddress(stored.email)
}

/** The page has requested a challenge that is not needed: taken and dropped, or the browser would warn about it. */
function dropChallenge(): void {
  if (document.querySelector(`link[href="${FIRST_CHALLENGE}"]`)) fetch(FIRST_CHALLENGE).catch(() => undefined)
}

function askIfFirst(): Promise<boolean> | undefined {
  try {
    showLive()
    if (isFirst()) return makeAddress(AbortSignal.timeout(PATIENCE_MS)).catch(() => false)
    dropChallenge()
    return undefined
  } catch {
    // Storage is refused: the application knows how to live without.
    return undefined
  }
}

let first = askIfFirst()

/**
 * The result of that request: `true` if an address was created and its attempt counted. `undefined` if there was no request, e.g. because
 * there is a live address, and after the first call. Never rejects.
 */
export function takeFirstAddress(): Promise<boolean> | undefined {
  const taken = first
  first = undefined
  return taken
}
