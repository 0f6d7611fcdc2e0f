import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { listProMailboxes } from '#web/lib/api/account-api.ts'
import { createMailbox, destroyMailbox, readMailbox } from '#web/lib/api/mailbox-api.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { obtainBotCheck } from '#web/lib/bot-check/bot-check.ts'
import { deviceFingerprint } from '#web/lib/bot-check/fingerprint.ts'
import { logSecurityEvent } from '#web/lib/bot-check/security-log.ts'
import { localStore } from '#web/lib/browser/storage.ts'
import { watchWake } from '#web/lib/browser/wake.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { allowanceFor, generationLimit, recordAttempt } from '#web/lib/mailbox/generation-limit.ts'
import { takeHandedOver } from '#web/lib/mailbox/hand-off.ts'
import { sessionStore } from '#web/lib/mailbox/mailbox-session.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { GENERATOR_ID, scrollToSection } from '#web/lib/routing/scroll-to-section.ts'
import { type GenerateOptions, MailboxLife, type MailboxNotice, type MailboxState } from './mailbox-life.ts'
import { noticeToast } from './notices.ts'

export type MailboxControl = {
  state: MailboxState
  generate: (options?: GenerateOptions & { isScrolling?: boolean }) => void
  remove: () => void
  /** Asks the server whether the address is still alive. */
  resync: () => void
}

/** The visitor's address for as long as the component is mounted. Use it once a page and hand the result down. */
export function useMailbox(): MailboxControl {
  const texts = useTexts('mailbox')
  const [notice, setNotice] = useState<MailboxNotice>()
  const { status } = useAuth()
  const isKnown = status !== 'loading'
  const isPro = useRef(false)
  const [life] = useState(() => openLife(setNotice, () => isPro.current))
  const state = useSyncExternalStore(life.subscribe, life.get, () => RESTORING)

  useEffect(() => {
    isPro.current = status === 'signed-in'
  }, [status])

  useEffect(() => {
    // Who is signed in is known a moment after hydration; an address must not be generated for somebody who has one.
    if (!isKnown) return
    const left = new AbortController()
    life.start(left.signal, takeHandedOver()).catch(console.warn)
    watchWake(() => void life.resync(), left.signal)
    return () => left.abort()
  }, [life, isKnown])

  // Said in the language of the page at the moment of saying.
  useEffect(() => {
    if (notice) showToast(noticeToast(notice, texts.notices))
    setNotice(undefined)
  }, [notice, texts])

  const generate = useCallback(
    ({ isScrolling, ...options }: GenerateOptions & { isScrolling?: boolean } = {}) => {
      if (isScrolling) scrollToSection(GENERATOR_ID)
      life.generate(options).catch(console.warn)
    },
    [life],
  )
  const remove = useCallback(() => void life.remove(), [life])
  const resync = useCallback(() => void life.resync(), [life])
  return useMemo(() => ({ state, generate, remove, resync }), [state, generate, remove, resync])
}

const RESTORING: MailboxState = { phase: 'restoring' }

function openLife(notify: (notice: MailboxNotice) => void, isPro: () => boolean): MailboxLife {
  return new MailboxLife({
    sessions: sessionStore,
    now: () => performance.now(),
    sleep,
    create: createMailbox,
    read: readMailbox,
    destroy: destroyMailbox,
    owned: () => (isPro() ? ownedByAccount() : Promise.resolve([])),
    botCheck: () => obtainBotCheck('generate_email'),
    allowance: () => allowanceFor(localStore, deviceFingerprint(), Date.now(), generationLimit(isPro())),
    recordAttempt: () => recordAttempt(localStore, deviceFingerprint(), Date.now(), generationLimit(isPro())),
    logRateLimitHit,
    exclusively,
    notify,
  })
}

/** A session that has ended since, or no answer: then it is as if there were none, and the next address is a visitor's. */
function ownedByAccount(): Promise<readonly MailboxCreated[]> {
  return listProMailboxes().catch(() => [])
}

function logRateLimitHit(): void {
  const details = { action: 'generate_email' }
  logSecurityEvent(localStore, { type: 'rate_limit_hit', timestamp: Date.now(), details, userIdentifier: deviceFingerprint() })
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

/** Two tabs restored at once must not generate twice. Locks are missing on plain-http origins, where the limit still bounds the harm. */
async function exclusively(task: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('mayfly.generate', task)
  else await task()
}
