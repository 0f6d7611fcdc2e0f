import { clsx } from 'clsx'
import type { DeliveryProgress } from '#contract/mailbox.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { DeliveryTexts } from '#web/texts/en/delivery.ts'

const PROGRESS: Record<DeliveryProgress['step'], number> = { connected: 0.33, receiving: 0.66, accepted: 1, refused: 1 }

/** One step of a delivery in words, above a progress line. */
export default function DeliveryStep({ delivery }: { delivery: DeliveryProgress }) {
  const texts = useTexts('delivery')
  const isRefused = delivery.step === 'refused'
  return (
    <>
      <div
        aria-hidden="true"
        style={{ transform: `scaleX(${PROGRESS[delivery.step]})` }}
        className={clsx(
          'absolute inset-x-0 -top-0.5 h-0.5 origin-left transition-transform duration-200 ease-out forced-colors:bg-[CanvasText]',
          isRefused ? 'bg-ember' : 'bg-river',
        )}
      />
      {/* An accepted mail appears as the next row. */}
      <p
        className={clsx(
          delivery.step === 'accepted' ? 'sr-only' : 'animate-rise pt-3 [overflow-wrap:anywhere]',
          isRefused ? 'text-ember-ink' : 'text-river-ink',
        )}
      >
        <bdi>{describe(delivery, texts)}</bdi>
      </p>
    </>
  )
}

function describe({ step, server, encrypted, bytes, reason = 'rejected' }: DeliveryProgress, texts: DeliveryTexts): string {
  if (step === 'connected') return texts.connected({ server, encrypted })
  if (step === 'refused') return texts.refused[reason]({ server })
  return texts[step]({ server, size: bytes === undefined ? '' : shortSize(bytes) })
}

/** Rounded, because it is shown only for a moment. */
function shortSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
