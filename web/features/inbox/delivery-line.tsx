import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { Delivery } from '#contract/mailbox.ts'

/** How long each step stays when nothing follows it. */
const SHOWN_MS: Record<Delivery['step'], number> = { connected: 60_000, receiving: 120_000, accepted: 5000, refused: 30_000 }

/** Fetched when a server connects; without a network there is nothing to tell. */
const DeliveryStep = lazy<ComponentType<{ delivery: Delivery }>>(() => import('./delivery-step.tsx').catch(() => ({ default: () => null })))

/** Waiting is never blind: what the mail port sees for this address, as it happens, over a line that fills. */
export function DeliveryLine({ delivery }: { delivery: Delivery | undefined }) {
  const [shown, setShown] = useState<Delivery>()
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
