/**
 * The life of the visitor's address: restoring → generating → active → (deleting →) destroying → expired or none. `reduceAddress` decides
 * what an event changes and what is to be done; `web/features/mailbox/address-runner.ts` does it. Pure: no clock, no storage, no network.
 */
import { HOUR_MS } from '#contract/limits.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import type { BotCheckFailure } from '../bot-check/bot-check.ts'
import type { StoredAddress } from './address-store.ts'
import type { NewAddressAllowance } from './new-address-limit.ts'

export type ShownAddress =
  /** `restoring`: the page does not know yet whether an address is live. */
  | { readonly phase: 'restoring' | 'none' | 'expired'; readonly address?: undefined }
  /** With the address that is to be replaced: it and its mail stay until another is there, since none may come. */
  | { readonly phase: 'generating'; readonly address: StoredAddress | undefined }
  /** `deleting`: deleted by the visitor, and can still be undone. */
  | { readonly phase: 'active' | 'deleting'; readonly address: StoredAddress }
  | { readonly phase: 'destroying'; readonly address: StoredAddress; readonly cause: 'expired' | 'deleted' }

export type AddressPhase = ShownAddress['phase']

export type AddressState = {
  readonly shown: ShownAddress
  /** The page looks for an address to show: a stored one, this browser's other one, one of the account, or else a new one. */
  readonly isOpening: boolean
  /** The token of the link with which the page was opened, until it is known where that leads. */
  readonly link: string | undefined
  readonly isReadingLink: boolean
  readonly isUnreachableTold: boolean
  /** The address of a hand-off link, until the visitor has said whether to open it. */
  readonly question: LinkQuestion | undefined
  /** Nothing else is begun while an address is created. */
  readonly creation: Creation | undefined
  /** The address that comes with the page could not be created yet. */
  readonly isOwed: boolean
  /** The last change that can still be undone. */
  readonly change: AddressChange | undefined
}

/** `isAutomatic`: it comes with the page. One that is chosen meanwhile is shown at once, and nothing waits for this one any more. */
export type Creation = {
  readonly isAutomatic: boolean
  readonly insteadOf?: string | undefined
  /** The one that is shown stays, as this browser's other address. */
  readonly isBeside?: boolean | undefined
  readonly tries: number
}

/** `askedAtMs`: when its remaining time was read. */
export type LinkQuestion = Mailbox & { readonly token: string; readonly askedAtMs: number }

export type AddressChange =
  | { readonly kind: 'replaced'; readonly previous: StoredAddress; readonly created: string }
  | { readonly kind: 'deleted'; readonly address: StoredAddress }

export type UndoableNotice =
  | { readonly kind: 'generated'; readonly lifetimeSeconds: number }
  | { readonly kind: 'deleting'; readonly email: string }

export type MailboxNotice =
  | UndoableNotice
  | { readonly kind: 'away' | 'deleted' | 'delete_failed' | 'expired' | 'failed' | 'full' | 'unreached' }
  | { readonly kind: 'handed_over' | 'hand_over_failed' | 'hand_over_unreachable' | 'hand_over_refused' }
  /** What another tab of this browser did. */
  | { readonly kind: 'replaced_elsewhere' | 'closed_elsewhere' }
  /** Without the address: on a shared computer, this may be read by someone else. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'bot_check'; readonly failure: BotCheckFailure }
  | { readonly kind: 'rate_limited'; readonly seconds: number }

/** Why no address was created. `unavailable`: the server cannot create one right now, and says when to try again. */
export type Refusal = MailboxNotice | { readonly kind: 'unavailable'; readonly seconds: number }

type Confirmed = 'live' | 'gone' | 'unknown'

export type AddressEvent =
  /** The page is there. `isFirstAsked`: a script of the page has asked for an address before. */
  | { readonly type: 'started'; readonly linkToken: string | undefined; readonly isFirstAsked: boolean }
  | { readonly type: 'left' }
  | { readonly type: 'first_came'; readonly isMade: boolean }
  /** No other tab opens or creates an address until `end_turn`. */
  | { readonly type: 'turn_came'; readonly for: 'opening' | 'creation' }
  /** The stored address is another one, or its end was corrected: by this tab, or elsewhere. */
  | { readonly type: 'stored'; readonly isElsewhere: boolean }
  /** This browser's other address is another one, or its end was corrected. */
  | { readonly type: 'other_stored' }
  /** The server no longer knows the other address. */
  | { readonly type: 'other_gone'; readonly token: string }
  | { readonly type: 'checked'; readonly answer: Confirmed; readonly address: StoredAddress; readonly isOpening: boolean }
  | {
      readonly type: 'owned_listed'
      readonly owned: readonly MailboxCreated[]
      readonly askedAtMs: number
      readonly gone: string | undefined
      readonly isOpening: boolean
    }
  | { readonly type: 'waited'; readonly for: Wait }
  /** The machine slept, a stream ended, the network is back: it may be over. */
  | { readonly type: 'look' }
  /** The steps for this one could not be fetched. */
  | { readonly type: 'not_loaded'; readonly change: ChangeEvent }
  | ChangeEvent

/** What the visitor changes, and what comes of it. */
export type ChangeEvent =
  /** Pressed. `insteadOf`: the domain of an address that a site refused; the operator sees the count. */
  | { readonly type: 'generate'; readonly insteadOf?: string | undefined; readonly isBeside?: boolean | undefined }
  | { readonly type: 'delete' }
  | { readonly type: 'committed' | 'undone'; readonly change: AddressChange }
  | { readonly type: 'deleted' | 'not_deleted'; readonly address: StoredAddress }
  /** For the press whose turn has come, or because there is no address to show. */
  | { readonly type: 'create' }
  | { readonly type: 'created'; readonly mailbox: MailboxCreated; readonly askedAtMs: number; readonly isAutomatic: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal; readonly isAutomatic: boolean }
  | { readonly type: 'link'; readonly token: string }
  | { readonly type: 'link_read'; readonly question: LinkQuestion }
  | { readonly type: 'link_dead' | 'link_unanswered' }
  | { readonly type: 'answered'; readonly isLinkChosen: boolean }
  | { readonly type: 'switch' }

/** The steps for these are in address-changes.ts, fetched with the first: the first address comes before the application. */
export type ChangeStep = (state: AddressState, event: ChangeEvent, seen: Surroundings) => Step

/** `end`: of what is shown, `other`: of the other address, `previous`: of one to restore, `retry`, `late`: until asking again. */
type Wait = 'end' | 'other' | 'previous' | 'retry' | 'late'

export type AddressEffect =
  | { readonly do: 'take_turn'; readonly for: 'opening' | 'creation' }
  | { readonly do: 'end_turn' }
  /** One wait of each name: this one replaces the last. Without `ms` there is none. */
  | { readonly do: 'wait'; readonly for: Wait; readonly ms: number | undefined }
  | { readonly do: 'check'; readonly address: StoredAddress; readonly isOpening: boolean }
  | { readonly do: 'list_owned'; readonly gone: string | undefined; readonly isOpening: boolean }
  | { readonly do: 'create'; readonly isAutomatic: boolean; readonly insteadOf: string | undefined }
  | { readonly do: 'save'; readonly as: 'shown' | 'other'; readonly mailbox: MailboxCreated; readonly askedAtMs: number }
  | { readonly do: 'restore'; readonly as: 'shown' | 'other'; readonly address: StoredAddress }
  | { readonly do: 'clear'; readonly what: 'shown' | 'other' }
  /** Removes it from this browser. If several tabs do, `ifFirst` is for one of them. */
  | { readonly do: 'forget'; readonly token: string; readonly ifFirst: readonly AddressEffect[] }
  /** At the server. If this fails, it still expires on its own, and nobody has its token any more. */
  | { readonly do: 'destroy'; readonly token: string }
  /** The same, for the address that the visitor deleted: removed here first, and told. */
  | { readonly do: 'delete'; readonly address: StoredAddress }
  | { readonly do: 'offer_undo'; readonly change: AddressChange; readonly notice: UndoableNotice }
  | { readonly do: 'commit' }
  | { readonly do: 'repeat'; readonly event: AddressEvent }
  | { readonly do: 'read_link'; readonly token: string }
  | { readonly do: 'forget_link' }
  | { readonly do: 'notify'; readonly notice: MailboxNotice }
  | { readonly do: 'track'; readonly event: TrackedEvent }

type TrackedEvent = 'email_generated' | 'email_deleted' | 'email_expired'

/** What is around the state when an event comes: the clocks of the page, what this browser stores, and how often it may ask. */
export type Surroundings = {
  /** On the clock of `performance.now()`. */
  readonly now: number
  readonly wall: number
  readonly shown: StoredAddress | undefined
  readonly other: StoredAddress | undefined
  readonly allowance: NewAddressAllowance
}

export type Step = readonly [AddressState, readonly AddressEffect[]]

/** How long the page shows that the address is being destroyed. */
export const DESTROYING_MS = 2000
export const RESTORING: ShownAddress = { phase: 'restoring' }
export const INITIAL_ADDRESS: AddressState = {
  shown: RESTORING,
  isOpening: false,
  link: undefined,
  isReadingLink: false,
  isUnreachableTold: false,
  question: undefined,
  creation: undefined,
  isOwed: false,
  change: undefined,
}

const LATE_MS = 20_000
/** Later, nobody wonders where their address is. */
const ENDED_NOTICE_MS = HOUR_MS

export const END_TURN: AddressEffect = { do: 'end_turn' }
const CREATE: AddressEffect = { do: 'repeat', event: { type: 'create' } }
const COMMIT: AddressEffect = { do: 'commit' }
export const OPEN: AddressEffect = { do: 'take_turn', for: 'opening' }
export const tell = (
  kind: Exclude<MailboxNotice, { failure: unknown } | { seconds: unknown } | UndoableNotice>['kind'],
): AddressEffect => ({ do: 'notify', notice: { kind } })
export const track = (event: TrackedEvent): AddressEffect => ({ do: 'track', event })

/** The next state, or the same object if nothing changes, and what is to be done for it, in order. */
export function reduceAddress(state: AddressState, event: AddressEvent, seen: Surroundings, changeStep: ChangeStep): Step {
  // The change is made first, and what it leaves behind is seen then.
  if (state.change && endsUndo(state, event, seen)) return [state, [COMMIT, { do: 'repeat', event }]]
  const [next, effects] = step(state, event, seen, changeStep)
  if (next.shown === state.shown) return [next, effects]
  return [next, [{ do: 'wait', for: 'end', ms: msToEnd(next.shown, seen) }, ...effects]]
}

/** Whether after this event the last change can no longer be undone. */
function endsUndo({ shown, creation, change, question }: AddressState, event: AddressEvent, seen: Surroundings): boolean {
  switch (event.type) {
    case 'generate':
      return !creation && shown.phase !== 'restoring'
    case 'delete':
      return !creation && shown.phase === 'active'
    case 'switch':
      return !creation
    case 'left':
      return true
    case 'answered':
      return event.isLinkChosen && question !== undefined && seen.shown !== undefined
    case 'stored': {
      const isOwn = change?.kind === 'replaced' && change.created === seen.shown?.token
      return !creation && !isOwn && seen.shown?.token !== shown.address?.token
    }
    default:
      return false
  }
}

function msToEnd(shown: ShownAddress, { now }: Surroundings): number | undefined {
  if (shown.phase === 'destroying') return DESTROYING_MS
  return shown.address && Math.max(0, shown.address.deadlineMs - now)
}

function step(state: AddressState, event: AddressEvent, seen: Surroundings, changeStep: ChangeStep): Step {
  const { shown, creation } = state
  switch (event.type) {
    case 'started': {
      const opening = { ...state, isOpening: true, link: event.linkToken, isReadingLink: false, creation: undefined }
      if (event.linkToken !== undefined) return restoreStored(opening, seen)
      return event.isFirstAsked ? [show(opening, { phase: 'generating', address: undefined }), []] : [opening, [OPEN]]
    }
    case 'first_came':
      return [state, event.isMade ? [track('email_generated'), OPEN] : [OPEN]]
    case 'turn_came':
      if (event.for === 'opening') return restoreStored(state, seen)
      return [state, [creation ? CREATE : END_TURN]]
    case 'stored':
      return storedChanged(state, event.isElsewhere, seen)
    case 'checked':
      return checked(state, event, seen)
    case 'owned_listed':
      return ownedListed(state, event, seen)
    case 'waited':
      return waited(state, event.for, seen)
    case 'other_stored':
      return [state, [awaitOther(seen)]]
    case 'other_gone':
      return [state, seen.other?.token === event.token ? [forgetEnded(seen.other, seen)] : []]
    case 'look':
      if (state.isOwed && (shown.phase === 'none' || shown.phase === 'expired') && !creation) return [{ ...state, isOpening: true }, [OPEN]]
      return [
        state,
        [
          ...(shown.phase === 'active' && !creation ? [{ do: 'check', address: shown.address, isOpening: false } as const] : []),
          ...(seen.other ? [{ do: 'repeat', event: { type: 'waited', for: 'other' } } as const] : []),
        ],
      ]
    case 'not_loaded':
      return notLoaded(state, event.change, seen)
    case 'left':
      return [state, []]
    default:
      return changeStep(state, event, seen)
  }
}

export const show = (state: AddressState, shown: ShownAddress): AddressState => ({ ...state, shown })

export const end = (state: AddressState, address: StoredAddress, cause: 'expired' | 'deleted') =>
  show(state, { phase: 'destroying', address, cause })

/** Shows that this browser has no address, or no longer. */
function showNone(state: AddressState): AddressState {
  const { phase } = state.shown
  return phase === 'destroying' || phase === 'expired' || phase === 'none' ? state : show(state, { phase: 'none' })
}

/** An update of the same address (a more precise deadline) does not restore one that is being deleted. */
function showStored(state: AddressState, address: StoredAddress): AddressState {
  const { shown } = state
  const isSame = shown.address?.token === address.token
  if (isSame && shown.phase === 'deleting') return show(state, { ...shown, address })
  if (isSame && shown.phase === 'destroying') return state
  return show(state, { phase: 'active', address })
}

/** By either clock, as one may stop while the machine sleeps. The server forgets it at the same instant, so slightly early is fine. */
export function isOver({ deadlineMs, wallDeadlineMs }: StoredAddress, { now, wall }: Surroundings): boolean {
  return deadlineMs - now <= DESTROYING_MS || wallDeadlineMs - wall <= DESTROYING_MS
}

/** Shows the stored address. Until the server has confirmed it, its end is an estimate. */
function restoreStored(state: AddressState, seen: Surroundings): Step {
  const address = seen.shown
  if (!address) return restored(state, seen, undefined)
  const isAlive = address.deadlineMs > seen.now
  const next = isAlive ? showStored(state, address) : state
  return isAlive && address.isConfirmed ? restored(next, seen, address) : [next, [{ do: 'check', address, isOpening: true }]]
}

function restored(state: AddressState, seen: Surroundings, address: StoredAddress | undefined): Step {
  if (state.link !== undefined) return [state, [{ do: 'repeat', event: { type: 'link', token: state.link } }]]
  return address ? [opened(state), [END_TURN]] : openNext(state, seen, { gone: undefined, isOpening: true })
}

export const opened = (state: AddressState): AddressState => ({ ...state, isOpening: false })

/** Shows another address instead of `gone`: this browser's other one, or the account's newest. */
function openNext(state: AddressState, seen: Surroundings, wanted: { gone: string | undefined; isOpening: boolean }): Step {
  const { other } = seen
  const clear: AddressEffect[] = other ? [{ do: 'clear', what: 'other' }] : []
  if (!other || isOver(other, seen) || other.token === wanted.gone) return [state, [...clear, { do: 'list_owned', ...wanted }]]
  const restore: AddressEffect = { do: 'restore', as: 'shown', address: other }
  return wanted.isOpening ? [opened(state), [...clear, restore, END_TURN]] : [state, [...clear, restore]]
}

export type EventOf<Type extends AddressEvent['type']> = Extract<AddressEvent, { type: Type }>

function ownedListed(state: AddressState, { owned, askedAtMs, gone, isOpening }: EventOf<'owned_listed'>, seen: Surroundings): Step {
  const newest = owned.findLast(({ token }) => token !== gone)
  const isTaken = state.creation !== undefined || seen.shown !== undefined
  const save: AddressEffect[] = newest && !isTaken ? [{ do: 'save', as: 'shown', mailbox: newest, askedAtMs }] : []
  if (!isOpening) return [state, save]
  if (newest || isTaken) return [opened(state), [...save, END_TURN]]
  return [state, [CREATE]]
}

/** Another tab created, deleted or lost the address, or the deadline was corrected. */
function storedChanged(before: AddressState, isElsewhere: boolean, seen: Surroundings): Step {
  const address = seen.shown
  const state = address && before.creation?.isAutomatic ? { ...opened(before), creation: undefined } : before
  const { shown } = state
  if (state.creation) return [state, []]
  const wasActive = shown.phase === 'active'
  if (address) {
    const isOther = address.token !== shown.address?.token
    return [showStored(state, address), wasActive && isElsewhere && isOther ? [tell('replaced_elsewhere')] : []]
  }
  if (!wasActive) return [state, []]
  if (isOver(shown.address, seen)) return [end(state, shown.address, 'expired'), []]
  const [next, effects] = openNext(showNone(state), seen, { gone: shown.address.token, isOpening: false })
  return [next, isElsewhere ? [tell('closed_elsewhere'), ...effects] : effects]
}

/** The server said whether it still has the address. Without a response this browser's own clocks decide. */
function checked(state: AddressState, { answer, address, isOpening }: EventOf<'checked'>, seen: Surroundings): Step {
  const { shown } = state
  const isShown = shown.phase === 'active' && shown.address.token === address.token
  if (isOpening) {
    if (answer === 'gone') {
      const [next, effects] = restored(isShown ? showNone(state) : state, { ...seen, shown: undefined }, undefined)
      return [next, [forgetEnded(address, seen), ...effects]]
    }
    const isDead = answer === 'unknown' && address.deadlineMs <= seen.now
    const [next, effects] = isDead ? restored(state, { ...seen, shown: undefined }, undefined) : restored(state, seen, seen.shown)
    return [next, isDead ? [{ do: 'clear', what: 'shown' }, ...effects] : effects]
  }
  if (!isShown || answer === 'live') return [state, []]
  if (isOver(shown.address, seen)) return [end(state, shown.address, 'expired'), []]
  if (answer === 'unknown') return [state, []]
  const [next, effects] = openNext(showNone(state), seen, { gone: address.token, isOpening: false })
  return [next, [forgetEnded(address, seen), ...effects]]
}

/** Nobody saw it end: it was deleted on another device, or ended while its page was closed. */
function forgetEnded(address: StoredAddress, seen: Surroundings): AddressEffect {
  const ifFirst = [
    ...(isOver(address, seen) ? [track('email_expired')] : []),
    ...(seen.wall - address.wallDeadlineMs < ENDED_NOTICE_MS ? [tell('ended')] : []),
  ]
  return { do: 'forget', token: address.token, ifFirst }
}

/**
 * The address that comes with the page is not refused, but late: that is told once, and it is created as soon as a server answers, or the
 * limit allows it. So is one that was pressed for while there is none.
 */
export function notCreated(state: AddressState, notice: MailboxNotice, isAutomatic: boolean, seen: Surroundings): Step {
  const isLate = isAutomatic && notice.kind === 'unreached'
  const isAwaited = notice.kind === 'rate_limited' && (isAutomatic || !seen.shown)
  const lateMs = isLate ? LATE_MS : isAwaited ? notice.seconds * 1000 : undefined
  const isTold = lateMs !== undefined && isAutomatic && state.isOwed
  const over = { ...opened(state), creation: undefined, isOwed: state.isOwed || lateMs !== undefined }
  return [
    seen.shown ? showStored(over, seen.shown) : showNone(over),
    [
      END_TURN,
      ...(isTold ? [] : [isLate ? tell('away') : ({ do: 'notify', notice } as const)]),
      ...(lateMs === undefined ? [] : [{ do: 'wait', for: 'late', ms: lateMs } as const]),
    ],
  ]
}

function waited(state: AddressState, wait: Wait, seen: Surroundings): Step {
  const { shown, creation } = state
  switch (wait) {
    case 'other':
      if (!seen.other) return [state, []]
      return [state, [isOver(seen.other, seen) ? forgetEnded(seen.other, seen) : awaitOther(seen)]]
    case 'retry':
      return creation ? [state, [{ do: 'create', isAutomatic: creation.isAutomatic, insteadOf: creation.insteadOf }]] : [state, []]
    case 'late':
      return [state, [{ do: 'repeat', event: { type: 'look' } }]]
    case 'previous':
      return state.change?.kind === 'replaced' ? [state, [COMMIT, tell('ended')]] : [state, []]
    case 'end':
      if (shown.phase === 'destroying') return destroyed(state, shown, seen)
      // A toast that is held does not outlive the address.
      if (shown.phase === 'deleting') return [state, [COMMIT]]
      return shown.address ? [end(state, shown.address, 'expired'), []] : [state, []]
  }
}

/** `DESTROYING_MS` are over. */
function destroyed(state: AddressState, { address, cause }: Extract<ShownAddress, { phase: 'destroying' }>, seen: Surroundings): Step {
  const { token } = address
  const effects: AddressEffect[] = [{ do: 'forget', token, ifFirst: cause === 'expired' ? [track('email_expired')] : [] }, tell(cause)]
  // Another one is still being requested.
  if (state.creation) return [show(state, { phase: 'generating', address: undefined }), effects]
  const [next, opening] = openNext(show(state, { phase: cause === 'expired' ? 'expired' : 'none' }), seen, {
    gone: token,
    isOpening: false,
  })
  return [next, [...effects, ...opening]]
}

/** Nobody sees its last two seconds. */
function awaitOther({ now, other }: Surroundings): AddressEffect {
  return { do: 'wait', for: 'other', ms: other && Math.max(0, other.deadlineMs - now - DESTROYING_MS) }
}

function notLoaded(state: AddressState, change: ChangeEvent, seen: Surroundings): Step {
  switch (change.type) {
    case 'create':
      return notCreated(state, { kind: 'unreached' }, state.creation === undefined, seen)
    case 'generate':
      return [state, [tell('unreached')]]
    case 'delete':
      return [state, [tell('delete_failed')]]
    default:
      return linkDone(state, seen, [])
  }
}

/** It is known where the link leads, or that the server does not answer. */
export function linkDone(state: AddressState, seen: Surroundings, effects: readonly AddressEffect[]): Step {
  if (state.link === undefined) return [state, effects]
  const done = { ...opened(state), link: undefined }
  return [seen.shown ? done : showNone(done), effects]
}
