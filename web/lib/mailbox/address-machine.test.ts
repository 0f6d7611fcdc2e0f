import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '../notify/undo.ts'
import { changeStep } from './address-changes.ts'
import {
  type AddressEffect,
  type AddressEvent,
  DESTROYING_MS,
  INITIAL_ADDRESS,
  type MailboxNotice,
  reduceAddress,
  type ShownAddress,
  type Surroundings,
} from './address-machine.ts'
import type { StoredAddress } from './address-store.ts'

type AddressState = Parameters<typeof reduceAddress>[0]
type AddressChange = NonNullable<AddressState['change']>

const LIFE_MS = 600_000
const stored = (token: string, more: Partial<StoredAddress> = {}): StoredAddress => ({
  email: `${token}@mayfly.test`,
  token,
  expiresAt: '',
  lifetimeSeconds: 600,
  kept: undefined,
  deadlineMs: LIFE_MS,
  wallDeadlineMs: LIFE_MS,
  isConfirmed: true,
  ...more,
})
const mailbox = (token: string) => ({ email: `${token}@mayfly.test`, token, expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 })

const a = stored('a')
const b = stored('b')
const estimated = stored('a', { isConfirmed: false })
const active: ShownAddress = { phase: 'active', address: a }
const deleting: ShownAddress = { phase: 'deleting', address: a }
const expiring: ShownAddress = { phase: 'destroying', address: a, cause: 'expired' }
const none: ShownAddress = { phase: 'none' }
const deletion: AddressChange = { kind: 'deleted', address: a }
const replacing = (previous: StoredAddress): AddressChange => ({ kind: 'replaced', previous, created: 'b' })
const replacement = replacing(a)
const [KEPT, UNCONFIRMED] = [{ kept: true }, { kept: true, unconfirmed: 'ada@sender.test' }]
const pressed = { isAutomatic: false, insteadOf: undefined, tries: 0 }
const automatic = { isAutomatic: true, tries: 0 }
const question = { ...mailbox('phone'), secondsLeft: 300, askedAtMs: 0 }

const generating: ShownAddress = { phase: 'generating', address: undefined }
/** What this browser stores. */
const A = { shown: a }
const B = { shown: b }
/** States. */
const NONE = { shown: none }
const ACTIVE = { shown: active }
const ACTIVE_B = { shown: { phase: 'active', address: b } } as const
const ESTIMATED = { shown: { phase: 'active', address: estimated } } as const
const ASKED = { creation: pressed, shown: { phase: 'generating', address: a } } as const
const REPLACED = { ...ACTIVE_B, change: replacement }
const DELETING = { shown: deleting, change: deletion }

const PRESS: AddressEvent = { type: 'generate' }
const DELETE: AddressEvent = { type: 'delete' }
const SWITCH: AddressEvent = { type: 'switch' }
const LOOK: AddressEvent = { type: 'look' }
const CREATE: AddressEvent = { type: 'create' }
const LEFT: AddressEvent = { type: 'left' }
const LINK: AddressEvent = { type: 'link', token: 'phone' }
const LINK_READ: AddressEvent = { type: 'link_read', question }
const started = (linkToken?: string, isFirstAsked = false): AddressEvent => ({ type: 'started', linkToken, isFirstAsked })
const turn = (purpose: 'opening' | 'creation'): AddressEvent => ({ type: 'turn_came', for: purpose })
const changedHere: AddressEvent = { type: 'stored', isElsewhere: false }
const changedElsewhere: AddressEvent = { type: 'stored', isElsewhere: true }
const checked = (answer: 'live' | 'gone' | 'unknown', isOpening = false, address = a): AddressEvent => ({
  type: 'checked',
  answer,
  address,
  isOpening,
})
const owned = (tokens: string[], isOpening: boolean, gone?: string): AddressEvent => ({
  type: 'owned_listed',
  owned: tokens.map(mailbox),
  askedAtMs: 0,
  gone,
  isOpening,
})
const created = (isAutomatic: boolean): AddressEvent => ({ type: 'created', mailbox: mailbox('b'), askedAtMs: 0, isAutomatic })
const refused = (refusal: MailboxNotice | { kind: 'unavailable'; seconds: number }, isAutomatic: boolean): AddressEvent => ({
  type: 'refused',
  refusal,
  isAutomatic,
})
const waited = (wait: 'end' | 'previous' | 'retry' | 'late'): AddressEvent => ({ type: 'waited', for: wait })
const settled = (type: 'committed' | 'undone', change: AddressChange): AddressEvent => ({ type, change })
const answered = (isLinkChosen: boolean): AddressEvent => ({ type: 'answered', isLinkChosen })

type Row = [
  name: string,
  before: Partial<AddressState>,
  event: AddressEvent,
  seen: Partial<Surroundings>,
  after: Partial<AddressState>,
  effects: string,
]

/** `before` and `after` name what differs from the initial state; what an event leaves alone is the same after it. */
function play(rows: Row[]): void {
  test.each(rows)('%s', (_, before, event, around, after, effects) => {
    const seen = { now: 0, wall: 0, shown: undefined, other: undefined, allowance: { remaining: 5, secondsUntilReset: 0 }, ...around }
    const state = { ...INITIAL_ADDRESS, ...before }
    const [next, done] = reduceAddress(state, event, seen, changeStep)
    expect(next).toEqual({ ...state, ...after })
    const isShownAnew = next.shown !== state.shown
    expect(
      done
        .slice(isShownAnew ? 1 : 0)
        .map(said)
        .join(' · '),
    ).toBe(effects)
    if (isShownAnew) expect(done[0]).toEqual({ do: 'wait', for: 'end', ms: msToEnd(next.shown, seen.now) })
  })
}

/** Whatever is shown anew ends when its time is over. */
function msToEnd({ phase, address }: ShownAddress, now: number): number | undefined {
  return phase === 'destroying' ? DESTROYING_MS : address && address.deadlineMs - now
}

/** An effect in a few words: its name, then what it carries. */
function said(effect: AddressEffect): string {
  const words = Object.entries(effect).map(([key, value]: [string, unknown]) => word(key, value))
  return words.filter(Boolean).join(' ')
}

function word(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? key : ''
  if (Array.isArray(value)) return value.length > 0 ? `(${value.map(said).join(', ')})` : ''
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value)
  return Object.entries(value)
    .filter(([name, part]) => TELLING.includes(name) && part !== undefined)
    .map(([, part]) => String(part))
    .join(' ')
}

/** The fields that tell one address, change, notice or event from another. */
const TELLING = ['kind', 'type', 'token', 'seconds', 'kept', 'secondsLeft', 'lifetimeSeconds']

const opening = { isOpening: true }
const LATE = { now: LIFE_MS - 1000, wall: LIFE_MS - 1000 }
const ASLEEP = { wall: LIFE_MS + 3_000_000 }

describe('the page opens', () => {
  play([
    ['and waits for its turn', {}, started(), {}, opening, 'take_turn opening'],
    ['and waits for an address that was asked for before', {}, started(undefined, true), {}, { ...opening, shown: generating }, ''],
    ['which came', opening, { type: 'first_came', isMade: true }, {}, {}, 'track email_generated · take_turn opening'],
    ['which did not come', opening, { type: 'first_came', isMade: false }, {}, {}, 'take_turn opening'],
    ['with a stored address that is confirmed', opening, turn('opening'), A, { isOpening: false, shown: active }, 'end_turn'],
    [
      'with one that is not confirmed, which is shown and checked',
      opening,
      turn('opening'),
      { shown: estimated },
      ESTIMATED,
      'check a 600 isOpening',
    ],
    ['with one that is alive', { ...opening, shown: active }, checked('live', true), A, { isOpening: false }, 'end_turn'],
    [
      'with one that is over and no server says anything about',
      opening,
      checked('unknown', true),
      { shown: a, now: LIFE_MS },
      {},
      'clear shown · list_owned isOpening',
    ],
    [
      'with one that was deleted elsewhere',
      { ...opening, shown: active },
      checked('gone', true),
      A,
      NONE,
      'forget a (notify ended) · list_owned isOpening',
    ],
    [
      'with one that ended an hour and more ago, which is not told',
      opening,
      checked('gone', true),
      { shown: a, wall: LIFE_MS + 3_600_000 },
      {},
      'forget a (track email_expired) · list_owned isOpening',
    ],
    [
      "with this browser's other address",
      opening,
      turn('opening'),
      { other: b },
      { isOpening: false },
      'clear other · restore shown b 600 · end_turn',
    ],
    ['with another address that is over', opening, turn('opening'), { other: b, ...LATE }, {}, 'clear other · list_owned isOpening'],
    ["with the account's newest address", opening, owned(['b', 'c'], true), {}, { isOpening: false }, 'save shown c 600 600 0 · end_turn'],
    ['with no address at all', opening, owned([], true), {}, {}, 'repeat create'],
    [
      'with none, while one that was pressed for waits',
      { ...opening, creation: pressed },
      owned([], true),
      {},
      { isOpening: false },
      'end_turn',
    ],
  ])
})

describe('an address is asked for', () => {
  const asked = { creation: pressed, shown: active }
  const unavailable = { kind: 'unavailable', seconds: 2 } as const
  play([
    ['at a press', ACTIVE, PRESS, A, { creation: pressed }, 'take_turn creation'],
    ['not twice', asked, PRESS, A, {}, ''],
    ['not before the page knows what it has', {}, PRESS, {}, {}, ''],
    ['when its turn comes', asked, turn('creation'), A, {}, 'repeat create'],
    ['in place of the one that is shown', asked, CREATE, A, { shown: { phase: 'generating', address: a } }, 'create'],
    ['with the page', opening, CREATE, {}, { creation: automatic, shown: generating }, 'create isAutomatic'],
    ['not when the page was left meanwhile', {}, turn('creation'), {}, {}, 'end_turn'],
    [
      'not at the limit, which is told',
      asked,
      CREATE,
      { shown: a, allowance: { remaining: 0, secondsUntilReset: 200 } },
      { creation: undefined },
      'end_turn · notify rate_limited 200',
    ],
    [
      'and comes in place of the one before',
      ASKED,
      created(false),
      A,
      { creation: undefined, change: replacement },
      'end_turn · wait late · track email_generated · save shown b 600 600 0 · offer_undo replaced generated 600 · wait previous 600000',
    ],
    [
      'and comes when the one before has less time than Undo',
      ASKED,
      created(false),
      { shown: a, now: LIFE_MS - UNDO_MS },
      { creation: undefined },
      'end_turn · wait late · track email_generated · save shown b 600 600 0 · destroy a · notify generated 600',
    ],
    [
      'and comes beside one that another browser has',
      { creation: pressed, shown: none },
      created(false),
      { shown: stored('a', { kept: true }), ...LATE },
      { creation: undefined },
      'end_turn · wait late · track email_generated · save shown b 600 600 0 · notify generated 600',
    ],
    [
      'and comes with the page, without a word',
      { ...opening, creation: automatic, isOwed: true },
      created(true),
      {},
      { isOpening: false, creation: undefined, isOwed: false },
      'end_turn · wait late · track email_generated · save shown b 600 600 0',
    ],
    [
      'and comes with the page when another was chosen meanwhile',
      ACTIVE,
      created(true),
      A,
      {},
      'end_turn · wait late · track email_generated · destroy b',
    ],
    [
      'with the page when the chosen one was deleted again',
      NONE,
      created(true),
      {},
      {},
      'end_turn · wait late · track email_generated · save shown b 600 600 0',
    ],
    [
      'and is refused: the one before stays',
      ASKED,
      refused({ kind: 'unreached' }, false),
      A,
      { creation: undefined, shown: active },
      'end_turn · notify unreached',
    ],
    [
      'and is refused: there is none',
      { creation: pressed, shown: generating },
      refused({ kind: 'failed' }, false),
      {},
      { creation: undefined, shown: none },
      'end_turn · notify failed',
    ],
    [
      'with the page, and no server answers: it is late',
      { creation: automatic },
      refused({ kind: 'unreached' }, true),
      {},
      { creation: undefined, isOwed: true, shown: none },
      'end_turn · notify away · wait late 20000',
    ],
    [
      'with the page, late already: that is told once',
      { creation: automatic, isOwed: true },
      refused({ kind: 'unreached' }, true),
      {},
      { creation: undefined, shown: none },
      'end_turn · wait late 20000',
    ],
    [
      'with the page, and the limit says how long to wait',
      { creation: automatic },
      refused({ kind: 'rate_limited', seconds: 77 }, true),
      {},
      { creation: undefined, isOwed: true, shown: none },
      'end_turn · notify rate_limited 77 · wait late 77000',
    ],
    ['with the page, refused when another was chosen meanwhile', ACTIVE, refused({ kind: 'unreached' }, true), A, {}, 'end_turn'],
    [
      'of a busy server, which is told once',
      { creation: automatic },
      refused(unavailable, true),
      {},
      { creation: { ...automatic, tries: 1 } },
      'notify away · wait retry 2000',
    ],
    [
      'of a busy server for the last time',
      { creation: { ...automatic, tries: 14 } },
      refused(unavailable, true),
      {},
      { creation: undefined, shown: none },
      'end_turn · notify failed',
    ],
    ['once more after the wait', { creation: pressed }, waited('retry'), {}, {}, 'create'],
    [
      'at the limit while there is none: it is created when the wait is over',
      { creation: pressed, shown: { phase: 'expired' } },
      refused({ kind: 'rate_limited', seconds: 77 }, false),
      {},
      { creation: undefined, isOwed: true },
      'end_turn · notify rate_limited 77 · wait late 77000',
    ],
    ['when it is late and a server may answer', { isOwed: true, shown: none }, LOOK, {}, opening, 'take_turn opening'],
    ['when the wait is over', { isOwed: true, shown: none }, waited('late'), {}, {}, 'repeat look'],
  ])
})

describe('an address ends', () => {
  play([
    ['when its time is over', ACTIVE, waited('end'), A, { shown: expiring }, ''],
    ['while another is asked for', ASKED, waited('end'), A, { shown: expiring }, ''],
    [
      'and is gone after two seconds',
      { shown: expiring },
      waited('end'),
      A,
      { shown: { phase: 'expired' } },
      'forget a (track email_expired) · notify expired · list_owned a',
    ],
    [
      'and the other one takes its place',
      { shown: expiring },
      waited('end'),
      { shown: a, other: b },
      { shown: { phase: 'expired' } },
      'forget a (track email_expired) · notify expired · clear other · restore shown b 600',
    ],
    [
      'and another is still asked for',
      { creation: pressed, shown: expiring },
      waited('end'),
      A,
      { shown: generating },
      'forget a (track email_expired) · notify expired',
    ],
    ['and the account has another', { shown: { phase: 'expired' } }, owned(['b', 'a'], false, 'a'), {}, {}, 'save shown b 600 600 0'],
    ['and the account has no other', { shown: { phase: 'expired' } }, owned(['a'], false, 'a'), {}, {}, ''],
    ['and nothing is left to end', NONE, waited('end'), {}, {}, ''],
    ['by the wall clock, after a sleep without a network', ACTIVE, checked('unknown'), { shown: a, ...ASLEEP }, { shown: expiring }, ''],
    ['by the server, after a sleep', ACTIVE, checked('gone'), { shown: a, ...ASLEEP }, { shown: expiring }, ''],
    ['on another device, which is no expiry', ACTIVE, checked('gone'), A, NONE, 'forget a (notify ended) · list_owned a'],
    ['not if no server answers before its time', ACTIVE, checked('unknown'), A, {}, ''],
    ['not if another is shown by now', ACTIVE, checked('gone', false, b), A, {}, ''],
    ['perhaps: the server is asked', ACTIVE, LOOK, A, {}, 'check a 600'],
    ['perhaps: nothing is asked while another is created', { shown: active, creation: pressed }, LOOK, A, {}, ''],
  ])
})

describe('this browser stores another address', () => {
  play([
    ['from this tab', NONE, changedHere, A, ACTIVE, ''],
    ['from another tab, which is told', ACTIVE, changedElsewhere, B, ACTIVE_B, 'notify replaced_elsewhere'],
    ['with a corrected end', ACTIVE, changedElsewhere, { shown: estimated }, ESTIMATED, ''],
    [
      'of which the deleted one is only corrected',
      DELETING,
      changedHere,
      { shown: estimated },
      { shown: { phase: 'deleting', address: estimated } },
      '',
    ],
    ['and the present one is already ending', { shown: expiring }, changedHere, A, {}, ''],
    ['none any more: another tab closed it', ACTIVE, changedElsewhere, {}, NONE, 'notify closed_elsewhere · list_owned a'],
    ['none any more, as its time is over', ACTIVE, changedElsewhere, LATE, { shown: expiring }, ''],
    ['while one is asked for at a press, which is awaited', { shown: active, creation: pressed }, changedElsewhere, B, {}, ''],
    [
      'while one comes with the page, which is awaited no longer',
      { ...opening, shown: generating, creation: automatic },
      changedHere,
      B,
      { shown: { phase: 'active', address: b }, isOpening: false, creation: undefined },
      '',
    ],
    ['the created one, whose change can still be undone', { shown: active, change: replacement }, changedHere, B, ACTIVE_B, ''],
  ])
})

describe('a change can be undone', () => {
  play([
    ['a deletion', ACTIVE, DELETE, A, DELETING, 'offer_undo deleted deleting'],
    ['no deletion while one is created', { shown: active, creation: pressed }, DELETE, A, {}, ''],
    ['no deletion of nothing', NONE, DELETE, {}, {}, ''],
    ['and is: a deletion', DELETING, settled('undone', deletion), A, { shown: active, change: undefined }, ''],
    ['too late: a deletion', DELETING, settled('undone', deletion), { shown: a, ...ASLEEP }, { change: undefined }, 'delete a 600'],
    ['and is not: a deletion', DELETING, settled('committed', deletion), A, { change: undefined }, 'delete a 600'],
    [
      'and is done: a deletion',
      { shown: deleting },
      { type: 'deleted', address: a },
      {},
      { shown: { phase: 'destroying', address: a, cause: 'deleted' } },
      'track email_deleted',
    ],
    ['and is done when another is shown', ACTIVE_B, { type: 'deleted', address: a }, B, {}, 'track email_deleted'],
    [
      'and fails: a deletion',
      { shown: deleting },
      { type: 'not_deleted', address: a },
      {},
      ACTIVE,
      'notify delete_failed · restore shown a 600',
    ],
    ['until the address ends', DELETING, waited('end'), A, {}, 'commit'],
    ['and is: a new address', REPLACED, settled('undone', replacement), B, { change: undefined }, 'restore shown a 600 · destroy b'],
    ['too late: a new address', REPLACED, settled('undone', replacement), { shown: b, ...ASLEEP }, { change: undefined }, 'notify ended'],
    ['and is not: a new address', REPLACED, settled('committed', replacement), B, { change: undefined }, 'destroy a'],
    ['and is not, with one that another browser has', {}, settled('committed', replacing(stored('a', KEPT))), {}, {}, ''],
    ['to keep it unconfirmed', {}, settled('committed', replacing(stored('a', UNCONFIRMED))), {}, {}, 'restore other a 600 true'],
    ['until the previous address ends', REPLACED, waited('previous'), B, {}, 'commit · notify ended'],
    ['until the previous address ends, if it still could', ACTIVE, waited('previous'), A, {}, ''],
  ])

  const changes: [string, Partial<AddressState>, AddressEvent, Partial<Surroundings>][] = [
    ['another is asked for', REPLACED, PRESS, { shown: b }],
    ['another is deleted', REPLACED, DELETE, { shown: b }],
    ['the other one is opened', DELETING, SWITCH, { shown: a, other: b }],
    ['a link is opened', { shown: deleting, change: deletion, question }, answered(true), { shown: a }],
    ['another tab stores one', DELETING, changedElsewhere, { shown: b }],
    ['the page is left', DELETING, LEFT, { shown: a }],
  ]
  play(
    changes.map(([name, before, event, seen]) => [
      `until ${name}, which waits for it`,
      before,
      event,
      seen,
      {},
      `commit · repeat ${event.type}`,
    ]),
  )
})

describe('a hand-off link', () => {
  const openedBy = (link: string) => ({ ...opening, link })
  play([
    ['with which the page opens comes first', {}, started('phone'), {}, openedBy('phone'), 'repeat link phone'],
    ['with which the page opens is read', openedBy('phone'), LINK, {}, { isReadingLink: true }, 'read_link phone'],
    [
      'whose code cannot be fetched opens nothing',
      openedBy('phone'),
      { type: 'not_loaded', change: LINK },
      {},
      { isOpening: false, link: undefined, shown: none },
      '',
    ],
    [
      'with which the page opens waits for the stored address',
      {},
      started('phone'),
      { shown: estimated },
      { ...openedBy('phone'), shown: { phase: 'active', address: estimated } },
      'check a 600 isOpening',
    ],
    [
      'is asked about',
      { ...openedBy('phone'), isReadingLink: true },
      LINK_READ,
      {},
      { isOpening: false, link: undefined, isReadingLink: false, question, shown: none },
      '',
    ],
    [
      'that is dead: an address is opened',
      { ...openedBy('phone'), isReadingLink: true },
      { type: 'link_dead' },
      {},
      { link: undefined, isReadingLink: false },
      'forget_link · notify hand_over_failed · take_turn opening',
    ],
    [
      'that was cut off is dead',
      openedBy(''),
      { type: 'link', token: '' },
      {},
      { link: undefined },
      'forget_link · notify hand_over_failed · take_turn opening',
    ],
    [
      'that no server answers is kept, and told once',
      { shown: none, isReadingLink: true },
      { type: 'link_unanswered' },
      {},
      { isReadingLink: false, isUnreachableTold: true },
      'notify hand_over_unreachable',
    ],
    [
      'that no server answers again',
      { shown: none, isReadingLink: true, isUnreachableTold: true },
      { type: 'link_unanswered' },
      {},
      { isReadingLink: false },
      '',
    ],
    ['to the address that is shown', ACTIVE, { type: 'link', token: 'a' }, A, {}, 'forget_link'],
    ['that is asked about already', { shown: active, question }, LINK, A, {}, ''],
    ['is read once at a time', { shown: active, isReadingLink: true }, LINK, A, {}, ''],
    [
      'to a third address is refused',
      { shown: active, isReadingLink: true },
      LINK_READ,
      { shown: a, other: b },
      { isReadingLink: false },
      'forget_link · notify hand_over_refused',
    ],
    [
      'beside another that is over',
      { shown: active, isReadingLink: true },
      LINK_READ,
      { shown: a, other: stored('b', { deadlineMs: 0 }), now: 1 },
      { isReadingLink: false, question },
      '',
    ],
    [
      'is opened',
      { shown: none, question },
      answered(true),
      { now: 10_000 },
      { question: undefined },
      'forget_link · save shown phone 290 600 true 10000 · notify handed_over',
    ],
    [
      'is opened beside the one that is shown',
      { shown: active, question },
      answered(true),
      A,
      { question: undefined },
      'forget_link · restore other a 600 · save shown phone 300 600 true 0',
    ],
    [
      'is opened too late',
      { shown: none, question },
      answered(true),
      { now: 300_000 },
      { question: undefined, ...opening },
      'forget_link · notify hand_over_failed · take_turn opening',
    ],
    ['is declined', { shown: active, question }, answered(false), A, { question: undefined }, 'forget_link'],
    [
      'is declined, and there is no address',
      { shown: none, question },
      answered(false),
      {},
      { question: undefined, ...opening },
      'forget_link · take_turn opening',
    ],
    ['is answered twice', ACTIVE, answered(true), A, {}, ''],
    ['was opened: the two are swapped', ACTIVE, SWITCH, { shown: a, other: b }, {}, 'restore other a 600 · restore shown b 600'],
    ['was opened: the other takes the place of none', NONE, SWITCH, { other: b }, {}, 'clear other · restore shown b 600'],
    ['or none: the page is left', ACTIVE, LEFT, A, {}, ''],
    ['was not opened: there is no other', ACTIVE, SWITCH, A, {}, ''],
  ])
})
