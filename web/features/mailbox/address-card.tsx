import { clsx } from 'clsx'
import { type ComponentType, lazy, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Keyboard, Plus, QrCode, Trash2 } from '#web/components/ui/icons.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { track } from '#web/lib/browser/analytics.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useKeptFocus } from '#web/lib/browser/kept-focus.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatMinutes } from '#web/lib/mailbox/countdown.ts'
import { onFirstAddressCopied } from '#web/lib/mailbox/first-address-handover.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { undoLatest } from '#web/lib/notify/undo.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { MailboxTexts } from '#web/texts/en/mailbox.ts'
import { ADDRESS, AddressSlot } from './address-slot.tsx'
import { AddressText } from './address-text.tsx'
import type { DomainChoiceProps } from './domain-choice.tsx'
import { useGenerationStatus } from './generation-status.ts'
import { Sky } from './sky.tsx'
import type { MailboxControl } from './use-mailbox.ts'
import { WaitingAddress } from './waiting-address.tsx'

const DomainChoice = lazy<ComponentType<DomainChoiceProps>>(() => import('./domain-choice.tsx').catch(() => ({ default: () => null })))
const HandOffDialog = lazy(() => import('./hand-off-dialog.tsx'))
const LinkQuestionDialog = lazy(() => import('./link-question-dialog.tsx'))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'))

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
    <div
      ref={card}
      className="group/mailbox flex flex-col max-sm:-mx-5 sm:overflow-hidden sm:rounded-lg sm:border sm:border-line sm:bg-raised sm:shadow-lift @4xl/card:grid @4xl/card:grid-cols-2 short:grid short:grid-cols-2"
      data-mailbox={mailbox.state.phase}
    >
      <Sky state={mailbox.state} />
      <div className="flex flex-col gap-2.5 px-5 pt-2 sm:gap-3.5 sm:px-6 sm:pt-4 sm:pb-5 short:gap-1.5 short:py-2 low:gap-2 low:pt-3 low:pb-3">
        <CardHead isLive={live !== undefined} onOpen={setDialog} />
        {isWaiting ? (
          <WaitingAddress />
        ) : (
          <>
            <div className="@container">
              <Address ref={mainButton} mailbox={mailbox} onCopy={copy} />
            </div>
            {live ? (
              <CopyButton text={live.email} variant="primary" size="lg" className="copy-action w-full short:min-h-11" onCopied={onCopied}>
                {texts.copy}
              </CopyButton>
            ) : (
              <Button
                ref={mainButton}
                variant="primary"
                size="lg"
                className="w-full short:min-h-11 max-sm:px-3"
                disabled={waitSeconds > 0}
                onClick={generate}
              >
                {waitSeconds === 0 && <Plus aria-hidden="true" strokeWidth={1.75} />}
                {generateLabel(texts, waitSeconds)}
              </Button>
            )}
          </>
        )}
        <div className="flex min-h-11 flex-wrap items-center gap-x-1 gap-y-1 sm:gap-x-2">
          {live && (
            <LiveActions
              waitSeconds={waitSeconds}
              onGenerate={generate}
              onRemove={mailbox.remove}
              onHandOff={() => setDialog('hand-off')}
            />
          )}
          {!live && !isWaiting && waitSeconds === 0 && mailbox.state.phase !== 'deleting' && (
            <p className="text-muted text-sm">{texts.afterwards}</p>
          )}
          {isWaiting && (
            <div className={ACTIONS}>
              <Skeleton />
              <Skeleton />
              <Skeleton className="sm:hidden" />
            </div>
          )}
          <Suspense>{domains.length > 1 && <DomainChoice domains={domains} domain={domain} onChoose={setDomain} />}</Suspense>
        </div>
        {mailbox.other && <OtherAddress email={mailbox.other.email} onSwitch={mailbox.switchToOther} />}
        <Suspense>
          {mailbox.question && live && <LinkQuestionDialog here={live.email} linked={mailbox.question.email} onAnswer={mailbox.answer} />}
          {dialog === 'hand-off' && live && <HandOffDialog token={live.token} onClose={close} />}
          {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
        </Suspense>
      </div>
    </div>
  )
}

/** While the limit is reached, the button says how long to wait. */
const generateLabel = (texts: MailboxTexts, waitSeconds: number) =>
  waitSeconds > 0 ? texts.nextIn({ time: formatMinutes(waitSeconds) }) : texts.generate

/** The second row of buttons: the last cell is the QR code, which is above the address on a wider screen. */
const ACTIONS = 'grid min-h-11 grow grid-cols-[1fr_1fr_2.75rem] gap-2 sm:grid-cols-2'
type LiveActionsProps = { waitSeconds: number; onGenerate: () => void; onRemove: () => void; onHandOff: () => void }

function LiveActions({ waitSeconds, onGenerate, onRemove, onHandOff }: LiveActionsProps) {
  const texts = useTexts('mailbox')
  // On a phone the wait takes two lines; the row is as high as without.
  const className =
    'px-2 whitespace-normal! short:px-1 short:text-sm short:[&_svg]:hidden max-sm:gap-1.5 max-sm:px-1 max-[22.4375rem]:text-sm max-[24.375rem]:[&_svg]:hidden'
  return (
    <div className={ACTIONS}>
      <Button
        variant="quiet"
        className={clsx(className, 'next-action figures', waitSeconds > 0 && 'max-sm:text-sm')}
        disabled={waitSeconds > 0}
        onClick={onGenerate}
      >
        {waitSeconds === 0 && <Plus aria-hidden="true" strokeWidth={1.75} />}
        {generateLabel(texts, waitSeconds)}
      </Button>
      <Button variant="quiet" className={className} onClick={onRemove}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} />
        {texts.remove}
      </Button>
      <IconButton label={texts.handOff} onClick={onHandOff} className="sm:hidden">
        <QrCode aria-hidden="true" strokeWidth={1.5} />
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

type CardHeadProps = { isLive: boolean; onOpen: (dialog: 'hand-off' | 'shortcuts') => void }

function CardHead({ isLive, onOpen }: CardHeadProps) {
  const texts = useTexts('mailbox')
  return (
    <div className="flex items-center justify-between gap-2 max-sm:contents">
      <h2 className="font-medium text-muted text-sm max-sm:sr-only">{texts.title}</h2>
      <div className="-my-2 -mr-2 flex max-sm:hidden">
        <IconButton label={texts.handOff} onClick={() => onOpen('hand-off')} disabled={!isLive}>
          <QrCode aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
        <IconButton label={texts.shortcuts} onClick={() => onOpen('shortcuts')} className="pointer-coarse:hidden">
          <Keyboard aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </div>
    </div>
  )
}

type AddressProps = { mailbox: MailboxControl; onCopy: () => void; ref: Ref<HTMLButtonElement> }

function Address({ mailbox, onCopy, ref }: AddressProps) {
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
