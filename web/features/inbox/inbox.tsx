import { clsx } from 'clsx'
import { type ComponentType, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { DeliveryProgress } from '#contract/mailbox.ts'
import { servedDrawing } from '#web/components/drawings/drawing.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Bell, BellOff, BellRing, RefreshCw, Volume2, VolumeX } from '#web/components/ui/icons.ts'
import { Skeleton, StatusDot } from '#web/components/ui/status-dot.tsx'
import { useKeptFocus } from '#web/lib/browser/kept-focus.ts'
import { useIsOnline } from '#web/lib/browser/online.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { loadTexts, useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { AddressPhase } from '#web/lib/mailbox/address-machine.ts'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { hasTone, type NotifyState, notifyState, playTone, setNotifications, setTone } from '#web/lib/notify/notifications.ts'
import { showAppBadge, showInTitle } from '#web/lib/notify/title-badge.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { lazyExtra } from '#web/lib/routing/lazy-page.tsx'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'
import type { ArrivalPillProps } from './arrivals.tsx'
import type { DeliveryStepProps } from './delivery-step.tsx'
import type { InboxControl } from './inbox-store.ts'
import { InboxRows, loadArrivals } from './use-inbox.ts'

type Props = {
  inbox: InboxControl
  /** The live address whose mail this is. */
  address: StoredAddress | undefined
  /** While the address is being deleted or destroyed, its mail does not open. */
  phase: AddressPhase
  /** There is an address, or there will be in a moment. */
  isExpecting: boolean
  onOpen: (id: string) => void
}

// It is fetched when mail comes. Without it, the list still has the mail.
const ArrivalPill = lazyExtra<ArrivalPillProps>(loadArrivals)
const StillWater = servedDrawing('still-water', () =>
  import('#web/components/drawings/still-water.tsx').then(module => ({ default: module.StillWater })),
)

const TITLE_ID = 'inbox-title'
const ENDING_ID = 'inbox-ending'
const SKELETON_ROWS = ['first', 'second', 'third'] as const

/** The inbox: the connection's state and the messages, or what is shown before the first one. */
export function Inbox({ inbox, address, phase, isExpecting, onOpen }: Props) {
  const texts = useTexts('inbox')
  const { destroying } = useTexts('mailbox')
  const isEnding = phase === 'deleting' || phase === 'destroying'
  const notify = useNotify(address)
  const unreadCount = inbox.unread.size
  const isEmpty = inbox.messages.length === 0 && !(inbox.status === 'initial' && isExpecting)
  const arrived = inbox.messages.filter(({ id }) => inbox.fresh.has(id) && inbox.unread.has(id))
  const newestCode = inbox.messages.find(({ id, codes }) => codes.length > 0 && inbox.unread.has(id))?.codes[0]
  const isOnline = useIsOnline()
  const live = isOnline || inbox.live === 'live' ? inbox.live : 'offline'
  // Nobody can be told of mail by a server that does not answer.
  const isAway = live === 'away' || live === 'offline'
  const isMailComing = inbox.delivery !== undefined
  useEffect(() => {
    if (!isMailComing) return
    void InboxRows.preload()
    loadArrivals().catch(() => undefined)
  }, [isMailComing])
  useEffect(() => {
    const unmounted = new AbortController()
    const count = unreadCount > 0 ? `(${unreadCount}) ` : ''
    showInTitle('mail', newestCode === undefined ? count : `${groupCode(newestCode)} · `, unmounted.signal)
    showAppBadge(unreadCount, unmounted.signal)
    return () => unmounted.abort()
  }, [unreadCount, newestCode])

  return (
    <section aria-labelledby={TITLE_ID} aria-busy={inbox.isFetching} id={INBOX_ID} className="flex flex-col">
      {/* Sticky, so that a toast covers this bar instead of a row. */}
      <header className="inbox-head">
        <h2 id={TITLE_ID} tabIndex={-1} className="text-xl">
          {texts.title}
        </h2>
        {inbox.status === 'loaded' && isExpecting && <ConnectionState live={live} isNothingNew={inbox.isNothingNew} />}
        <div className={clsx('inbox-actions', !isExpecting && 'invisible')}>
          <NotifyButton {...notify} isOffered={!isAway} />
          <ToneButton className="max-[22.4375rem]:hidden" words="max-sm:sr-only" />
          <Button variant="quiet" onClick={inbox.refresh} aria-disabled={inbox.isFetching} className="px-2! text-muted text-sm!">
            <RefreshCw aria-hidden="true" strokeWidth={1.5} className={clsx('size-5!', inbox.isFetching && 'animate-spin')} />
            <span className="max-sm:sr-only">{texts.refresh}</span>
          </Button>
        </div>
        {isEnding && inbox.messages.length > 0 && (
          // What destroys it is told under the clock.
          <p id={ENDING_ID} className={clsx('w-full pb-1 text-muted text-sm', phase === 'destroying' && 'sr-only')}>
            {phase === 'deleting' ? texts.deleting : destroying}
          </p>
        )}
      </header>
      {live === 'away' && isExpecting && <ServerAway inbox={inbox} />}
      <div aria-live="polite" className="sr-only">
        {inbox.announcement}
      </div>
      {/* As high as the skeleton from the start, so that nothing below moves when the list is there. */}
      <div className="min-h-52">
        <ComingMail
          inbox={inbox}
          token={address?.token}
          // What a server that is away has received, nobody knows here.
          waiting={isEmpty ? (isExpecting ? (isAway ? texts.kept : texts.empty) : texts.emptyWithout) : undefined}
        />
        {inbox.status === 'initial' && isExpecting ? (
          <SkeletonRows />
        ) : (
          <Mails inbox={inbox} address={address} isEnding={isEnding} onOpen={onOpen} />
        )}
        {/* Always there, so that React keeps what the served page has. */}
        <div className={clsx('still-water', !isEmpty && 'hidden')}>
          <StillWater />
        </div>
        {/* The narrowest phones have no room for it above. */}
        {isExpecting && <ToneButton className="-ml-2 min-[22.5rem]:hidden" />}
      </div>
      <Suspense>{arrived.length > 0 && <ArrivalPill arrived={arrived} />}</Suspense>
    </section>
  )
}

const TONES = { connecting: 'waiting', live: 'live', reconnecting: 'waiting', polling: 'idle', away: 'danger', offline: 'danger' } as const

function ConnectionState({ live, isNothingNew }: { live: keyof typeof TONES; isNothingNew: boolean }) {
  const { state, nothingNew } = useTexts('inbox')
  return (
    // Long words take a second line here, so that the buttons keep theirs.
    <StatusDot tone={TONES[live]} className="flex-1">
      <span data-testid="connection-state" role="status">
        {isNothingNew ? nothingNew : state[live]}
      </span>
    </StatusDot>
  )
}

/** Said as offline is said: what is the matter, what it means for mail, and when it is tried again. */
function ServerAway({ inbox }: { inbox: InboxControl }) {
  const { away } = useTexts('inbox')
  const seconds = useSecondsLeft(inbox.retryAtMs ?? 0)
  return (
    <div className="inbox-notice">
      <p className="flex-1">
        <span role="status">{away.text}</span> {/* A number that changed every second would be read out again and again. */}
        <span aria-hidden="true" className="figures text-muted">
          {seconds > 0 ? away.again({ seconds }) : away.trying}
        </span>
      </p>
      <Button variant="secondary" className="max-sm:px-3" onClick={inbox.retry}>
        {away.retry}
      </Button>
    </div>
  )
}

function Mails({ inbox, address, isEnding, onOpen }: Pick<Props, 'inbox' | 'address' | 'onOpen'> & { isEnding: boolean }) {
  const deletedIndex = useRef(0)
  const { deleteMessage } = inbox
  // The same function each time, so that other rows do not render again.
  const deleteRow = useCallback(
    (id: string) => {
      deletedIndex.current = allRows().findIndex(row => row.getAttribute('data-message') === id)
      deleteMessage(id)
    },
    [deleteMessage],
  )
  // After a deletion, in the list or in the dialog, the focus moves to the next message, or to the inbox.
  useKeptFocus(
    element => element.closest(`#${INBOX_ID}, dialog`) !== null,
    () => {
      const rows = allRows()
      return (
        rows[Math.min(deletedIndex.current, rows.length - 1)]?.querySelector<HTMLElement>(':scope > button') ??
        document.getElementById(TITLE_ID)
      )
    },
  )
  useShortcuts({ r: inbox.refresh })

  if (inbox.messages.length === 0) return null
  const originMs = address ? Date.parse(address.expiresAt) - address.deadlineMs : performance.timeOrigin
  return <InboxRows inbox={inbox} whyClosedId={isEnding ? ENDING_ID : undefined} originMs={originMs} onOpen={onOpen} onDelete={deleteRow} />
}

const allRows = () => [...document.querySelectorAll('[data-message]')]

function SkeletonRows() {
  const texts = useTexts('inbox')
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">{texts.loading}</span>
      {SKELETON_ROWS.map(row => (
        <div key={row} className="skeleton-row">
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
      ))}
    </div>
  )
}

type NotifyControl = { state: NotifyState; toggle: () => void }

/** Turns notifications on and off: those of this page, and those of the push service for `address` while no page is open. */
function useNotify(address: StoredAddress | undefined): NotifyControl {
  const texts = useTexts('inbox')
  const { language } = useLanguage()
  const [state, setState] = useState<NotifyState>('unsupported')
  useEffect(() => setState(notifyState()), [])
  /** The visitor has just turned notifications on. */
  const isAsked = useRef(false)
  const isOn = state === 'on'
  const token = address?.token
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is another one when its token is
  useEffect(() => {
    if (!isOn) return
    import('#web/lib/notify/push.ts')
      .then(push => push.follow(address, language, isAsked.current))
      .then(told => {
        if (told && isAsked.current) showToast(told)
        isAsked.current = false
      })
      .catch(console.warn)
  }, [isOn, token])
  async function toggle() {
    const next = await setNotifications(state !== 'on')
    isAsked.current = next === 'on'
    setState(next)
    if (next === 'blocked') showToast({ title: texts.notifyBlocked, description: texts.notifyUnblock, variant: 'destructive' })
    if (next === 'off') import('#web/lib/notify/push.ts').then(push => push.stopPush(address)).catch(console.warn)
  }
  return { state, toggle }
}

/** Turned on, it is heard at once. */
function ToneButton({ className, words }: { className: string; words?: string }) {
  const { tone } = useTexts('inbox')
  const [isOn, setIsOn] = useState(false)
  useEffect(() => setIsOn(hasTone()), [])
  function toggle() {
    setTone(!isOn)
    setIsOn(!isOn)
    if (!isOn) playTone()
  }
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <Button variant="quiet" aria-pressed={isOn} onClick={toggle} className={`px-2! text-muted text-sm! ${className}`}>
      <Icon aria-hidden="true" strokeWidth={1.5} className={clsx('size-5!', isOn && 'text-river-ink')} />
      <span className={words}>{tone}</span>
    </Button>
  )
}

function NotifyButton({ state, toggle, isOffered }: NotifyControl & { isOffered: boolean }) {
  const texts = useTexts('inbox')
  // Until it is known, its place is kept, so that nothing moves.
  if (state === 'unsupported') return <span className="min-h-11 min-w-11 sm:min-w-27" />
  const isOff = state === 'off' && !isOffered
  const Icon = state === 'on' ? BellRing : state === 'blocked' ? BellOff : Bell
  return (
    <Button
      variant="quiet"
      aria-pressed={state === 'on'}
      aria-disabled={isOff}
      onClick={isOff ? undefined : toggle}
      className="px-2! text-muted text-sm!"
    >
      <Icon aria-hidden="true" strokeWidth={1.5} className={clsx('size-5!', state === 'on' && 'text-river-ink')} />
      <span className="max-sm:sr-only">{state === 'on' ? texts.notifyOn : state === 'blocked' ? texts.notifyBlocked : texts.notify}</span>
    </Button>
  )
}

type ComingMailProps = {
  inbox: InboxControl
  /** The token of the live address. */
  token: string | undefined
  /** The one line of an empty inbox, while nothing comes. */
  waiting: string | undefined
}

/**
 * What the SMTP server is doing for this address. In an empty inbox it takes the place of the line there, and moves the water below. Its
 * code and texts are loaded when a server connects.
 */
function ComingMail({ inbox, token, waiting }: ComingMailProps) {
  const { delivery, messages } = inbox
  const { language } = useLanguage()
  const [shown, setShown] = useState<DeliveryProgress>()
  const [Step, setStep] = useState<ComponentType<DeliveryStepProps>>()
  const newest = messages[0]?.id
  const step = shown?.step
  // The row often comes before the word that the mail was accepted.
  const before = useRef({ step, newest })
  if (step !== before.current.step) before.current = { step, newest: step === 'accepted' ? before.current.newest : newest }
  // What was refused because the address ended outlives it, but is not shown with the next one.
  useEffect(() => {
    if (token !== undefined) setShown(undefined)
  }, [token])
  useEffect(() => setShown(previous => (!delivery && previous?.reason === 'ended' ? previous : delivery)), [delivery])
  useEffect(() => {
    if (!shown || Step) return
    Promise.all([import('./delivery-step.tsx'), loadTexts(language, ['delivery'])])
      .then(([module]) => setStep(() => module.default))
      // The mail arrives without it.
      .catch(() => undefined)
  }, [shown, Step, language])
  // The row says the rest.
  if (step === 'accepted' && newest !== before.current.newest) setShown(undefined)
  return (
    <div data-testid="delivery" className="relative text-sm">
      {shown && Step ? (
        <Step delivery={shown} isRow={waiting !== undefined} onOver={setShown} />
      ) : (
        waiting !== undefined && (
          <div className="coming-mail">
            <span className="text-muted text-base">{waiting}</span>
          </div>
        )
      )}
    </div>
  )
}
