import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { Delivery } from '#contract/mailbox.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { InboxTexts } from '#web/texts/en/inbox.ts'

/** How long each step stays when nothing follows it. */
const SHOWN_MS: Record<Delivery['step'], number> = { connected: 60_000, receiving: 120_000, accepted: 5000, refused: 30_000 }
const PROGRESS: Record<Delivery['step'], number> = { connected: 0.33, receiving: 0.66, accepted: 1, refused: 1 }

/** Waiting is never blind: what the mail port sees for this address, as it happens, over a line that fills. */
export function DeliveryLine({ delivery }: { delivery: Delivery | undefined }) {
  const texts = useTexts('inbox')
  const [shown, setShown] = useState<Delivery>()
  useEffect(() => {
    setShown(delivery)
    if (!delivery) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS[delivery.step])
    return () => clearTimeout(timer)
  }, [delivery])
  const isRefused = shown?.step === 'refused'
  return (
    <div role="status" data-testid="delivery" className="relative text-sm">
      {shown && (
        <>
          <div
            aria-hidden="true"
            style={{ transform: `scaleX(${PROGRESS[shown.step]})` }}
            className={clsx(
              'absolute inset-x-0 -top-0.5 h-0.5 origin-left transition-transform duration-200 ease-out forced-colors:bg-[CanvasText]',
              isRefused ? 'bg-ember' : 'bg-river',
            )}
          />
          {/* What was accepted is the next row. */}
          <p
            className={clsx(
              shown.step === 'accepted' ? 'sr-only' : 'animate-rise pt-3 [overflow-wrap:anywhere]',
              isRefused ? 'text-ember-ink' : 'text-river-ink',
            )}
          >
            <bdi>{describe(shown, texts)}</bdi>
          </p>
        </>
      )}
    </div>
  )
}

function describe({ step, server, encrypted, bytes, reason = 'rejected' }: Delivery, { delivery: texts }: InboxTexts): string {
  if (step === 'connected') return texts.connected({ server, encrypted })
  if (step === 'refused') return texts.refused[reason]({ server })
  return texts[step]({ server, size: bytes === undefined ? '' : shortSize(bytes) })
}

/** Rounded: it passes in a moment. */
function shortSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
