/** `useAuth()`: who is signed in, with functions to sign in and out. Kept in sync between tabs and refreshed periodically. */
import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Credentials } from '#contract/account.ts'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { track } from '../browser/analytics.ts'
import { ACCOUNT_KEY, type KeyValue, localStore, parseStored, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'
import { sessionStore } from '../mailbox/mailbox-session.ts'
import { object, type Shaped, text as textShape } from '../shape.ts'

const storedShape = object({ email: textShape, expiresAt: textShape })
type Session = Shaped<typeof storedShape>

type AuthState =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-in'; readonly email: string }
  | { readonly status: 'signed-out' }

/**
 * Who is signed in, as this page knows it. The credential is a cookie that no script can read. The address is stored here for an instant
 * first paint, for other tabs, and to know whether it makes sense to ask the server.
 */
type AuthStore = {
  get(): AuthState
  subscribe(listener: () => void): () => void
  /** Sets what the server said: a session, or none. */
  set(session: Session | null): void
  /** Asks the server. Without a response the state stays, except that loading becomes signed out. */
  refresh(): Promise<void>
  /** The first check of a page: without a stored session the visitor is signed out, and the server is not asked. */
  start(): void
  /** Another tab signed in or out. `text` is the stored value now. */
  adopt(text: string | null): void
}

const AUTH_LOADING: AuthState = { status: 'loading' }
const SIGNED_OUT: AuthState = { status: 'signed-out' }

export function createAuthStore(store: KeyValue, wall: () => number, ask: () => Promise<Session | null>): AuthStore {
  const { get, subscribe, set: setState } = createStore(AUTH_LOADING)
  let changes = 0

  function show(next: AuthState): void {
    changes += 1
    setState(next)
  }

  const shown = (session: Session | null | undefined): AuthState =>
    session && Date.parse(session.expiresAt) > wall() ? { status: 'signed-in', email: session.email } : SIGNED_OUT

  function set(session: Session | null): void {
    if (session) writeStored(store, ACCOUNT_KEY, session)
    else store.removeItem(ACCOUNT_KEY)
    show(shown(session))
  }

  async function refresh(): Promise<void> {
    const before = changes
    try {
      const session = await ask()
      // Signing in or out during the request is newer information.
      if (changes === before) set(session)
    } catch {
      if (get().status === 'loading') show(SIGNED_OUT)
    }
  }

  return {
    get,
    subscribe,
    set,
    refresh,
    start() {
      const stored = readStored(store, ACCOUNT_KEY, storedShape)
      show(shown(stored))
      if (stored) void refresh()
    },
    adopt: text => show(shown(parseStored(text, storedShape))),
  }
}

/** A session is extended once per day of use. Hourly checks notice one that was ended elsewhere. */
const REFRESH_MS = 3_600_000

/** Most visitors have no account, so nothing of it is in the first file. */
const accountApi = () => import('../api/account-api.ts')

const authStore = createAuthStore(localStore, Date.now, async () => (await accountApi()).readSession())

export type Auth = AuthState & {
  /** Throws `ProblemError`. */
  signIn(credentials: Credentials): Promise<void>
  signOut(): Promise<void>
  signOutEverywhere(): Promise<void>
  /** Asks the server, for pages that need certainty when the browser may have lost the stored state. */
  refresh(): Promise<void>
}

function signedOut(): void {
  authStore.set(null)
  // The next person at this browser must not read the account's mail. The address itself stays in the account's list.
  if ((sessionStore.get()?.lifetimeSeconds ?? 0) >= PRO_LIFETIME_SECONDS) sessionStore.clear()
  track('logout')
}

const AuthContext = createContext<Auth | undefined>(undefined)

const actions = {
  async signIn(credentials: Credentials) {
    const { signIn } = await accountApi()
    authStore.set(await signIn(credentials))
    track('login', { method: 'email' })
  },
  async signOut() {
    const { signOut } = await accountApi()
    await signOut()
    signedOut()
  },
  async signOutEverywhere() {
    const { signOutEverywhere } = await accountApi()
    await signOutEverywhere()
    signedOut()
  },
  refresh: () => authStore.refresh(),
}

/** Call before hydration: signed-out visitors, nearly all, then keep the served HTML, and nothing renders twice. */
export const startAuth = authStore.start

const served = (): AuthState => (authStore.get().status === 'signed-out' ? authStore.get() : AUTH_LOADING)

export function AuthProvider({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(authStore.subscribe, authStore.get, served)
  useEffect(refreshPeriodically, [])
  const auth = useMemo(() => ({ ...state, ...actions }), [state])
  return <AuthContext value={auth}>{children}</AuthContext>
}

/** Throws outside an `<AuthProvider>`. */
export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth needs an <AuthProvider> above it')
  return auth
}

function refreshPeriodically(): () => void {
  let askedAt = Date.now()
  const refresh = () => {
    if (document.visibilityState !== 'visible' || authStore.get().status !== 'signed-in' || Date.now() - askedAt < REFRESH_MS) return
    askedAt = Date.now()
    void authStore.refresh()
  }
  const adopt = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === ACCOUNT_KEY || event.key === null) authStore.adopt(event.newValue)
  }
  const timer = setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('storage', adopt)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
    window.removeEventListener('storage', adopt)
  }
}
