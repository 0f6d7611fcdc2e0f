import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { DeliveryProgress } from '#contract/mailbox.ts'

/** How long each step is shown if nothing follows. */
const SHOWN_MS: Record<DeliveryProgress['step'], number> = { connected: 60_000, receiving: 120_000, accepted: 5000, refused: 30_000 }

/** Loaded when a server connects. */
const DeliveryStep = lazy<ComponentType<{ delivery: DeliveryProgress }>>(() =>
  import('./delivery-step.tsx').catch(() => ({ default: () => null })),
)

/** Shows what the SMTP server is doing for this address, with a progress line. */
export function DeliveryLine({ delivery }: { delivery: DeliveryProgress | undefined }) {
  const [shown, setShown] = useState<DeliveryProgress>()
  useEffect(() => {
    setShown(delivery)
    if (!delivery) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS[delivery.step])
    return () => clearTimeout(timer)
  }, [delivery])
  return (
    <div role="status" data-testid="delivery" className="relative text-sm">
      <Suspense>{shown && <DeliveryStep delivery={shown} />}</Suspense>
    </div>
  )
}
