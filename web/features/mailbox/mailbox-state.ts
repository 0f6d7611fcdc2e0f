import type { MailboxSession } from '#web/lib/mailbox/address-store.ts'

/**
 * The phases of the visitor's address: restoring → generating → active → (deleting →) destroying → expired or none. Pure: no clock, no
 * network.
 */
export type MailboxState =
  /** `restoring`: the page does not know yet whether an address is live. */
  | { readonly phase: 'restoring' | 'none' | 'expired'; readonly session?: undefined }
  /** With the address that is to be replaced: it and its mail stay until another is there, since none may come. */
  | { readonly phase: 'generating'; readonly session: MailboxSession | undefined }
  /** `deleting`: deleted by the visitor, and can still be undone. */
  | { readonly phase: 'active' | 'deleting'; readonly session: MailboxSession }
  | { readonly phase: 'destroying'; readonly session: MailboxSession; readonly cause: 'expired' | 'deleted' }

export type AddressEvent =
  | { readonly type: 'session_found'; readonly session: MailboxSession }
  /** This browser has no address, or no longer. */
  | { readonly type: 'session_lost' }
  | { readonly type: 'generate' }
  | { readonly type: 'delete' }
  /** These two are about the address of `token`. When they arrive, another one may be shown. */
  | { readonly type: 'undo_delete'; readonly token: string }
  | { readonly type: 'end'; readonly token: string; readonly cause: 'expired' | 'deleted' }
  /** `DESTROYING_MS` are over. */
  | { readonly type: 'destroyed' }

/** How long the page shows that the address is being destroyed. */
export const DESTROYING_MS = 2000

export const RESTORING: MailboxState = { phase: 'restoring' }

/** The next state, or the same object if the event changes nothing. */
export function reduceMailbox(state: MailboxState, event: AddressEvent): MailboxState {
  switch (event.type) {
    case 'session_found':
      return withSession(state, event.session)
    case 'session_lost':
      return state.phase === 'destroying' || state.phase === 'expired' || state.phase === 'none' ? state : { phase: 'none' }
    case 'generate':
      return { phase: 'generating', session: state.phase === 'active' ? state.session : undefined }
    case 'delete':
      return state.phase === 'active' ? { phase: 'deleting', session: state.session } : state
    case 'undo_delete':
      return state.phase === 'deleting' && state.session.token === event.token ? { phase: 'active', session: state.session } : state
    case 'end':
      return state.phase !== 'destroying' && state.session?.token === event.token
        ? { phase: 'destroying', session: state.session, cause: event.cause }
        : state
    case 'destroyed':
      return state.phase === 'destroying' ? { phase: state.cause === 'expired' ? 'expired' : 'none' } : state
  }
}

/** An update of the same address (a more precise deadline) does not restore one that is being deleted. */
function withSession(state: MailboxState, session: MailboxSession): MailboxState {
  const isSame = state.session?.token === session.token
  if (isSame && state.phase === 'deleting') return { ...state, session }
  if (isSame && state.phase === 'destroying') return state
  return { phase: 'active', session }
}
