/**
 * The life of the visitor's address as one state machine (spec 4.01–4.06): none → generating → active → destroying → expired.
 * Knows no React and shows nothing: what there is to say goes out as a notice.
 */
import { DESTROYING_MS, GENERATION_LIMIT, PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { track } from '#web/lib/analytics.ts'
import { ProblemError } from '#web/lib/api.ts'
import { BotCheckError, type BotCheckFailure, botCheckRefused } from '#web/lib/bot-check.ts'
import type { Allowance } from '#web/lib/generation-limit.ts'
import type { MailboxSession, SessionStore } from '#web/lib/session.ts'

export type MailboxState =
  /** Before the page knows whether an address is still alive. */
  | { readonly phase: 'restoring' | 'none' | 'generating' | 'expired'; readonly session?: undefined }
  | { readonly phase: 'active' | 'destroying'; readonly session: MailboxSession }

export type MailboxNotice =
  | { readonly kind: 'generated'; readonly lifetimeSeconds: number }
  | { readonly kind: 'deleted' | 'expired' | 'failed' | 'full' | 'handed_over' | 'hand_over_failed' }
  | { readonly kind: 'bot_check'; readonly failure: BotCheckFailure }
  | { readonly kind: 'rate_limited'; readonly seconds: number }

export type MailboxLifeDeps = {
  readonly sessions: SessionStore
  now: () => number
  /** Resolves after `ms`, or never once `signal` is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  create: (request: { botCheck?: string; domain?: string }) => Promise<MailboxCreated>
  read: (token: string) => Promise<Mailbox>
  destroy: (token: string) => Promise<void>
  /** The live addresses of the signed-in account, oldest first; none for a visitor. Never rejects. */
  owned: () => Promise<readonly MailboxCreated[]>
  botCheck: () => Promise<string | undefined>
  allowance: () => Allowance
  recordAttempt: () => Allowance
  logRateLimitHit: () => void
  /** Runs `task` while no other tab of this browser runs one. */
  exclusively: (task: () => Promise<void>) => Promise<void>
  notify: (notice: MailboxNotice) => void
}

export type GenerateOptions = {
  domain?: string | undefined
  /** On page load: says nothing when an address is alive already. */
  isAutomatic?: boolean
}

export type MailboxLife = {
  get(): MailboxState
  subscribe(listener: () => void): () => void
  /** Takes up the address that is alive, or the handed-over one, else generates one. Runs until `signal` aborts. */
  start(signal: AbortSignal, handedOver?: string): Promise<void>
  generate(options?: GenerateOptions): Promise<void>
  remove(): Promise<void>
  /** Asks the server how much time is left: after sleep, after a stream said "expired". */
  resync(): Promise<void>
}

export function createMailboxLife(deps: MailboxLifeDeps): MailboxLife {
  const { sessions } = deps
  const listeners = new Set<() => void>()
  let state: MailboxState = { phase: 'restoring' }
  let life = new AbortController().signal
  let clock = new AbortController()
  let isBusy = false

  function set(next: MailboxState): void {
    state = next
    for (const listener of listeners) listener()
  }

  /** Shows `session` and counts down to its end. */
  function live(session: MailboxSession): void {
    clock.abort()
    clock = new AbortController()
    set({ phase: 'active', session })
    countDown(session, AbortSignal.any([life, clock.signal])).catch(reportError)
  }

  async function countDown(session: MailboxSession, signal: AbortSignal): Promise<void> {
    await deps.sleep(Math.max(0, session.deadlineMs - deps.now()), signal)
    await expire(session, signal)
  }

  async function expire(session: MailboxSession, signal: AbortSignal): Promise<void> {
    set({ phase: 'destroying', session })
    await deps.sleep(DESTROYING_MS, signal)
    set({ phase: 'expired' })
    if (sessions.get()?.token === session.token) sessions.clear()
    deps.notify({ kind: 'expired' })
    track('email_expired')
    await moveOn(session.token)
  }

  /** Another tab generated, deleted or let expire; or a resync moved the deadline. */
  function onSession(): void {
    const session = sessions.get()
    if (isBusy || life.aborted) return
    if (session) live(session)
    else if (state.phase === 'active') {
      clock.abort()
      // The server forgets at the same instant as we do: a few milliseconds early is still an expiry, not a deletion.
      if (state.session.deadlineMs - deps.now() > DESTROYING_MS) {
        const { token } = state.session
        set({ phase: 'none' })
        moveOn(token).catch(reportError)
      } else {
        clock = new AbortController()
        expire(state.session, AbortSignal.any([life, clock.signal])).catch(reportError)
      }
    }
  }

  async function start(signal: AbortSignal, handedOver?: string): Promise<void> {
    life = signal
    const unsubscribe = sessions.subscribe(onSession)
    signal.addEventListener('abort', unsubscribe, { once: true })
    if (handedOver !== undefined && (await takeOver(handedOver))) return
    await deps.exclusively(async () => {
      if (!signal.aborted && !(await restore()) && !(await moveOn())) await generateNow({ isAutomatic: true })
    })
  }

  /** `true` when an address is alive and shown. */
  async function restore(): Promise<boolean> {
    // While we waited for our turn another tab may have generated one.
    if (!sessions.get()) sessions.refresh()
    const session = sessions.get()
    if (!session) return false
    if (session.deadlineMs > deps.now()) live(session)
    if (session.isConfirmed && session.deadlineMs > deps.now()) return true
    const answer = await sessions.resync()
    if (answer === 'unknown' && session.deadlineMs <= deps.now()) sessions.clear()
    return sessions.get() !== undefined
  }

  /** An account holds several addresses (decision 6): its newest takes the place of the one that is `gone`. `true` when there was one. */
  async function moveOn(gone?: string): Promise<boolean> {
    const askedAtMs = deps.now()
    const next = (await deps.owned()).findLast(mailbox => mailbox.token !== gone)
    if (!next || life.aborted || isBusy || sessions.get()) return false
    sessions.save(next, askedAtMs)
    return true
  }

  async function takeOver(token: string): Promise<boolean> {
    const askedAtMs = deps.now()
    try {
      sessions.save({ ...(await deps.read(token)), token }, askedAtMs)
      deps.notify({ kind: 'handed_over' })
      return true
    } catch {
      deps.notify({ kind: 'hand_over_failed' })
      return false
    }
  }

  async function generate(options: GenerateOptions = {}): Promise<void> {
    await deps.exclusively(() => generateNow(options))
  }

  async function generateNow(options: GenerateOptions): Promise<void> {
    if (isBusy) return
    const { remaining, secondsUntilReset } = deps.allowance()
    if (remaining === 0) {
      refuse(secondsUntilReset)
      if (state.phase === 'restoring') set({ phase: 'none' })
      return
    }
    const previous = sessions.get()
    isBusy = true
    clock.abort()
    set({ phase: 'generating' })
    deps.recordAttempt()
    try {
      await replace(previous, options)
    } catch (error) {
      explain(error)
    } finally {
      isBusy = false
      const session = sessions.get()
      if (session) live(session)
      else set({ phase: 'none' })
    }
  }

  async function replace(previous: MailboxSession | undefined, options: GenerateOptions): Promise<void> {
    const botCheck = await deps.botCheck()
    const askedAtMs = deps.now()
    const request = { ...(botCheck !== undefined && { botCheck }), ...(options.domain !== undefined && { domain: options.domain }) }
    const created = await deps.create(request)
    sessions.save(created, askedAtMs)
    if (!options.isAutomatic) deps.notify({ kind: 'generated', lifetimeSeconds: created.lifetimeSeconds })
    track('email_generated')
    // Decision 5. Should this fail, the old mailbox still dies at its own hour, and nobody holds its token any more.
    // An address of an account stays, beside the new one, in its list (decision 6).
    if (previous && previous.lifetimeSeconds < PRO_LIFETIME_SECONDS) deps.destroy(previous.token).catch(reportError)
  }

  function refuse(seconds: number): void {
    deps.logRateLimitHit()
    deps.notify({ kind: 'rate_limited', seconds })
  }

  function explain(error: unknown): void {
    if (error instanceof BotCheckError) deps.notify({ kind: 'bot_check', failure: error.failure })
    else if (error instanceof ProblemError && error.code === 'bot_check_failed') {
      deps.notify({ kind: 'bot_check', failure: botCheckRefused('generate_email').failure })
    } else if (error instanceof ProblemError && error.code === 'rate_limited') {
      refuse(error.retryAfterSeconds ?? GENERATION_LIMIT.windowSeconds)
    } else if (error instanceof ProblemError && error.code === 'mailboxes_max') {
      deps.notify({ kind: 'full' })
    } else {
      reportError(error)
      deps.notify({ kind: 'failed' })
    }
  }

  async function remove(): Promise<void> {
    const session = sessions.get()
    if (!session || isBusy || state.phase !== 'active') return
    isBusy = true
    clock.abort()
    set({ phase: 'destroying', session })
    try {
      await deps.destroy(session.token).catch(ignoreGone)
      sessions.clear()
      track('email_deleted')
    } catch (error) {
      reportError(error)
      deps.notify({ kind: 'failed' })
      live(session)
      return
    } finally {
      isBusy = false
    }
    // A new address may be asked for at any time, also now (spec 4.05): it ends the wait.
    clock = new AbortController()
    await deps.sleep(DESTROYING_MS, AbortSignal.any([life, clock.signal]))
    set({ phase: 'none' })
    deps.notify({ kind: 'deleted' })
    await moveOn(session.token)
  }

  async function resync(): Promise<void> {
    if (state.phase === 'active' && !isBusy) await sessions.resync()
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start,
    generate,
    remove,
    resync,
  }
}

/** A mailbox that is gone already is as good as destroyed. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ProblemError && error.code === 'mailbox_not_found')) throw error
}

/** Spec 8.04, 8.14: logged only. */
function reportError(error: unknown): void {
  console.warn(error)
}
