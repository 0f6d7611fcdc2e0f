/** `useAuth()`: who is signed in, with functions to sign in and out. Kept in sync between tabs and refreshed periodically. */
import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Credentials } from '#contract/account.ts'
import { request, send } from '../api/request.ts'
import { track } from '../browser/analytics.ts'
import { ACCOUNT_KEY, localStore } from '../browser/storage.ts'
import { otherSessionStore, sessionStore } from '../mailbox/page-sessions.ts'
import { AUTH_LOADING, type AuthState, createAuthStore } from './auth-store.ts'

/** A session is extended once per day of use. Hourly checks notice one that was ended elsewhere. */
const REFRESH_MS = 3_600_000

/** Most visitors have no account, so nothing of it is in the first file. */
const accountRoutes = () => import('../api/account-routes.ts')

const authStore = createAuthStore(localStore, Date.now, async () => (await request((await accountRoutes()).readSession, {})).session)

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
  for (const store of [sessionStore, otherSessionStore]) if (store.get()?.kept) store.clear()
  track('logout')
}

const AuthContext = createContext<Auth | undefined>(undefined)

const actions = {
  async signIn(credentials: Credentials) {
    const { signIn } = await accountRoutes()
    authStore.set((await request(signIn, { json: credentials })).session)
    track('login', { method: 'email' })
  },
  async signOut() {
    const { signOut } = await accountRoutes()
    await send(signOut, {})
    signedOut()
  },
  async signOutEverywhere() {
    const { signOutEverywhere } = await accountRoutes()
    await send(signOutEverywhere, {})
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
