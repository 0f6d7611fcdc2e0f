import { clsx } from 'clsx'
import {
  type ComponentType,
  type CSSProperties,
  Fragment,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { lazyPart } from '#web/components/layout/lazy-part.tsx'
import { ServedNodes } from '#web/components/layout/lazy-section.tsx'
import { Address, breakable } from '#web/components/ui/address.tsx'
import { Button, CopyButton, IconButton } from '#web/components/ui/button.tsx'
import { Copy, Keyboard, Plus, QrCode, RefreshCw, Trash2 } from '#web/components/ui/icons.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { track } from '#web/lib/browser/analytics.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useKeptFocus } from '#web/lib/browser/kept-focus.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { DESTROYING_MS, formatMinutes } from '#web/lib/mailbox/countdown.ts'
import { onFirstAddressCopied } from '#web/lib/mailbox/first-address-handover.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { undoLatest } from '#web/lib/notify/undo.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { DomainChoiceProps } from './domain-choice.tsx'
import { Sky } from './sky.tsx'
import { type MailboxControl, useGenerationStatus } from './use-mailbox.ts'

const DomainChoice = lazy<ComponentType<DomainChoiceProps>>(() => import('./domain-choice.tsx').catch(() => ({ default: () => null })))
const HandOffDialog = lazyPart(() => import('./hand-off-dialog.tsx'))
const LinkQuestionDialog = lazyPart(() => import('./link-question-dialog.tsx'))
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'))

/** The address, its countdown, and its actions. */
export function AddressCard({ mailbox }: { mailbox: MailboxControl }) {
  const texts = useTexts('mailbox')
  const [dialog, setDialog] = useState<'hand-off' | 'shortcuts'>()
  const [domain, setDomain] = useState<string>()
  const card = useRef<HTMLDivElement>(null)
  const mainButton = useRef<HTMLButtonElement>(null)
  const { domains } = useSiteConfig()
  const { session } = mailbox.state
  const live = mailbox.state.phase === 'active' ? session : undefined
  const isWaiting = mailbox.state.phase === 'restoring' || mailbox.state.phase === 'generating'
  const { waitSeconds } = useGenerationStatus(mailbox.state)
  const close = () => setDialog(undefined)
  const generate = () => mailbox.generate({ domain })
  const onCopied = () => {
    showToast({ title: texts.notices.copiedTitle, description: texts.notices.copied })
    track('email_copied')
  }
  const latestOnCopied = useRef(onCopied)
  latestOnCopied.current = onCopied
  useEffect(() => onFirstAddressCopied(() => latestOnCopied.current()), [])
  const copy = async () => {
    if (!live || !(await copyText(live.email))) return
    showToast({ title: texts.copied })
    track('email_copied')
  }
  useShortcuts({
    c: () => void copy(),
    g: () => mailbox.generate({ domain, isScrolling: true }),
    u: undoLatest,
    '?': () => setDialog('shortcuts'),
  })

  useKeptFocus(
    element => card.current?.contains(element) ?? false,
    () => mainButton.current,
  )

  return (
    <div ref={card} className="card" data-mailbox={mailbox.state.phase}>
      <Sky state={mailbox.state} />
      <div className="card-body">
        <h2 className="sr-only">{texts.title}</h2>
        {isWaiting ? (
          <WaitingAddress />
        ) : (
          <>
            <div className="@container">
              <ShownAddress ref={mainButton} mailbox={mailbox} onCopy={copy} />
            </div>
            {live ? (
              <CopyButton text={live.email} variant="primary" size="lg" className="copy-action w-full short:min-h-11" onCopied={onCopied}>
                {texts.copy}
              </CopyButton>
            ) : (
              <Button ref={mainButton} variant="primary" size="lg" className="w-full short:min-h-11 max-sm:px-3" onClick={generate}>
                <GenerateLabel waitSeconds={waitSeconds} />
              </Button>
            )}
          </>
        )}
        <div className="flex min-h-11 flex-wrap items-center gap-x-1 gap-y-1 sm:gap-x-2">
          {live && <LiveActions waitSeconds={waitSeconds} onGenerate={generate} onRemove={mailbox.remove} onOpen={setDialog} />}
          {!live && !isWaiting && waitSeconds === 0 && mailbox.state.phase !== 'deleting' && (
            <p className="text-muted text-sm">{texts.afterwards}</p>
          )}
          {isWaiting && (
            <div className={ACTIONS}>
              <Skeleton />
              <Skeleton />
              <Skeleton />
              <Skeleton className={FOR_KEYBOARDS} />
            </div>
          )}
          <Suspense>{domains.length > 1 && <DomainChoice domains={domains} domain={domain} onChoose={setDomain} />}</Suspense>
        </div>
        {mailbox.other && <OtherAddress email={mailbox.other.email} onSwitch={mailbox.switchToOther} />}
        {mailbox.question && live && <LinkQuestionDialog here={live.email} linked={mailbox.question.email} onAnswer={mailbox.answer} />}
        {dialog === 'hand-off' && live && <HandOffDialog token={live.token} onClose={close} />}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </div>
    </div>
  )
}

/** At the limit the button still answers, with the limit's toast, and the time until the next address takes the icon's place. */
function GenerateLabel({ waitSeconds }: { waitSeconds: number }) {
  const texts = useTexts('mailbox')
  return (
    <>
      {waitSeconds === 0 && <Plus aria-hidden="true" strokeWidth={1.75} />}
      {texts.generate}
      {waitSeconds > 0 && (
        <span aria-hidden="true" className="figures text-sm leading-none">
          {formatMinutes(waitSeconds)}
        </span>
      )}
    </>
  )
}

/** The second row of buttons. A touch screen has no use for the list of keyboard shortcuts, and a phone has no room for it. */
const ACTIONS = 'grid min-h-11 grow grid-cols-[1fr_1fr_2.75rem] gap-2 sm:not-pointer-coarse:grid-cols-[1fr_1fr_2.75rem_2.75rem]'
const FOR_KEYBOARDS = 'max-sm:hidden pointer-coarse:hidden'
type LiveActionsProps = {
  waitSeconds: number
  onGenerate: () => void
  onRemove: () => void
  onOpen: (dialog: 'hand-off' | 'shortcuts') => void
}

function LiveActions({ waitSeconds, onGenerate, onRemove, onOpen }: LiveActionsProps) {
  const texts = useTexts('mailbox')
  return (
    <div className={ACTIONS}>
      <Button
        variant="quiet"
        className={clsx('card-action next-action', waitSeconds > 0 && 'max-sm:flex-col max-sm:gap-0 max-sm:leading-tight')}
        onClick={onGenerate}
      >
        <GenerateLabel waitSeconds={waitSeconds} />
      </Button>
      <Button variant="quiet" className="card-action" onClick={onRemove}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} />
        {texts.remove}
      </Button>
      <IconButton label={texts.handOff} onClick={() => onOpen('hand-off')}>
        <QrCode aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton label={texts.shortcuts} onClick={() => onOpen('shortcuts')} className={FOR_KEYBOARDS}>
        <Keyboard aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
    </div>
  )
}

function OtherAddress({ email, onSwitch }: { email: string; onSwitch: () => void }) {
  const texts = useTexts('mailbox')
  return (
    <p className="flex items-center justify-between gap-3 border-line border-t pt-2 text-muted text-sm">
      <span className="min-w-0 [overflow-wrap:anywhere]">{texts.other({ email })}</span>
      <Button variant="quiet" onClick={onSwitch}>
        {texts.switchToOther}
      </Button>
    </p>
  )
}

type ShownAddressProps = { mailbox: MailboxControl; onCopy: () => void; ref: Ref<HTMLButtonElement> }

function ShownAddress({ mailbox, onCopy, ref }: ShownAddressProps) {
  const texts = useTexts('mailbox')
  const { phase, session } = mailbox.state
  if (phase === 'active') {
    return (
      <button
        ref={ref}
        type="button"
        onClick={onCopy}
        title={texts.copyThis(session)}
        className={clsx(ADDRESS, 'text-left hover:text-dusk-ink')}
      >
        <output data-testid="address" aria-label={session.email}>
          <AddressText email={session.email} isDissolving={false} />
        </output>
      </button>
    )
  }
  if (phase === 'deleting') {
    return (
      <AddressSlot tone="text-muted line-through decoration-1">
        <AddressText email={session.email} isDissolving={false} />
        <span className="sr-only">{texts.deleting}</span>
      </AddressSlot>
    )
  }
  if (phase === 'destroying') {
    return (
      <AddressSlot tone="text-ember-ink">
        <AddressText email={session.email} isDissolving />
        <span className="sr-only">{texts.destroying}</span>
      </AddressSlot>
    )
  }
  return <AddressSlot tone="font-sans text-muted">{phase === 'expired' ? texts.expired : texts.noAddress}</AddressSlot>
}

/**
 * Address and main button while an address is requested. In the served page web/lib/mailbox/first-address.ts may already show the
 * address there, so React leaves those nodes alone.
 */
function WaitingAddress() {
  const texts = useTexts('mailbox')
  const isHydrated = useHydrated()
  const [isServed] = useState(!isHydrated)
  if (!import.meta.env.SSR && isServed) return <ServedNodes data-first-address className="contents" />
  return (
    <div data-first-address={isServed || undefined} className="contents">
      <div className="@container">
        <AddressSlot>
          <Skeleton className="h-[0.8em] w-4/5" />
          <span className="sr-only">{texts.generating}</span>
        </AddressSlot>
      </div>
      <Button variant="primary" size="lg" className="w-full short:min-h-11 max-sm:px-3 bg-glow/70 disabled:opacity-100" disabled>
        <RefreshCw aria-hidden="true" strokeWidth={1.75} className="animate-spin" />
        {texts.generating}
      </Button>
      {import.meta.env.SSR && <FirstAddress />}
    </div>
  )
}

/** Looks like address and button of the card; the script fills in the address and makes both copy it. */
function FirstAddress() {
  const texts = useTexts('mailbox')
  const { copied } = useTexts('layout')
  return (
    <template>
      <div className="@container">
        <button type="button" className={clsx(ADDRESS, 'text-left hover:text-dusk-ink')}>
          <span data-address className="one-line block" />
        </button>
      </div>
      <Button variant="primary" size="lg" className="w-full short:min-h-11">
        <Copy aria-hidden="true" strokeWidth={1.75} />
        <span aria-live="polite" data-copied={copied}>
          {texts.copy}
        </span>
      </Button>
    </template>
  )
}

const ADDRESS =
  'grid min-h-11 w-full content-center font-mono font-semibold leading-tight [overflow-wrap:anywhere] sm:min-h-13 sm:text-xl short:min-h-11 short:text-base'

/** What is shown in place of the address, or an address that can no longer be used. */
function AddressSlot({ tone, children }: { tone?: string; children: ReactNode }) {
  return (
    <div className={clsx(ADDRESS, tone)}>
      <div>{children}</div>
    </div>
  )
}

/** How long one letter takes to fade. The last one starts this long before the end. */
const LETTER_MS = 700

/** The address on the card, on one line if it fits. `isDissolving` fades it out letter by letter. */
export function AddressText({ email, isDissolving }: { email: string; isDissolving: boolean }) {
  const fit: CSSProperties & { '--chars': number } = { '--chars': Array.from(email).length }
  return (
    <span style={fit} className="one-line block">
      {isDissolving ? <Dissolving email={email} /> : <Address email={email} />}
    </span>
  )
}

function Dissolving({ email }: { email: string }) {
  const letters = Array.from(email)
  return (
    // With reduced motion the whole address fades at once.
    <span aria-hidden="true" data-fades style={{ animationDuration: `${DESTROYING_MS}ms` }} className="motion-reduce:animate-fade-out">
      {breakable(email).map(part => (
        <Fragment key={part.at}>
          {part.at > 0 && <wbr />}
          {Array.from(part.text).map((letter, i) => {
            const at = part.at + i
            // A fixed order that looks random: neighbours fade at different times.
            const turn = ((at * 7) % letters.length) / letters.length
            const style: CSSProperties = { animationDelay: `${turn * (DESTROYING_MS - LETTER_MS)}ms`, animationDuration: `${LETTER_MS}ms` }
            return (
              <span key={at} style={style} className={clsx('inline-block motion-safe:animate-dissolve')}>
                {letter}
              </span>
            )
          })}
        </Fragment>
      ))}
    </span>
  )
}
