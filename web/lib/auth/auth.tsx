/** `useAuth()`: who is signed in. Kept in sync between tabs and refreshed periodically. */

import { createContext, type ReactNode, use } from 'react'
import { HOUR_MS } from '#contract/limits.ts'
import { ACCOUNT_KEY, localStore } from '../browser/storage.ts'
import { useStore } from '../browser/use-store.ts'
import { forgetKeptAddresses } from '../mailbox/page-addresses.ts'
import { notifyState } from '../notify/notifications.ts'
import { toastStore } from '../notify/toasts.ts'
import { AUTH_LOADING, type AuthState, createAuthStore } from './auth-store.ts'

/** A session is extended once per day of use. Hourly checks notice one that was ended elsewhere. */
const REFRESH_MS = HOUR_MS

const askServer = async () => (await import('./ask-session.ts')).askSession()

/** The next person at this browser must neither read the account's mail nor be told of it. */
export const authStore = createAuthStore(localStore, Date.now, askServer, email => {
  forgetKeptAddresses(email)
  if (notifyState() === 'on') import('../notify/push.ts').then(push => push.leaveAccount()).catch(console.warn)
})

const AuthContext = createContext<AuthState | undefined>(undefined)

const served = (): AuthState => (authStore.get().status === 'signed-out' ? authStore.get() : AUTH_LOADING)

export function AuthProvider({ children }: { children: ReactNode }) {
  const state = useStore(authStore, served)
  return (
    <AuthContext key={state.turn} value={state}>
      {children}
    </AuthContext>
  )
}

/** Throws outside an `<AuthProvider>`. */
export function useAuth(): AuthState {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth needs an <AuthProvider> above it')
  return auth
}

/** Call once, before hydration: signed-out visitors, nearly all, then keep the served HTML, and nothing renders twice. */
export function startAuth(): void {
  authStore.start()
  let { turn } = authStore.get()
  authStore.subscribe(() => {
    if (authStore.get().turn === turn) return
    turn = authStore.get().turn
    // They speak of the other account, and may have codes of its mail.
    toastStore.set([])
  })
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
  setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('storage', adopt)
  window.addEventListener('pageshow', restore)
}
