import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { ShieldAlert, ShieldCheck } from '#web/components/ui/icons.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { deviceFingerprint } from '#web/lib/bot-check/fingerprint.ts'
import { isSuspicious } from '#web/lib/bot-check/security-log.ts'
import { localStore } from '#web/lib/browser/storage.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { allowanceFor, generationLimit, type Limit } from '#web/lib/mailbox/generation-limit.ts'
import type { MailboxState } from './mailbox-state.ts'

/** How often the strip looks whether the window has ended; the count itself changes with each attempt. */
const LOOK_MS = 5000

type Status = { remaining: number; isSuspicious: boolean }

/** How many more addresses this device may generate now, in the specification's words (5.03). */
export function SecurityStrip({ state }: { state: MailboxState }) {
  const { security } = useTexts('mailbox')
  const { remaining, isSuspicious: isUnusual } = useSecurityStatus(state, generationLimit(useAuth().status === 'signed-in'))
  const isLow = remaining <= 1
  const Shield = isLow || isUnusual ? ShieldAlert : ShieldCheck
  return (
    <section aria-label={security.label} className="flex items-start gap-3 px-1 text-muted text-sm">
      <Shield
        aria-hidden="true"
        className={clsx('mt-px size-4.5 shrink-0', isLow || isUnusual ? 'text-ember-ink' : 'text-river-ink')}
        strokeWidth={1.75}
      />
      <p className="flex flex-wrap gap-x-3">
        <span className={clsx(remaining === 0 && 'text-ember-ink')}>
          {remaining === 0 ? security.reached : security.remaining({ count: remaining })}
        </span>
        {isLow && <span className="text-ember-ink">{security.warning}</span>}
        {isUnusual ? (
          <span className="text-ember-ink">{security.suspicious}</span>
        ) : (
          !isLow && <span className="max-sm:sr-only">{security.sealed}</span>
        )}
      </p>
    </section>
  )
}

function useSecurityStatus(state: MailboxState, limit: Limit): Status {
  const [status, setStatus] = useState<Status>({ remaining: limit.attempts, isSuspicious: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the mailbox may have been an attempt
  useEffect(() => {
    const look = () => {
      const identifier = deviceFingerprint()
      const now = Date.now()
      setStatus({
        remaining: allowanceFor(localStore, identifier, now, limit).remaining,
        isSuspicious: isSuspicious(localStore, identifier, now),
      })
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [state, limit])
  return status
}
