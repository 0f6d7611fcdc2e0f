/**
 * The life of the visitor's address as one state machine: none → generating → active → destroying → expired.
 * Knows no React and shows nothing: what there is to say goes out as a notice.
 */
import { DESTROYING_MS, GENERATION_LIMIT, PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { ProblemError } from '#web/lib/api/mailbox-api.ts'
import { BotCheckError, type BotCheckFailure, botCheckRefused } from '#web/lib/bot-check/bot-check.ts'
import { track } from '#web/lib/browser/analytics.ts'
import type { Allowance } from '#web/lib/mailbox/generation-limit.ts'
import type { MailboxSession, SessionStore } from '#web/lib/mailbox/mailbox-session.ts'

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

/** Handed to React: `get` and `subscribe` may be passed on alone. */
export class MailboxLife {
  readonly #deps: MailboxLifeDeps
  readonly #listeners = new Set<() => void>()
  #state: MailboxState = { phase: 'restoring' }
  #life = new AbortController().signal
  #clock = new AbortController()
  #isBusy = false

  constructor(deps: MailboxLifeDeps) {
    this.#deps = deps
  }

  readonly get = (): MailboxState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #set(next: MailboxState): void {
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  /** Shows `session` and counts down to its end. */
  #live(session: MailboxSession): void {
    this.#clock.abort()
    this.#clock = new AbortController()
    this.#set({ phase: 'active', session })
    this.#countDown(session, AbortSignal.any([this.#life, this.#clock.signal])).catch(reportError)
  }

  async #countDown(session: MailboxSession, signal: AbortSignal): Promise<void> {
    await this.#deps.sleep(Math.max(0, session.deadlineMs - this.#deps.now()), signal)
    await this.#expire(session, signal)
  }

  async #expire(session: MailboxSession, signal: AbortSignal): Promise<void> {
    this.#set({ phase: 'destroying', session })
    await this.#deps.sleep(DESTROYING_MS, signal)
    this.#set({ phase: 'expired' })
    if (this.#deps.sessions.get()?.token === session.token) this.#deps.sessions.clear()
    this.#deps.notify({ kind: 'expired' })
    track('email_expired')
    await this.#moveOn(session.token)
  }

  /** Another tab generated, deleted or let expire; or a resync moved the deadline. */
  #onSession(): void {
    const session = this.#deps.sessions.get()
    if (this.#isBusy || this.#life.aborted) return
    if (session) this.#live(session)
    else if (this.#state.phase === 'active') {
      this.#clock.abort()
      // The server forgets at the same instant as we do: a few milliseconds early is still an expiry, not a deletion.
      if (this.#state.session.deadlineMs - this.#deps.now() > DESTROYING_MS) {
        const { token } = this.#state.session
        this.#set({ phase: 'none' })
        this.#moveOn(token).catch(reportError)
      } else {
        this.#clock = new AbortController()
        this.#expire(this.#state.session, AbortSignal.any([this.#life, this.#clock.signal])).catch(reportError)
      }
    }
  }

  /** Takes up the address that is alive, or the handed-over one, else generates one. Runs until `signal` aborts. */
  async start(signal: AbortSignal, handedOver?: string): Promise<void> {
    this.#life = signal
    const unsubscribe = this.#deps.sessions.subscribe(() => this.#onSession())
    signal.addEventListener('abort', unsubscribe, { once: true })
    if (handedOver !== undefined && (await this.#takeOver(handedOver))) return
    await this.#deps.exclusively(async () => {
      if (!signal.aborted && !(await this.#restore()) && !(await this.#moveOn())) await this.#generateNow({ isAutomatic: true })
    })
  }

  /** `true` when an address is alive and shown. */
  async #restore(): Promise<boolean> {
    // While we waited for our turn another tab may have generated one.
    if (!this.#deps.sessions.get()) this.#deps.sessions.refresh()
    const session = this.#deps.sessions.get()
    if (!session) return false
    if (session.deadlineMs > this.#deps.now()) this.#live(session)
    if (session.isConfirmed && session.deadlineMs > this.#deps.now()) return true
    const answer = await this.#deps.sessions.resync()
    if (answer === 'unknown' && session.deadlineMs <= this.#deps.now()) this.#deps.sessions.clear()
    return this.#deps.sessions.get() !== undefined
  }

  /** An account holds several addresses: its newest takes the place of the one that is `gone`. `true` when there was one. */
  async #moveOn(gone?: string): Promise<boolean> {
    const askedAtMs = this.#deps.now()
    const next = (await this.#deps.owned()).findLast(mailbox => mailbox.token !== gone)
    if (!next || this.#life.aborted || this.#isBusy || this.#deps.sessions.get()) return false
    this.#deps.sessions.save(next, askedAtMs)
    return true
  }

  async #takeOver(token: string): Promise<boolean> {
    const askedAtMs = this.#deps.now()
    try {
      this.#deps.sessions.save({ ...(await this.#deps.read(token)), token }, askedAtMs)
      this.#deps.notify({ kind: 'handed_over' })
      return true
    } catch {
      this.#deps.notify({ kind: 'hand_over_failed' })
      return false
    }
  }

  async generate(options: GenerateOptions = {}): Promise<void> {
    await this.#deps.exclusively(() => this.#generateNow(options))
  }

  async #generateNow(options: GenerateOptions): Promise<void> {
    if (this.#isBusy) return
    const { remaining, secondsUntilReset } = this.#deps.allowance()
    if (remaining === 0) {
      this.#refuse(secondsUntilReset)
      if (this.#state.phase === 'restoring') this.#set({ phase: 'none' })
      return
    }
    const previous = this.#deps.sessions.get()
    this.#isBusy = true
    this.#clock.abort()
    this.#set({ phase: 'generating' })
    this.#deps.recordAttempt()
    try {
      await this.#replace(previous, options)
    } catch (error) {
      this.#explain(error)
    } finally {
      this.#isBusy = false
      const session = this.#deps.sessions.get()
      if (session) this.#live(session)
      else this.#set({ phase: 'none' })
    }
  }

  async #replace(previous: MailboxSession | undefined, options: GenerateOptions): Promise<void> {
    const botCheck = await this.#deps.botCheck()
    const askedAtMs = this.#deps.now()
    const request = { ...(botCheck !== undefined && { botCheck }), ...(options.domain !== undefined && { domain: options.domain }) }
    const created = await this.#deps.create(request)
    this.#deps.sessions.save(created, askedAtMs)
    if (!options.isAutomatic) this.#deps.notify({ kind: 'generated', lifetimeSeconds: created.lifetimeSeconds })
    track('email_generated')
    // Decision 5. Should this fail, the old mailbox still dies at its own hour, and nobody holds its token any more.
    // An address of an account stays, beside the new one, in its list.
    if (previous && previous.lifetimeSeconds < PRO_LIFETIME_SECONDS) this.#deps.destroy(previous.token).catch(reportError)
  }

  #refuse(seconds: number): void {
    this.#deps.logRateLimitHit()
    this.#deps.notify({ kind: 'rate_limited', seconds })
  }

  #explain(error: unknown): void {
    if (error instanceof BotCheckError) this.#deps.notify({ kind: 'bot_check', failure: error.failure })
    else if (error instanceof ProblemError && error.code === 'bot_check_failed') {
      this.#deps.notify({ kind: 'bot_check', failure: botCheckRefused('generate_email').failure })
    } else if (error instanceof ProblemError && error.code === 'rate_limited') {
      this.#refuse(error.retryAfterSeconds ?? GENERATION_LIMIT.windowSeconds)
    } else if (error instanceof ProblemError && error.code === 'mailboxes_max') {
      this.#deps.notify({ kind: 'full' })
    } else {
      reportError(error)
      this.#deps.notify({ kind: 'failed' })
    }
  }

  async remove(): Promise<void> {
    const session = this.#deps.sessions.get()
    if (!session || this.#isBusy || this.#state.phase !== 'active') return
    this.#isBusy = true
    this.#clock.abort()
    this.#set({ phase: 'destroying', session })
    try {
      await this.#deps.destroy(session.token).catch(ignoreGone)
      this.#deps.sessions.clear()
      track('email_deleted')
    } catch (error) {
      reportError(error)
      this.#deps.notify({ kind: 'failed' })
      this.#live(session)
      return
    } finally {
      this.#isBusy = false
    }
    // A new address may be asked for at any time, also now: it ends the wait.
    this.#clock = new AbortController()
    await this.#deps.sleep(DESTROYING_MS, AbortSignal.any([this.#life, this.#clock.signal]))
    this.#set({ phase: 'none' })
    this.#deps.notify({ kind: 'deleted' })
    await this.#moveOn(session.token)
  }

  /** Asks the server how much time is left: after sleep, after a stream said "expired". */
  async resync(): Promise<void> {
    if (this.#state.phase === 'active' && !this.#isBusy) await this.#deps.sessions.resync()
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
