/**
 * The steps of the address machine for what the visitor changes: a new address with a way back to the one before, a deletion, and the
 * address of a hand-off link. Pure, as the machine is.
 */
import { UNDO_MS } from '../notify/undo.ts'
import {
  type AddressChange,
  type AddressEffect,
  type AddressState,
  type ChangeEvent,
  type Creation,
  END_TURN,
  type EventOf,
  end,
  isOver,
  type LinkQuestion,
  linkDone,
  notCreated,
  OPEN,
  opened,
  type Step,
  type Surroundings,
  show,
  tell,
  track,
} from './address-machine.ts'
import type { StoredAddress } from './address-store.ts'
import { INVALID_TOKEN } from './hand-off.ts'

/** With a longest pause of ten seconds: about two minutes. */
const UNAVAILABLE_TRIES_MAX = 15
const UNAVAILABLE_SLOWDOWN_MAX = 5

export function changeStep(state: AddressState, event: ChangeEvent, seen: Surroundings): Step {
  const { shown, creation, change } = state
  switch (event.type) {
    case 'create':
      return create(state, creation ?? { isAutomatic: true, tries: 0 }, seen)
    case 'created':
      return created(state, event, seen)
    case 'refused':
      return refused(state, event, seen)
    case 'generate':
      // Ignored, not queued: holding a key must not use up all attempts.
      if (creation || shown.phase === 'restoring') return [state, []]
      return [
        { ...state, creation: { isAutomatic: false, insteadOf: event.insteadOf, isBeside: event.isBeside, tries: 0 } },
        [{ do: 'take_turn', for: 'creation' }],
      ]
    case 'delete': {
      if (creation || shown.phase !== 'active') return [state, []]
      const deletion: AddressChange = { kind: 'deleted', address: shown.address }
      const notice = { kind: 'deleting', email: shown.address.email } as const
      return [
        { ...show(state, { phase: 'deleting', address: shown.address }), change: deletion },
        [{ do: 'offer_undo', change: deletion, notice }],
      ]
    }
    case 'committed':
    case 'undone':
      return settled({ ...state, change: change === event.change ? undefined : change }, event, seen)
    case 'deleted': {
      const isShown = shown.phase !== 'destroying' && shown.address?.token === event.address.token
      return [isShown ? end(state, shown.address, 'deleted') : state, [track('email_deleted')]]
    }
    case 'not_deleted':
      return [
        undoDelete(state, event.address),
        [tell('delete_failed'), ...(seen.shown ? [] : [{ do: 'restore', as: 'shown', address: event.address } as const])],
      ]
    case 'link': {
      const isFollowedLater = state.isOpening && event.token !== state.link
      return state.isReadingLink || isFollowedLater ? [state, []] : openLink(state, event.token, seen)
    }
    case 'link_read':
      return askAbout({ ...state, isReadingLink: false }, event.question, seen)
    case 'link_dead':
      return linkDead({ ...state, isReadingLink: false })
    case 'link_unanswered':
      // Its token is kept, and tried again.
      return linkDone(
        { ...state, isReadingLink: false, isUnreachableTold: true },
        seen,
        state.isUnreachableTold ? [] : [tell('hand_over_unreachable')],
      )
    case 'answered':
      return answered(state, event.isLinkChosen, seen)
    case 'switch':
      // The one that is being replaced must stay the one that is shown until the new one comes.
      return creation ? [state, []] : switched(state, seen)
  }
}

function create(state: AddressState, creation: Creation, seen: Surroundings): Step {
  const { remaining, secondsUntilReset: seconds } = seen.allowance
  const creating = { ...state, creation }
  // Two are the most. Another tab may have made the second one meanwhile.
  if (creation.isBeside && seen.shown && livesBeside(seen)) {
    return [show({ ...state, creation: undefined }, { phase: 'active', address: seen.shown }), [END_TURN]]
  }
  if (remaining === 0) return notCreated(creating, { kind: 'rate_limited', seconds }, creation.isAutomatic, seen)
  const { phase, address } = state.shown
  return [
    show(creating, { phase: 'generating', address: phase === 'active' ? address : undefined }),
    [{ do: 'create', isAutomatic: creation.isAutomatic, insteadOf: creation.insteadOf }],
  ]
}

/** A new address destroys the previous one once that can no longer be undone, unless another browser may have it open. */
function created(state: AddressState, { mailbox, askedAtMs, isAutomatic }: EventOf<'created'>, seen: Surroundings): Step {
  const isAwaited = state.creation?.isAutomatic === isAutomatic
  const next = isAwaited ? { ...opened(state), creation: undefined, isOwed: false } : state
  const previous = seen.shown
  const effects: AddressEffect[] = [END_TURN, { do: 'wait', for: 'late', ms: undefined }, track('email_generated')]
  const save: AddressEffect = { do: 'save', as: 'shown', mailbox, askedAtMs }
  // The visitor has chosen one meanwhile: it stays, and nobody has seen this one.
  if (isAutomatic || !isAwaited) return [next, [...effects, previous ? { do: 'destroy', token: mailbox.token } : save]]
  const notice = { kind: 'generated', lifetimeSeconds: mailbox.lifetimeSeconds } as const
  if (state.creation?.isBeside && previous && !isOver(previous, seen)) {
    // A link was opened meanwhile, or another tab made the second one: both stay, and nobody has seen this one.
    if (livesBeside(seen))
      return [show(next, { phase: 'active', address: previous }), [...effects, { do: 'destroy', token: mailbox.token }]]
    // Nothing is lost, so nothing is to be undone.
    return [next, [...effects, { do: 'restore', as: 'other', address: previous }, save, { do: 'notify', notice }]]
  }
  const previousMs = previous ? previous.deadlineMs - seen.now : 0
  if (!previous || previousMs <= UNDO_MS) {
    return [next, [...effects, save, ...release(previous, seen), { do: 'notify', notice }]]
  }
  const change: AddressChange = { kind: 'replaced', previous, created: mailbox.token }
  return [
    { ...next, change },
    // A toast that is held does not outlive the address.
    [...effects, save, { do: 'offer_undo', change, notice }, { do: 'wait', for: 'previous', ms: previousMs }],
  ]
}

/** No account lists one whose sign-up is not confirmed: it stays beside the new one, unless another address has that place. */
function release(address: StoredAddress | undefined, { other }: Surroundings): AddressEffect[] {
  if (address?.unconfirmed !== undefined && !other) return [{ do: 'restore', as: 'other', address }]
  return address && !address.kept ? [{ do: 'destroy', token: address.token }] : []
}

/** If the server temporarily cannot create addresses, the visitor is told once and waits. */
function refused(state: AddressState, { refusal, isAutomatic }: EventOf<'refused'>, seen: Surroundings): Step {
  const { creation } = state
  if (creation?.isAutomatic !== isAutomatic) return [isAutomatic ? opened(state) : state, [END_TURN]]
  if (refusal.kind !== 'unavailable') return notCreated(state, refusal, isAutomatic, seen)
  const tries = creation.tries + 1
  if (tries === UNAVAILABLE_TRIES_MAX) return notCreated(state, { kind: 'failed' }, isAutomatic, seen)
  const ms = refusal.seconds * 1000 * Math.min(tries, UNAVAILABLE_SLOWDOWN_MAX)
  return [{ ...state, creation: { ...creation, tries } }, [...(tries === 1 ? [tell('away')] : []), { do: 'wait', for: 'retry', ms }]]
}

const livesBeside = ({ other, now }: Surroundings) => other !== undefined && other.deadlineMs > now

function undoDelete(state: AddressState, { token }: StoredAddress): AddressState {
  const { shown } = state
  return shown.phase === 'deleting' && shown.address.token === token ? show(state, { ...shown, phase: 'active' }) : state
}

/** The machine may have slept since the change: what is over is not restored. */
function settled(state: AddressState, { type, change }: EventOf<'committed' | 'undone'>, seen: Surroundings): Step {
  if (change.kind === 'deleted') {
    const { address } = change
    return type === 'committed' || isOver(address, seen) ? [state, [{ do: 'delete', address }]] : [undoDelete(state, address), []]
  }
  const { previous } = change
  if (type === 'committed') return [state, release(previous, seen)]
  if (isOver(previous, seen)) return [state, [tell('ended')]]
  return [
    state,
    [
      { do: 'restore', as: 'shown', address: previous },
      { do: 'destroy', token: change.created },
    ],
  ]
}

function openLink(state: AddressState, token: string, seen: Surroundings): Step {
  if (seen.shown?.token === token) return linkDone(state, seen, [{ do: 'forget_link' }])
  if (state.question?.token === token) return linkDone(state, seen, [])
  if (token === INVALID_TOKEN) return linkDead(state)
  return [{ ...state, isReadingLink: true }, [{ do: 'read_link', token }]]
}

function linkDead(state: AddressState): Step {
  const effects: AddressEffect[] = [{ do: 'forget_link' }, tell('hand_over_failed')]
  return state.link === undefined ? [state, effects] : [{ ...state, link: undefined }, [...effects, OPEN]]
}

/** Two addresses can be open beside each other. The link's token is kept until the answer, so that a reload asks again. */
function askAbout(state: AddressState, question: LinkQuestion, seen: Surroundings): Step {
  if (seen.shown && livesBeside(seen) && seen.other?.token !== question.token)
    return linkDone(state, seen, [{ do: 'forget_link' }, tell('hand_over_refused')])
  return linkDone({ ...state, question }, seen, [])
}

/**
 * An address that was live stays available beside the link's; a link that was declined is forgotten. Whoever sent it has its address too.
 */
function answered(before: AddressState, isLinkChosen: boolean, seen: Surroundings): Step {
  const { question } = before
  if (!question) return [before, []]
  const { askedAtMs, ...mailbox } = question
  const state = { ...before, question: undefined }
  const linked = { ...mailbox, kept: true, secondsLeft: mailbox.secondsLeft - (seen.now - askedAtMs) / 1000 }
  const effects: AddressEffect[] = [{ do: 'forget_link' }]
  const isOpened = isLinkChosen && linked.secondsLeft > 0
  if (isLinkChosen && !isOpened) effects.push(tell('hand_over_failed'))
  if (isOpened && seen.shown) effects.push({ do: 'restore', as: 'other', address: seen.shown })
  if (isOpened) effects.push({ do: 'save', as: 'shown', mailbox: linked, askedAtMs: seen.now })
  if (isOpened && !seen.shown) effects.push(tell('handed_over'))
  // Without the link's address and one that is live, they get another.
  return isOpened || seen.shown ? [state, effects] : [{ ...state, isOpening: true }, [...effects, OPEN]]
}

/** Swaps the shown address and the other one. */
function switched(state: AddressState, { shown, other }: Surroundings): Step {
  if (!other) return [state, []]
  return [
    state,
    [
      shown ? { do: 'restore', as: 'other', address: shown } : { do: 'clear', what: 'other' },
      { do: 'restore', as: 'shown', address: other },
    ],
  ]
}
