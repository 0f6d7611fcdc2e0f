import { type ComponentType, useEffect, useState } from 'react'
import type { DeliveryProgress } from '#contract/mailbox.ts'
import { loadTexts, useLanguage } from '#web/lib/i18n/i18n.tsx'

/** How long each step is shown if nothing follows. A server that only asks whether the address exists says no more than its name. */
const SHOWN_MS: Record<DeliveryProgress['step'], number> = {
  connected: 15_000,
  receiving: 120_000,
  accepted: 5000,
  refused: 30_000,
  disconnected: 30_000,
}

type Props = {
  delivery: DeliveryProgress | undefined
  /** The live address. */
  token: string | undefined
}

/** Shows what the SMTP server is doing for this address, with a progress line. Its code and texts are loaded when a server connects. */
export function DeliveryLine({ delivery, token }: Props) {
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
