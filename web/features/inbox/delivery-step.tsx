import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import type { DeliveryProgress } from '#contract/mailbox.ts'
import { NamesUnbroken, Unbroken } from '#web/components/ui/address.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { DeliveryTexts } from '#web/texts/en/mailbox.ts'

/** A step is announced once it has lasted this long, since most deliveries take less, and the mail itself is announced. */
const ANNOUNCED_AFTER_MS = 1500

/** How long each step is shown if nothing follows. A server that only asks whether the address exists says no more than its name. */
const SHOWN_MS: Record<DeliveryProgress['step'], number> = {
  connected: 15_000,
  receiving: 120_000,
  accepted: 5000,
  refused: 30_000,
  disconnected: 30_000,
  tls_failed: 30_000,
}

const PROGRESS: Record<DeliveryProgress['step'], number> = {
  connected: 0.33,
  receiving: 0.66,
  accepted: 1,
  refused: 1,
  disconnected: 0,
  tls_failed: 1,
}

export type DeliveryStepProps = {
  delivery: DeliveryProgress
  /** In an empty inbox, where it is the water's line; otherwise a line above the rows. */
  isRow: boolean
  onOver: (next: undefined) => void
}

/** One step of a delivery in words, with a progress line. */
export default function DeliveryStep({ delivery, isRow, onOver }: DeliveryStepProps) {
  const texts = useTexts('delivery')
  const isRefused = delivery.step === 'refused' || delivery.step === 'tls_failed'
  const text = describe(delivery, texts)
  const [spoken, setSpoken] = useState('')
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    setSpoken('')
    const timer = setTimeout(
      () => {
        setSpoken(text)
        // An accepted mail has no words: its row is there, or comes now.
        setIsSlow(text !== '')
      },
      isRefused ? 0 : ANNOUNCED_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [text, isRefused])
  useEffect(() => {
    const timer = setTimeout(() => onOver(undefined), SHOWN_MS[delivery.step])
    return () => clearTimeout(timer)
  }, [delivery, onOver])
  // The rows below move for the line: only for what lasts, and once, until the new row is there.
  const latest = useRef(text)
  if (text !== '') latest.current = text
  const shown = isRow ? text : isSlow ? latest.current : ''
  return (
    <div className={isRow ? 'coming-mail' : undefined} data-step={delivery.step}>
      {isRow && (
        <bdi aria-hidden="true" className="block font-medium text-base">
          <Unbroken name={delivery.server} />
        </bdi>
      )}
      <div
        aria-hidden="true"
        style={{ transform: `scaleX(${PROGRESS[delivery.step]})` }}
        className={clsx(
          'absolute inset-x-0 h-0.5 origin-left transition-transform duration-200 ease-out forced-colors:bg-[CanvasText]',
          isRow ? 'water-line' : '-top-0.5',
          isRefused ? 'bg-ember' : 'bg-river',
        )}
      />
      {shown !== '' && (
        <p
          aria-hidden="true"
          className={clsx('animate-rise [overflow-wrap:anywhere]', !isRow && 'pt-3', isRefused ? 'text-ember-ink' : 'text-river-ink')}
        >
          <bdi>
            <NamesUnbroken text={shown} />
          </bdi>
        </p>
      )}
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </div>
  )
}

/** Nothing for an accepted mail, which appears as the next row. */
function describe({ step, server, encrypted, bytes, reason = 'rejected' }: DeliveryProgress, texts: DeliveryTexts): string {
  if (step === 'accepted') return ''
  if (step === 'connected') return texts.connected({ server, encrypted })
  if (step === 'disconnected') return texts.disconnected({ server })
  if (step === 'refused' || step === 'tls_failed') return texts.refused[reason]({ server: server || texts.aProgram })
  return texts.receiving({ server, size: bytes === undefined ? '' : shortSize(bytes) })
}

/** Rounded, because it is shown only for a moment. */
function shortSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
