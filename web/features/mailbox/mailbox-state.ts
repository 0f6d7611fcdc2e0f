import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'

/**
 * The phases of the visitor's address: restoring → generating → active → (deleting →) destroying → expired or none. Pure: no clock, no
 * network.
 */
export type MailboxState =
  /** `restoring`: the page does not know yet whether an address is live. */
  | { readonly phase: 'restoring' | 'none' | 'expired'; readonly address?: undefined }
  /** With the address that is to be replaced: it and its mail stay until another is there, since none may come. */
  | { readonly phase: 'generating'; readonly address: StoredAddress | undefined }
  /** `deleting`: deleted by the visitor, and can still be undone. */
  | { readonly phase: 'active' | 'deleting'; readonly address: StoredAddress }
  | { readonly phase: 'destroying'; readonly address: StoredAddress; readonly cause: 'expired' | 'deleted' }

export type AddressEvent =
  | { readonly type: 'address_found'; readonly address: StoredAddress }
  /** This browser has no address, or no longer. */
  | { readonly type: 'address_lost' }
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
    case 'address_found':
      return withAddress(state, event.address)
    case 'address_lost':
      return state.phase === 'destroying' || state.phase === 'expired' || state.phase === 'none' ? state : { phase: 'none' }
    case 'generate':
      return { phase: 'generating', address: state.phase === 'active' ? state.address : undefined }
    case 'delete':
      return state.phase === 'active' ? { phase: 'deleting', address: state.address } : state
    case 'undo_delete':
      return state.phase === 'deleting' && state.address.token === event.token ? { phase: 'active', address: state.address } : state
    case 'end':
      return state.phase !== 'destroying' && state.address?.token === event.token
        ? { phase: 'destroying', address: state.address, cause: event.cause }
        : state
    case 'destroyed':
      return state.phase === 'destroying' ? { phase: state.cause === 'expired' ? 'expired' : 'none' } : state
  }
}

/** An update of the same address (a more precise deadline) does not restore one that is being deleted. */
function withAddress(state: MailboxState, address: StoredAddress): MailboxState {
  const isSame = state.address?.token === address.token
  if (isSame && state.phase === 'deleting') return { ...state, address }
  if (isSame && state.phase === 'destroying') return state
  return { phase: 'active', address }
}
