import { describe, expect, test, vi } from 'vitest'
import { ProblemError } from '#web/lib/api/mailbox-api.ts'
import { BotCheckError } from '#web/lib/bot-check/bot-check.ts'
import { createMemoryStore } from '#web/lib/browser/storage.ts'
import { allowanceFor, recordAttempt } from '#web/lib/mailbox/generation-limit.ts'
import { createSessionStore } from '#web/lib/mailbox/mailbox-session.ts'
import { MailboxLife, type MailboxLifeDeps, type MailboxNotice } from './mailbox-life.ts'

/** A page, its storage and a server that knows some mailboxes, on one clock that only `pass` moves. */
function openPage(overrides: Partial<MailboxLifeDeps> = {}, store = createMemoryStore()) {
  const clock = { now: 0 }
  const sleepers = new Set<{ at: number; wake: () => void }>()
  const server = new Map<string, number>()
  const notices: MailboxNotice[] = []
  const phases: string[] = []
  let issued = 0
  const read = async (token: string) => {
    const expiresAt = server.get(token)
    if (expiresAt === undefined || expiresAt <= clock.now) throw new ProblemError('mailbox_not_found', { status: 404 })
    return { email: `${token}@mayfly.test`, expiresAt: '', secondsLeft: (expiresAt - clock.now) / 1000, lifetimeSeconds: 600 }
  }
  const sessions = createSessionStore(store, { now: () => clock.now, wall: () => clock.now }, read)
  const life = new MailboxLife({
    sessions,
    now: () => clock.now,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        const sleeper = { at: clock.now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => sleepers.delete(sleeper))
      }),
    create: async () => {
      const token = `t${++issued}`
      server.set(token, clock.now + 600_000)
      return { ...(await read(token)), token }
    },
    read,
    destroy: async token => void server.delete(token),
    owned: async () => [],
    botCheck: async () => 'proof',
    allowance: () => allowanceFor(store, 'me', clock.now),
    recordAttempt: () => recordAttempt(store, 'me', clock.now),
    logRateLimitHit: () => undefined,
    exclusively: task => task(),
    notify: notice => notices.push(notice),
    ...overrides,
  })
  life.subscribe(() => phases.push(life.get().phase))
  /** Moves the clock and lets every sleeper whose time has come wake up, in order. */
  async function pass(ms: number): Promise<void> {
    const until = clock.now + ms
    await settle()
    for (;;) {
      const next = [...sleepers].filter(sleeper => sleeper.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      clock.now = Math.max(clock.now, next.at)
      sleepers.delete(next)
      next.wake()
      await settle()
    }
    clock.now = until
  }
  const leave = new AbortController()
  return {
    life,
    clock,
    server,
    notices,
    phases,
    sessions,
    store,
    pass,
    leave,
    start: (handedOver?: string) => life.start(leave.signal, handedOver),
  }
}

/** A page of an account with these addresses, oldest first; each lives 24 h from when it is told of. */
function openAccount(...tokens: string[]) {
  const account = { isFull: false, page: openPage() }
  const told = (token: string) => ({ email: `${token}@mayfly.test`, token, expiresAt: '', secondsLeft: 86_400, lifetimeSeconds: 86_400 })
  const issued = [...tokens]
  account.page = openPage({
    owned: async () => issued.filter(token => (account.page.server.get(token) ?? 0) > account.page.clock.now).map(told),
    create: async () => {
      if (account.isFull) throw new ProblemError('mailboxes_max', { status: 409 })
      const token = `t${issued.length - tokens.length + 1}`
      issued.push(token)
      account.page.server.set(token, account.page.clock.now + 86_400_000)
      return told(token)
    },
  })
  for (const token of tokens) account.page.server.set(token, account.page.clock.now + 172_800_000)
  return account
}

/** Lets everything run that waits for nothing but its turn. */
function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

describe('the life of an address', () => {
  test('is generated on page load, lives 600 s, is destroyed for 2 s and then expired', async () => {
    const page = openPage()
    await page.start()
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { email: 't1@mayfly.test' } })
    await page.pass(599_999)
    expect(page.life.get().phase).toBe('active')
    await page.pass(1)
    expect(page.life.get().phase).toBe('destroying')
    await page.pass(1999)
    expect(page.life.get().phase).toBe('destroying')
    await page.pass(1)
    expect(page.life.get().phase).toBe('expired')
    expect(page.sessions.get()).toBeUndefined()
    expect(page.notices).toEqual([{ kind: 'expired' }])
    expect(page.phases).toEqual(['generating', 'active', 'destroying', 'expired'])
  })

  test('a page load with a live address keeps it and generates none', async () => {
    const first = openPage()
    await first.start()
    const again = openPage({}, first.store)
    again.server.set('t1', 600_000)
    await again.start()
    expect(again.life.get()).toMatchObject({ phase: 'active', session: { token: 't1' } })
    expect(again.phases).not.toContain('generating')
  })

  test('a page load with an address the server does not know generates a new one', async () => {
    const first = openPage()
    await first.start()
    const again = openPage(
      { create: async () => ({ email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }) },
      first.store,
    )
    await again.start()
    expect(again.life.get()).toMatchObject({ phase: 'active', session: { token: 'n' } })
  })

  test('generating anew destroys the old mailbox on the server and starts at 600 s again', async () => {
    const page = openPage()
    await page.start()
    await page.pass(500_000)
    await page.life.generate()
    expect([...page.server.keys()]).toEqual(['t2'])
    expect(page.notices).toEqual([{ kind: 'generated', lifetimeSeconds: 600 }])
    await page.pass(599_999)
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't2' } })
  })

  test('the sixth attempt within 300 s is refused with the seconds to wait, and the address stays', async () => {
    const page = openPage()
    await page.start()
    for (let i = 0; i < 4; i++) await page.life.generate()
    await page.pass(100_000)
    await page.life.generate()
    expect(page.notices.at(-1)).toEqual({ kind: 'rate_limited', seconds: 200 })
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't5' } })
  })

  test("the server's own limit is told with the server's own seconds", async () => {
    const problem = { type: '', title: '', status: 429, code: 'rate_limited', retryAfterSeconds: 77 } as const
    const page = openPage({ create: () => Promise.reject(new ProblemError('rate_limited', { status: 429, problem })) })
    await page.start()
    expect(page.notices).toEqual([{ kind: 'rate_limited', seconds: 77 }])
    expect(page.life.get().phase).toBe('none')
  })

  test.each(['script', 'token'] as const)(
    'without a bot-check token (%s) generation stops and the old address comes back',
    async failure => {
      let isBroken = false
      const page = openPage({ botCheck: async () => (isBroken ? Promise.reject(new BotCheckError(failure)) : 'proof') })
      await page.start()
      isBroken = true
      await page.life.generate()
      expect(page.notices).toEqual([{ kind: 'bot_check', failure }])
      expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't1' } })
      expect(page.server.has('t1')).toBe(true)
    },
  )

  test('a server that fails leaves no address and one notice', async () => {
    const page = openPage({ create: () => Promise.reject(new ProblemError('internal', { status: 500 })) })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await page.start()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
    expect(page.life.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'failed' }])
  })

  test('deleting destroys it on the server, takes the 2 s and says so', async () => {
    const page = openPage()
    await page.start()
    const removed = page.life.remove()
    await Promise.resolve()
    expect(page.life.get().phase).toBe('destroying')
    await page.pass(2000)
    await removed
    expect(page.server.size).toBe(0)
    expect(page.life.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'deleted' }])
  })

  test('a new address may be asked for while the old one is destroyed, by its end or by hand', async () => {
    const page = openPage()
    await page.start()
    await page.pass(600_500)
    expect(page.life.get().phase).toBe('destroying')
    await page.life.generate()
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't2' } })
    void page.life.remove()
    await page.pass(500)
    expect(page.life.get().phase).toBe('destroying')
    await page.life.generate()
    await page.pass(10_000)
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't3' } })
    expect([...page.server.keys()]).toEqual(['t3'])
  })

  test('an address that somebody else deleted is noticed by the next resync, without a false word of expiry', async () => {
    const page = openPage()
    await page.start()
    page.server.clear()
    await page.life.resync()
    expect(page.life.get().phase).toBe('none')
    expect(page.notices).toEqual([])
  })

  test('after a sleep the server says how much is left', async () => {
    const page = openPage()
    await page.start()
    page.server.set('t1', 5000)
    await page.life.resync()
    await page.pass(5000)
    expect(page.life.get().phase).toBe('destroying')
  })

  test('an inbox handed over by another device is taken up instead of a new one', async () => {
    const page = openPage()
    page.server.set('phone', 300_000)
    await page.start('phone')
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 'phone' } })
    expect(page.notices).toEqual([{ kind: 'handed_over' }])
  })

  test('a hand-over that is too late says so and generates', async () => {
    const page = openPage()
    await page.start('dead')
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't1' } })
    expect(page.notices).toEqual([{ kind: 'hand_over_failed' }])
  })

  test('an account that has addresses opens its newest instead of making one', async () => {
    const account = openAccount('a1', 'a2')
    await account.page.start()
    expect(account.page.life.get()).toMatchObject({ phase: 'active', session: { token: 'a2', lifetimeSeconds: 86_400 } })
    expect(account.page.phases).not.toContain('generating')
  })

  test('when an address of an account is deleted or expires, the next one is shown', async () => {
    const account = openAccount('a1', 'a2', 'a3')
    const { page } = account
    await page.start()
    const removed = page.life.remove()
    await page.pass(2000)
    await removed
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 'a2' } })
    page.server.set('a2', page.clock.now)
    await page.pass(86_400_000)
    await page.pass(2000)
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 'a1' } })
    expect(page.notices).toEqual([{ kind: 'deleted' }, { kind: 'expired' }])
  })

  test('generating anew keeps the address of an account, and says when there are ten', async () => {
    const account = openAccount('a1')
    const { page } = account
    await page.start()
    await page.life.generate()
    expect([...page.server.keys()]).toEqual(['a1', 't1'])
    account.isFull = true
    await page.life.generate()
    expect(page.notices.at(-1)).toEqual({ kind: 'full' })
    expect(page.life.get()).toMatchObject({ phase: 'active', session: { token: 't1' } })
  })

  test('a page that was left does nothing any more', async () => {
    const page = openPage()
    await page.start()
    page.leave.abort()
    await page.pass(700_000)
    expect(page.notices).toEqual([])
    expect(page.life.get().phase).toBe('active')
  })
})
