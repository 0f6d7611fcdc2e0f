import { ACCOUNT_KEY, type KeyValue, parseStored, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'
import { object, type Shaped, text as textShape } from '../shape.ts'

const storedShape = object({ email: textShape, expiresAt: textShape })
/** A link is all that `isOperator` shows, so it is stored and read unchecked. */
type Session = Shaped<typeof storedShape> & { isOperator?: boolean | undefined }

export type AuthState = (
  | { readonly status: 'loading' }
  | { readonly status: 'signed-in'; readonly email: string; readonly isOperator?: boolean | undefined }
  | { readonly status: 'signed-out' }
) & {
  /** Changes when this page passes from one account to another. What is drawn is mounted anew then: nothing read for the one stays. */
  readonly turn?: string | undefined
}

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

export const AUTH_LOADING: AuthState = { status: 'loading' }
const SIGNED_OUT: AuthState = { status: 'signed-out' }

/** Hears of which account the session is over, or replaced by that of another one: signed out here or elsewhere, expired, reset. */
type OnLeft = (email: string) => void

export function createAuthStore(store: KeyValue, wall: () => number, ask: () => Promise<Session | null>, onLeft: OnLeft): AuthStore {
  const { get, subscribe, set: setState } = createStore(AUTH_LOADING)
  let changes = 0
  /** The last account of this page, also after its end. */
  let account: string | undefined
  let turn: string | undefined

  function show(next: AuthState): void {
    changes += 1
    if (next.status === 'signed-in') {
      if (account && account !== next.email) turn = next.email
      account = next.email
    }
    setState({ ...next, turn })
  }

  const shown = (session: Session | null | undefined): AuthState =>
    session && Date.parse(session.expiresAt) > wall()
      ? { status: 'signed-in', email: session.email, isOperator: session.isOperator }
      : SIGNED_OUT

  function set(session: Session | null): void {
    const before = readStored(store, ACCOUNT_KEY, storedShape)
    if (session) writeStored(store, ACCOUNT_KEY, session)
    else store.removeItem(ACCOUNT_KEY)
    show(shown(session))
    if (before && before.email !== session?.email) onLeft(before.email)
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
