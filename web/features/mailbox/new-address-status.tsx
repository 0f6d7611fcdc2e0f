import { clsx } from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'
import { Plus, ShieldAlert, ShieldCheck } from '#web/components/ui/icons.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { deviceFingerprint } from '#web/lib/bot-check/fingerprint.ts'
import { isSuspicious } from '#web/lib/bot-check/security-log.ts'
import { localStore } from '#web/lib/browser/storage.ts'
import { createStore } from '#web/lib/browser/store.ts'
import { useStore } from '#web/lib/browser/use-store.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { ShownAddress } from '#web/lib/mailbox/address-machine.ts'
import {
  type NewAddressAllowance,
  newAddressAllowance,
  newAddressLimit,
  refusalStore,
  roomStore,
} from '#web/lib/mailbox/new-address-limit.ts'

/** How often to check whether the window has ended; every second while it is counted down. */
const CHECK_MS = 5000
const TICK_MS = 1000

type NewAddressStatus = NewAddressAllowance & { readonly isSuspicious: boolean }

/** How many addresses this device may still create now, and when the next one. */
export function useNewAddressStatus(state: ShownAddress): NewAddressStatus {
  const isPro = useAuth().status === 'signed-in'
  const [status, setStatus] = useState<NewAddressStatus>({
    remaining: newAddressLimit(isPro).max,
    secondsUntilReset: 0,
    isSuspicious: false,
  })
  const refusal = useStore(refusalStore)
  const isWaiting = status.secondsUntilReset > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the mailbox may have been an attempt, and a refusal counts at once
  useEffect(() => {
    const check = () => {
      setStatus({ ...newAddressAllowance(isPro), isSuspicious: isSuspicious(localStore, deviceFingerprint(), Date.now()) })
    }
    check()
    const timer = setInterval(check, isWaiting ? TICK_MS : CHECK_MS)
    return () => clearInterval(timer)
  }, [state, refusal, isPro, isWaiting])
  return status
}

type SecurityStripProps = {
  status: NewAddressStatus
  hasAddress: boolean
  /** Asks for a second address beside the one that is shown, where there can be one. */
  onAnother: (() => void) | undefined
  isGenerating: boolean
}

/**
 * Takes the place of the words of the strip while there is something more urgent, so that nothing moves. At the limit the words stay: they
 * say why there is no other address.
 */
export const urgentStore = createStore<ReactNode>(undefined)

/** How many addresses this device may still create. How long to wait is on the button. Suspicious activity changes only the shield. */
export function SecurityStrip({ status: { remaining, isSuspicious }, hasAddress, onAnother, isGenerating }: SecurityStripProps) {
  const { security, another, anotherHint } = useTexts('mailbox')
  const isLow = remaining <= 1
  const waiting = useStore(urgentStore)
  const room = useStore(roomStore)
  const urgent = remaining > 0 && waiting
  const Shield = isLow || isSuspicious ? ShieldAlert : ShieldCheck
  return (
    <section aria-label={security.label} className={clsx('address-status', urgent && '[&>:not([aria-live])]:invisible')}>
      <Shield aria-hidden="true" className="mt-px size-4.5 shrink-0 text-river-ink" strokeWidth={1.75} />
      {/* With large text the button takes a line of its own. */}
      <p className="min-w-[40%] flex-1">
        {remaining === 0 ? security.reached : room < 1 ? security.full : security.remaining({ count: Math.min(remaining, room) })}
        {/* At the limit one sentence about it is enough to see, and without an address there is none to keep. */}
        {(hasAddress || !isLow) && (
          <span className={clsx(remaining === 0 ? 'sr-only' : onAnother && !isLow && 'max-sm:sr-only')}>
            {' '}
            <span className="mx-0.5">·</span> {isLow ? security.warning : security.sealed}
          </span>
        )}
      </p>
      {onAnother && remaining > 0 && (
        <button
          type="button"
          title={anotherHint}
          onClick={onAnother}
          // It keeps its place and the focus until the answer.
          aria-disabled={isGenerating}
          className="add-second"
        >
          <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {another}
        </button>
      )}
      <div aria-live="polite" className="contents">
        {urgent}
      </div>
    </section>
  )
}
