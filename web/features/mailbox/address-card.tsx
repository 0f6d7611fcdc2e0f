import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, type Ref, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { MessageSummary } from '#contract/mailbox.ts'
import { lazyPart } from '#web/components/layout/lazy-part.tsx'
import { ServedNodes } from '#web/components/layout/lazy-section.tsx'
import { Unbroken } from '#web/components/ui/address.tsx'
import { Button, CopyButton, IconButton } from '#web/components/ui/button.tsx'
import { Copy, Keyboard, Plus, QrCode, RefreshCw, Trash2 } from '#web/components/ui/icons.ts'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { track } from '#web/lib/browser/analytics.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useKeptFocus } from '#web/lib/browser/kept-focus.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { useStore } from '#web/lib/browser/use-store.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { DESTROYING_MS } from '#web/lib/mailbox/address-machine.ts'
import { formatMinutes } from '#web/lib/mailbox/countdown.ts'
import { onFirstAddressCopied } from '#web/lib/mailbox/first-address-state.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { undoLatest } from '#web/lib/notify/undo.ts'
import { lazyExtra } from '#web/lib/routing/lazy-page.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { KeepProps } from './keep-address.tsx'
import { urgentStore } from './new-address-status.tsx'
import type { ReceiptProps } from './receipt.tsx'
import { Sky, useEndedAt } from './sky.tsx'
import type { MailboxControl } from './use-mailbox.ts'

const AddressTabs = lazyPart(() => import('./address-tabs.tsx'), 'AddressTabs')
const DomainMenu = lazyPart(() => import('./address-choices.tsx'), 'DomainMenu')
const HandOffDialog = lazyPart(() => import('./hand-off-dialog.tsx'), 'HandOffDialog')
const LinkQuestionDialog = lazyPart(() => import('./hand-off-dialog.tsx'), 'LinkQuestionDialog')
// Without a network the end is as it was.
const Receipt = lazyExtra<ReceiptProps>(() => import('./receipt.tsx'))
// Without a network an address ends as it did before.
const KeepAddress = lazyExtra<KeepProps>(() => import('./keep-address.tsx'))
const PinnedCode = lazyPart(() => import('./address-choices.tsx'), 'PinnedCode')
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'), 'default')

/** From then on a visitor without an account is offered to keep the address. */
const KEPT_SECONDS = 60

type AddressCardProps = { mailbox: MailboxControl; messages: readonly MessageSummary[]; waitSeconds: number }

/** The heading of the card, which names the part of the page that it is in. */
export const ADDRESS_TITLE_ID = 'address-title'

/** The address, its countdown, and its actions. `waitSeconds`: until the next one may be created. */
export function AddressCard({ mailbox, messages, waitSeconds }: AddressCardProps) {
  const texts = useTexts('mailbox')
  const [dialog, setDialog] = useState<'hand-off' | 'shortcuts'>()
  /** The token of the address that the open form is about: it goes with its address. */
  const [formToken, setFormToken] = useState<string>()
  const card = useRef<HTMLDivElement>(null)
  const mainButton = useRef<HTMLButtonElement>(null)
  const { domains } = useSiteConfig()
  const { address } = mailbox.state
  const live = mailbox.state.phase === 'active' ? address : undefined
  const isKeepable = live !== undefined && !live.kept && live.lifetimeSeconds < PRO_LIFETIME_SECONDS
  const isSignedIn = useAuth().status === 'signed-in'
  const isWaiting = mailbox.state.phase === 'restoring' || mailbox.state.phase === 'generating'
  const code = messages.find(({ codes }) => codes.length > 0)?.codes[0]
  const endedAt = useEndedAt(mailbox.state)
  // The inbox is cleared at the end.
  const received = useRef(messages)
  if (endedAt === undefined || mailbox.state.phase === 'destroying') received.current = messages
  const close = () => setDialog(undefined)
  const keeping = {
    isOpen: live !== undefined && formToken === live.token,
    onOpen: () => setFormToken(live?.token),
    onClose: () => setFormToken(undefined),
  }
  const generate = () => mailbox.generate()
  const onCopied = () => {
    showToast({ title: texts.notices.copiedTitle, description: texts.notices.copied })
    track('email_copied')
  }
  const latestOnCopied = useRef(onCopied)
  latestOnCopied.current = onCopied
  useEffect(() => onFirstAddressCopied(() => latestOnCopied.current()), [])
  const copy = async () => {
    if (!live || !(await copyText(live.email))) return
    showToast({ title: texts.addressClicked })
    track('email_copied')
  }
  useShortcuts({
    c: () => void copy(),
    g: () => mailbox.generate({ isScrolling: true }),
    u: undoLatest,
    '?': () => setDialog('shortcuts'),
  })

  useFocusKeptIn(card, mainButton)

  return (
    <div ref={card} className="card" data-mailbox={mailbox.state.phase}>
      <h2 id={ADDRESS_TITLE_ID} className="sr-only">
        {texts.title}
      </h2>
      <Sky
        state={mailbox.state}
        keep={secondsLeft =>
          isKeepable &&
          (isSignedIn || secondsLeft <= KEPT_SECONDS) && (
            <Suspense>
              <KeepAddress key={live.token} part="line" {...keeping} address={live} />
            </Suspense>
          )
        }
      />
      <div className="card-body">
        {isWaiting && !address ? (
          <WaitingAddress />
        ) : (
          <>
            {live && (isKeepable ? keeping.isOpen : live.unconfirmed !== undefined && !isSignedIn) && (
              <Suspense>
                <KeepAddress key={live.token} part={isKeepable ? 'form' : 'reminder'} {...keeping} address={live} />
              </Suspense>
            )}
            {/* Another browser tab stores a switch in two steps; between them both places hold one address. */}
            {mailbox.other && address && mailbox.other.token !== address.token && mailbox.state.phase !== 'destroying' && (
              <AddressTabs mailbox={mailbox} shown={address} other={mailbox.other} />
            )}
            <div className="@container">
              <div className="address-size" style={fitOf(address?.email)}>
                <AddressLine ref={mainButton} mailbox={mailbox} onCopy={copy} />
                {live && domains.length > 1 && <DomainMenu email={live.email} onChosen={mailbox.generate} />}
                {live && domains.length === 1 && code !== undefined && <PinnedCode code={code} email={live.email} />}
              </div>
            </div>
            {live ? (
              <CopyButton
                text={live.email}
                variant={keeping.isOpen ? 'secondary' : 'primary'}
                size="lg"
                className="main-action"
                onCopied={onCopied}
              >
                {texts.copy}
              </CopyButton>
            ) : (
              <GenerateButton ref={mainButton} isGenerating={isWaiting} waitSeconds={waitSeconds} onClick={generate} />
            )}
          </>
        )}
        {/* The row is there without an address too, so that nothing below it jumps. */}
        <div className="card-foot">
          {live && <LiveActions waitSeconds={waitSeconds} onGenerate={generate} onDelete={mailbox.deleteAddress} onOpen={setDialog} />}
          {endedAt !== undefined && (
            <Suspense>
              <Receipt messages={received.current} endedAt={endedAt} isOver={mailbox.state.phase !== 'destroying'} />
            </Suspense>
          )}
          {isWaiting && (
            <div className="card-actions">
              <Skeleton className="flex-2" />
              <Skeleton className="flex-2" />
              <Skeleton className="flex-1" />
            </div>
          )}
        </div>
        {mailbox.question && live === address && (
          <LinkQuestionDialog here={live?.email} linked={mailbox.question.email} onAnswer={mailbox.answer} />
        )}
        {dialog === 'hand-off' && live && <HandOffDialog token={live.token} onClose={close} />}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </div>
    </div>
  )
}

/** Beside the card stand the button for a second address, which goes when there are two, and a code, which goes when it is copied. */
function useFocusKeptIn(card: RefObject<HTMLElement | null>, mainButton: RefObject<HTMLElement | null>): void {
  // A lost focus is looked for when the card is drawn.
  useStore(urgentStore)
  useKeptFocus(
    element => card.current?.parentElement?.contains(element) ?? false,
    () => mainButton.current,
  )
}

type GenerateButtonProps = { isGenerating: boolean; waitSeconds?: number; onClick?: () => void; ref?: Ref<HTMLButtonElement> }

/** The main button while there is no address to copy. */
function GenerateButton({ isGenerating, waitSeconds = 0, ...props }: GenerateButtonProps) {
  const { generating } = useTexts('mailbox')
  return (
    <Button
      {...props}
      variant={waitSeconds > 0 ? 'secondary' : 'primary'}
      size="lg"
      className={clsx('main-action max-sm:px-3', waitSeconds > 0 && WAITS)}
      disabled={isGenerating}
    >
      {isGenerating ? (
        <>
          <RefreshCw aria-hidden="true" strokeWidth={1.75} className="animate-spin" />
          {generating}
        </>
      ) : (
        <GenerateLabel waitSeconds={waitSeconds} />
      )}
    </Button>
  )
}

/** Pressable, but not yet of use. */
const WAITS = 'bg-sunken! text-muted!'

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

const ACTION = 'card-action border border-edge'
type LiveActionsProps = {
  waitSeconds: number
  onGenerate: () => void
  onDelete: () => void
  onOpen: (dialog: 'hand-off' | 'shortcuts') => void
}

function LiveActions({ waitSeconds, onGenerate, onDelete, onOpen }: LiveActionsProps) {
  const texts = useTexts('mailbox')
  return (
    <div className="card-actions">
      <Button variant="quiet" className={clsx(ACTION, waitSeconds > 0 && WAITS)} onClick={onGenerate}>
        <GenerateLabel waitSeconds={waitSeconds} />
      </Button>
      <Button variant="quiet" className={ACTION} onClick={() => onOpen('hand-off')}>
        <QrCode aria-hidden="true" strokeWidth={1.5} />
        <span className="max-sm:hidden short:hidden">{texts.handOff}</span>
        <span className="sm:hidden short:inline">{texts.share}</span>
      </Button>
      <IconButton label={texts.shortcuts} onClick={() => onOpen('shortcuts')} className="for-keyboards">
        <Keyboard aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <Button data-delete variant="quiet" className="card-action card-delete" onClick={onDelete}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} />
        {texts.delete}
      </Button>
    </div>
  )
}

/** The tone of an address that can no longer be used, or for a moment not. */
const TONES = {
  generating: 'text-muted',
  deleting: 'text-muted [&_span]:line-through [&_span]:decoration-1',
  destroying: 'text-ember-ink',
}

type AddressLineProps = { mailbox: MailboxControl; onCopy: () => void; ref: Ref<HTMLButtonElement> }

function AddressLine({ mailbox, onCopy, ref }: AddressLineProps) {
  const texts = useTexts('mailbox')
  const { phase, address } = mailbox.state
  if (phase === 'active') {
    return (
      <button
        ref={ref}
        type="button"
        onClick={onCopy}
        title={texts.copyThis(address)}
        className={clsx(ADDRESS, 'text-left hover:text-dusk-ink')}
      >
        <output data-testid="address" aria-label={address.email}>
          <AddressText email={address.email} isDissolving={false} />
        </output>
      </button>
    )
  }
  if (address) {
    return (
      <AddressSlot tone={TONES[phase]}>
        <AddressText email={address.email} isDissolving={phase === 'destroying'} />
        <span className="sr-only">{texts[phase]}</span>
      </AddressSlot>
    )
  }
  return <AddressSlot tone="font-sans text-lg sm:text-xl text-muted">{phase === 'expired' ? texts.expired : texts.noAddress}</AddressSlot>
}

/**
 * Address and main button while an address is requested. In the served page web/lib/mailbox/first-address.ts may already show the
 * address there, so React leaves those nodes alone.
 */
function WaitingAddress() {
  const isHydrated = useHydrated()
  const [isServed] = useState(!isHydrated)
  if (!import.meta.env.SSR && isServed) return <ServedNodes data-first-address className="contents" />
  return (
    <div data-first-address={isServed || undefined} className="contents">
      <AddressSlot>
        <Skeleton className="h-5 w-4/5 sm:h-6" />
        <Skeleton className="mt-2 h-5 w-2/5 sm:h-6" />
      </AddressSlot>
      <GenerateButton isGenerating />
      {import.meta.env.SSR && <FirstAddress />}
    </div>
  )
}

/**
 * Looks like address and button of the card; the script fills in the address and makes both copy it. Then what the script shows instead if
 * the application does not load.
 */
function FirstAddress() {
  const texts = useTexts('mailbox')
  const { copied, pageFailed } = useTexts('layout')
  const { notLoaded } = useTexts('notices')
  return (
    <>
      <template>
        <div className="@container">
          <div data-fit className="address-size">
            <button type="button" className={clsx(ADDRESS, 'text-left hover:text-dusk-ink')}>
              <span className="block">
                <span data-address className={LINE} />
                <span data-address className={LINE} />
              </span>
            </button>
          </div>
        </div>
        <Button variant="primary" size="lg" className="main-action">
          <Copy aria-hidden="true" strokeWidth={1.75} />
          <span aria-live="polite" data-copied={copied}>
            {texts.copy}
          </span>
        </Button>
      </template>
      <template>
        <div role="alert" className="flex flex-col gap-3">
          <p className="font-mono text-muted [overflow-wrap:anywhere] has-[:empty]:hidden">
            <span data-address />
            <span data-address />
          </p>
          <p>{notLoaded}</p>
          <Button variant="primary" size="lg" className="w-full">
            {pageFailed.reload}
          </Button>
        </div>
      </template>
    </>
  )
}

/** As high for every address, so that nothing moves when one comes. */
const ADDRESS = 'address-slot'
/** The name, and below it the domain. Inline, so that what is selected and copied has no line break. */
const LINE = 'inline-block min-w-full'

/** Gives the length of the longer of its two lines to `address-size` of styles.css. */
function fitOf(email = ''): CSSProperties {
  const at = email.lastIndexOf('@')
  return { '--chars': Math.max(at, email.length - at) } as CSSProperties
}

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

/** The address on the card, its domain on a line of its own. `isDissolving` fades it out letter by letter. */
function AddressText({ email, isDissolving }: { email: string; isDissolving: boolean }) {
  const at = email.lastIndexOf('@')
  const lines = [email.slice(0, at), email.slice(at)]
  return (
    // With reduced motion the whole address fades at once.
    <span
      aria-hidden={isDissolving || undefined}
      data-fades={isDissolving || undefined}
      style={isDissolving ? { animationDuration: `${DESTROYING_MS}ms` } : undefined}
      className={clsx('block', isDissolving && 'motion-reduce:animate-fade-out')}
    >
      {lines.map(line => (
        <span key={line} className={LINE}>
          <Unbroken
            name={line}
            draw={(part, from) => (isDissolving ? <Dissolving letters={Array.from(part)} from={from} of={line.length} /> : part)}
          />
        </span>
      ))}
    </span>
  )
}

function Dissolving({ letters, from, of }: { letters: readonly string[]; from: number; of: number }) {
  return letters.map((letter, i) => {
    // A fixed order that looks random: neighbours fade at different times.
    const turn = (((from + i) * 7) % of) / of
    const style: CSSProperties = { animationDelay: `${turn * (DESTROYING_MS - LETTER_MS)}ms`, animationDuration: `${LETTER_MS}ms` }
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a word never change places
      <span key={i} style={style} className="inline-block motion-safe:animate-dissolve">
        {letter}
      </span>
    )
  })
}
