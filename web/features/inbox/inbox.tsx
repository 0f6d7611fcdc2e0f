import { clsx } from 'clsx'
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { DeliveryProgress } from '#contract/mailbox.ts'
import { servedDrawing } from '#web/components/drawings/drawing.tsx'
import { Button, IconButton } from '#web/components/ui/button.tsx'
import { Bell, BellOff, BellRing, RefreshCw } from '#web/components/ui/icons.tsx'
import { Skeleton, StatusDot } from '#web/components/ui/status-dot.tsx'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useKeptFocus } from '#web/lib/browser/kept-focus.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { loadTexts, useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'
import { isPushed, type NotifyState, notifyState, setNotifications } from '#web/lib/notify/notifications.ts'
import { showAppBadge, showInTitle } from '#web/lib/notify/title-badge.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'
import type { ArrivalPillProps } from './arrival-pill.tsx'
import { InboxRow } from './inbox-row.tsx'
import type { InboxControl } from './use-inbox.ts'

type Props = {
  inbox: InboxControl
  /** The live address whose mail this is. */
  address: MailboxSession | undefined
  /** There is an address, or there will be in a moment. */
  isExpecting: boolean
  onOpen: (id: string) => void
}

// It is fetched when mail comes. Without it, the list still has the mail.
const ArrivalPill = lazy<ComponentType<ArrivalPillProps>>(() => import('./arrival-pill.tsx').catch(() => ({ default: () => null })))
const StillWater = servedDrawing('still-water', () =>
  import('#web/components/drawings/still-water.tsx').then(module => ({ default: module.StillWater })),
)

const TITLE_ID = 'inbox-title'
const SKELETON_ROWS = ['first', 'second', 'third'] as const

/** The inbox: the connection's state and the messages, or what is shown before the first one. */
export function Inbox({ inbox, address, isExpecting, onOpen }: Props) {
  const texts = useTexts('inbox')
  const notify = useNotify(address)
  const unreadCount = inbox.unread.size
  const isEmpty = inbox.messages.length === 0 && !(inbox.status === 'initial' && isExpecting)
  const arrived = inbox.messages.filter(({ id }) => inbox.fresh.has(id) && inbox.unread.has(id))
  const newestCode = inbox.messages.find(({ id, codes }) => codes.length > 0 && inbox.unread.has(id))?.codes[0]
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
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-paper pb-1">
        <h2 id={TITLE_ID} tabIndex={-1} className="text-xl">
          {texts.title}
        </h2>
        {inbox.status === 'loaded' && isExpecting && <ConnectionState inbox={inbox} />}
        <div className={clsx('-mr-2 ml-auto flex items-center', !isExpecting && 'invisible')}>
          <NotifyButton {...notify} />
          <Button variant="quiet" onClick={inbox.refresh} aria-disabled={inbox.isFetching} className="px-3">
            <RefreshCw aria-hidden="true" strokeWidth={1.75} className={clsx(inbox.isFetching && 'animate-spin')} />
            <span className="max-sm:sr-only">{texts.refresh}</span>
          </Button>
        </div>
      </header>
      <DeliveryLine delivery={inbox.delivery} token={address?.token} />
      <div aria-live="polite" className="sr-only">
        {inbox.announcement}
      </div>
      {/* As high as the skeleton from the start, so that nothing below moves when the list is there. */}
      <div className="min-h-52">
        {inbox.status === 'initial' && isExpecting ? <SkeletonRows /> : <Mails inbox={inbox} isExpecting={isExpecting} onOpen={onOpen} />}
        {isEmpty && isExpecting && notify.state === 'off' && (
          <button type="button" onClick={notify.toggle} className="text-link block min-h-11 text-river-ink max-sm:text-sm">
            {texts.notifyOffer}
          </button>
        )}
        {/* Always there, so that React keeps what the served page has. */}
        <div className={clsx('-ml-2 w-40 pt-3 text-muted', !isEmpty && 'hidden')}>
          <StillWater />
        </div>
      </div>
      <Suspense>{arrived.length > 0 && <ArrivalPill arrived={arrived} />}</Suspense>
    </section>
  )
}

function ConnectionState({ inbox }: { inbox: InboxControl }) {
  const { state } = useTexts('inbox')
  return (
    <StatusDot tone={inbox.live === 'live' ? 'live' : inbox.live === 'reconnecting' ? 'waiting' : 'idle'}>
      <span data-testid="connection-state" role="status">
        {state[inbox.live]}
      </span>
    </StatusDot>
  )
}

function Mails({ inbox, isExpecting, onOpen }: Omit<Props, 'address'>) {
  const texts = useTexts('inbox')
  const list = useRef<HTMLUListElement>(null)
  const [selected, setSelected] = useState<string>()
  const { messages } = inbox
  const removedAt = useRef(0)

  function move(step: number): void {
    const at = messages.findIndex(message => message.id === selected)
    const next = messages[Math.min(messages.length - 1, Math.max(0, at + step))]
    if (!next) return
    setSelected(next.id)
    list.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(next.id)}"] button`)?.focus()
  }
  const { remove: drop } = inbox
  // The same function each time, so that other rows do not render again.
  const remove = useCallback(
    (id: string) => {
      removedAt.current = Array.from(list.current?.children ?? []).findIndex(row => row.getAttribute('data-message') === id)
      drop(id)
    },
    [drop],
  )
  // After a deletion, in the list or in the dialog, the focus moves to the next message, or to the inbox.
  useKeptFocus(
    element => element.closest(`#${INBOX_ID}, dialog`) !== null,
    () => {
      const rows = list.current?.querySelectorAll<HTMLElement>('[data-message] > button')
      return rows?.[Math.min(removedAt.current, rows.length - 1)] ?? document.getElementById(TITLE_ID)
    },
  )
  // Outside the list, the arrow keys scroll the page.
  const isInList = () => list.current?.contains(document.activeElement) ?? false
  const open = () => selected !== undefined && onOpen(selected)
  async function copyNewestCode() {
    const code = messages.find(message => message.codes.length > 0)?.codes[0]
    if (code !== undefined && (await copyText(code))) showToast({ title: texts.copied, description: texts.codeCopied })
  }
  useShortcuts({
    r: inbox.refresh,
    j: () => move(1),
    ArrowDown: () => isInList() && move(1),
    k: () => move(-1),
    ArrowUp: () => isInList() && move(-1),
    o: open,
    x: () => void copyNewestCode(),
  })

  if (messages.length === 0) return <Empty sentence={isExpecting ? texts.empty : texts.emptyWithout} />
  return (
    // Without markers WebKit takes it for no list, unless told.
    // biome-ignore lint/a11y/noRedundantRoles: as above
    <ul ref={list} role="list" data-testid="messages">
      {messages.map(message => (
        <InboxRow
          key={message.id}
          message={message}
          isUnread={inbox.unread.has(message.id)}
          isFresh={inbox.fresh.has(message.id)}
          isSelected={message.id === selected}
          onOpen={onOpen}
          onRemove={remove}
        />
      ))}
    </ul>
  )
}

function Empty({ sentence }: { sentence: string }) {
  return <p className="max-w-[52ch] text-balance pt-3 text-muted max-sm:text-sm sm:pt-5 lg:max-w-none">{sentence}</p>
}

function SkeletonRows() {
  const texts = useTexts('inbox')
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">{texts.loading}</span>
      {SKELETON_ROWS.map(row => (
        <div key={row} className="flex items-center gap-4 py-4">
          <div className="flex-1">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="mt-2.5 h-3 w-4/5" />
          </div>
          <Skeleton className="h-3 w-10" />
        </div>
      ))}
    </div>
  )
}

type NotifyControl = { state: NotifyState; toggle: () => void }

/** Turns notifications on and off: those of this page, and those of the push service for `address` while no page is open. */
function useNotify(address: MailboxSession | undefined): NotifyControl {
  const texts = useTexts('inbox')
  const [state, setState] = useState<NotifyState>('unsupported')
  useEffect(() => setState(notifyState()), [])
  const isAsked = useRef(false)
  usePush(state === 'on', address, isAsked)
  async function toggle() {
    const next = await setNotifications(state !== 'on')
    isAsked.current = next === 'on'
    setState(next)
    if (next === 'blocked') showToast({ title: texts.notifyBlocked, variant: 'destructive' })
    if (next === 'off') import('#web/lib/notify/push.ts').then(push => push.stopPush(address)).catch(console.warn)
  }
  return { state, toggle }
}

function NotifyButton({ state, toggle }: NotifyControl) {
  const texts = useTexts('inbox')
  // Until it is known, its place is kept, so that nothing moves.
  if (state === 'unsupported') return <span className="size-11" />
  const Icon = state === 'on' ? BellRing : state === 'blocked' ? BellOff : Bell
  return (
    <IconButton label={state === 'on' ? texts.notifyOn : texts.notify} aria-pressed={state === 'on'} onClick={toggle}>
      <Icon aria-hidden="true" strokeWidth={1.5} className={clsx(state === 'on' && 'text-river-ink')} />
    </IconButton>
  )
}

/** Subscribes the shown address at the browser's push service. `isAsked`: the visitor has just turned notifications on. */
function usePush(isOn: boolean, address: MailboxSession | undefined, isAsked: { current: boolean }): void {
  const texts = useTexts('inbox')
  const current = useRef({ address, texts })
  current.current = { address, texts }
  const token = address?.token
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is another one when its token is
  useEffect(() => {
    if (!isOn || !(isAsked.current || isPushed())) return
    const { address: next, texts: words } = current.current
    import('#web/lib/notify/push.ts').then(push => push.pushTo(next, words, isAsked)).catch(console.warn)
  }, [isOn, token])
}

/** How long each step is shown if nothing follows. A server that only asks whether the address exists says no more than its name. */
const SHOWN_MS: Record<DeliveryProgress['step'], number> = {
  connected: 15_000,
  receiving: 120_000,
  accepted: 5000,
  refused: 30_000,
  disconnected: 30_000,
}

type DeliveryLineProps = {
  delivery: DeliveryProgress | undefined
  /** The live address. */
  token: string | undefined
}

/** Shows what the SMTP server is doing for this address, with a progress line. Its code and texts are loaded when a server connects. */
function DeliveryLine({ delivery, token }: DeliveryLineProps) {
  const { language } = useLanguage()
  const [shown, setShown] = useState<DeliveryProgress>()
  const [Step, setStep] = useState<ComponentType<{ delivery: DeliveryProgress }>>()
  // What was refused because the address ended outlives it, but is not shown with the next one.
  useEffect(() => {
    if (token !== undefined) setShown(undefined)
  }, [token])
  useEffect(() => setShown(previous => (!delivery && previous?.reason === 'ended' ? previous : delivery)), [delivery])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS[shown.step])
    return () => clearTimeout(timer)
  }, [shown])
  useEffect(() => {
    if (!shown || Step) return
    Promise.all([import('./delivery-step.tsx'), loadTexts(language, ['delivery'])])
      .then(([module]) => setStep(() => module.default))
      // The mail arrives without it.
      .catch(() => undefined)
  }, [shown, Step, language])
  return (
    <div data-testid="delivery" className="relative text-sm">
      {shown && Step && <Step delivery={shown} />}
    </div>
  )
}
