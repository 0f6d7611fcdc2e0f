import { useEffect, useState } from 'react'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { deviceFingerprint } from '#web/lib/bot-check/fingerprint.ts'
import { isSuspicious } from '#web/lib/bot-check/security-log.ts'
import { localStore } from '#web/lib/browser/storage.ts'
import { allowanceFor, generationLimit } from '#web/lib/mailbox/generation-limit.ts'
import type { MailboxState } from './mailbox-state.ts'

/** How often to check whether the window has ended; every second while it is counted down. */
const CHECK_MS = 5000
const TICK_MS = 1000

type GenerationStatus = {
  remaining: number
  /** Seconds until the next address may be created; 0 while attempts remain. */
  waitSeconds: number
  isSuspicious: boolean
}

/** Until this time of `Date.now()` the server refuses this device. Its count may differ from this browser's. */
let refusedUntil = 0

export function noteRefusal(seconds: number): void {
  refusedUntil = Date.now() + seconds * 1000
}

/** How many addresses this device may still create now, and when the next one. */
export function useGenerationStatus(state: MailboxState): GenerationStatus {
  const limit = generationLimit(useAuth().status === 'signed-in')
  const [status, setStatus] = useState<GenerationStatus>({ remaining: limit.attempts, waitSeconds: 0, isSuspicious: false })
  const isWaiting = status.waitSeconds > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the mailbox may have been an attempt
  useEffect(() => {
    const check = () => {
      const identifier = deviceFingerprint()
      const now = Date.now()
      const { remaining, secondsUntilReset } = allowanceFor(localStore, identifier, now, limit)
      const refused = Math.max(0, Math.ceil((refusedUntil - now) / 1000))
      setStatus({
        remaining,
        waitSeconds: Math.max(secondsUntilReset, refused),
        isSuspicious: isSuspicious(localStore, identifier, now),
      })
    }
    check()
    const timer = setInterval(check, isWaiting ? TICK_MS : CHECK_MS)
    return () => clearInterval(timer)
  }, [state, limit, isWaiting])
  return status
}
