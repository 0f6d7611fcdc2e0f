/** `useAuth()`: who is signed in. Kept in sync between tabs and refreshed periodically. */

import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { HOUR_MS } from '#contract/limits.ts'
import { ACCOUNT_KEY, localStore } from '../browser/storage.ts'
import { useStore } from '../browser/use-store.ts'
import { forgetKeptAddresses } from '../mailbox/page-addresses.ts'
import { AUTH_LOADING, type AuthState, createAuthStore } from './auth-store.ts'

/** A session is extended once per day of use. Hourly checks notice one that was ended elsewhere. */
const REFRESH_MS = HOUR_MS

const askServer = async () => (await import('./ask-session.ts')).askSession(localStore.getItem(ACCOUNT_KEY) !== null)

/** The next person at this browser must not read the account's mail. */
export const authStore = createAuthStore(localStore, Date.now, askServer, forgetKeptAddresses)

export type Auth = AuthState & {
  /** Asks the server, for pages that need certainty when the browser may have lost the stored state. */
  refresh(): Promise<void>
}

const AuthContext = createContext<Auth | undefined>(undefined)

/** Call before hydration: signed-out visitors, nearly all, then keep the served HTML, and nothing renders twice. */
export const startAuth = authStore.start

const served = (): AuthState => (authStore.get().status === 'signed-out' ? authStore.get() : AUTH_LOADING)

export function AuthProvider({ children }: { children: ReactNode }) {
  const state = useStore(authStore, served)
  useEffect(refreshPeriodically, [])
  const auth = useMemo(() => ({ ...state, refresh: authStore.refresh }), [state])
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
  /** A page in the browser's cache for Back hears of nothing: Firefox sends it no `storage` event, and a session may end elsewhere. */
  const restore = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    authStore.adopt(localStore.getItem(ACCOUNT_KEY))
    askedAt = 0
    refresh()
  }
  const timer = setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('storage', adopt)
  window.addEventListener('pageshow', restore)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
    window.removeEventListener('storage', adopt)
    window.removeEventListener('pageshow', restore)
  }
}
