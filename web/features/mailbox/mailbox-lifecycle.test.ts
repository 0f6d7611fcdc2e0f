import { describe, expect, test, vi } from 'vitest'
import { openAccount, openPage } from '#test/harness/clients/mailbox-page.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError } from '#web/lib/bot-check/bot-check.ts'
import { ADDRESS_KEY, type KeyValue, writeStored } from '#web/lib/browser/storage.ts'
import { UNDO_MS } from '#web/lib/notify/undo.ts'

describe('what another tab does', () => {
  test('is told: a new address, and its deletion', async () => {
    const page = openPage()
    await page.start()
    const other = openPage({}, page.store)
    const adopt = () => page.addresses.adopt(page.store.getItem('mayfly.mailbox'))
    other.addresses.save({ email: 'B@mayfly.test', token: 'B', expiresAt: '', secondsLeft: 900, lifetimeSeconds: 600 }, 0)
    adopt()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'B' } })
    expect(page.notices).toEqual([{ kind: 'replaced_elsewhere' }])
    // A later word about the same address is none.
    adopt()
    other.addresses.clear()
    adopt()
    expect(page.life.state.get().phase).toBe('none')
    expect(page.notices.slice(1)).toEqual([{ kind: 'closed_elsewhere' }])
  })

  test('is not told of what this tab does itself', async () => {
    const page = openPage()
    await page.start()
    page.server.set('B', 900_000)
    page.other.save({ email: 'B@mayfly.test', token: 'B', expiresAt: '', secondsLeft: 900, lifetimeSeconds: 600 }, 0)
    await page.life.switch()
    expect(page.life.state.get()).toMatchObject({ address: { token: 'B' } })
    expect(page.notices).toEqual([])
  })
})

describe('opened without a network', () => {
  test('the page says once that its address comes, and creates it when the network is back', async () => {
    const page = openPage({
      api: { obtainBotCheck: () => (page.network.isDown ? Promise.reject(new ProblemError('network')) : Promise.resolve('proof')) },
    })
    page.network.isDown = true
    await page.start()
    expect(page.life.state.get().phase).toBe('none')
    await page.life.resync()
    await page.pass(60_000)
    expect(page.notices).toEqual([{ kind: 'away' }])
    page.network.isDown = false
    await page.life.resync()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    await page.pass(60_000)
    await page.life.resync()
    expect([...page.server.keys()]).toEqual(['t1'])
  })

  test('a press that fails takes the address and its mail from sight at no time', async () => {
    let isDown = false
    const created = { email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }
    const page = openPage({ api: { create: () => (isDown ? Promise.reject(new ProblemError('network')) : Promise.resolve(created)) } })
    await page.start()
    isDown = true
    const shown: unknown[] = []
    page.life.state.subscribe(() => shown.push([page.life.state.get().phase, page.life.state.get().address?.token]))
    await page.life.generate()
    expect(shown).toEqual([
      ['generating', 'n'],
      ['active', 'n'],
    ])
    expect(page.notices).toEqual([{ kind: 'unreached' }])
  })

  test('an address that ends while a press asks for another is destroyed as at any other end', async () => {
    const answer = Promise.withResolvers<never>()
    let presses = 0
    const created = { email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }
    const page = openPage({ api: { create: () => (presses === 0 ? Promise.resolve(created) : answer.promise) } })
    await page.start()
    await page.pass(590_000)
    presses++
    const pressed = page.life.generate()
    await page.pass(12_000)
    expect(page.phases.slice(1)).toEqual(['active', 'generating', 'destroying', 'expired', 'generating'])
    answer.reject(new ProblemError('network'))
    await pressed
    expect(page.life.state.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'expired' }, { kind: 'unreached' }])
  })

  test('a press still says what is wrong', async () => {
    const page = openPage({ api: { create: () => Promise.reject(new ProblemError('network')) } })
    await page.start()
    await page.life.generate()
    expect(page.notices).toEqual([{ kind: 'away' }, { kind: 'unreached' }])
  })
})

describe('the life of an address', () => {
  test('is generated on page load, lives 600 s, is destroyed for 2 s and then expired', async () => {
    const page = openPage()
    await page.start()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { email: 't1@mayfly.test' } })
    await page.pass(599_999)
    expect(page.life.state.get().phase).toBe('active')
    await page.pass(1)
    expect(page.life.state.get().phase).toBe('destroying')
    await page.pass(1999)
    expect(page.life.state.get().phase).toBe('destroying')
    await page.pass(1)
    expect(page.life.state.get().phase).toBe('expired')
    expect(page.addresses.get()).toBeUndefined()
    expect(page.notices).toEqual([{ kind: 'expired' }])
    expect(page.phases).toEqual(['generating', 'active', 'destroying', 'expired'])
  })

  test('a page load with a live address keeps it and generates none', async () => {
    const first = openPage()
    await first.start()
    const again = openPage({}, first.store)
    again.server.set('t1', 600_000)
    await again.start()
    expect(again.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(again.phases).not.toContain('generating')
  })

  test('a page load with an address unknown to the server generates a new one', async () => {
    const first = openPage()
    await first.start()
    const again = openPage(
      { api: { create: async () => ({ email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }) } },
      first.store,
    )
    await again.start()
    expect(again.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'n' } })
    expect(again.notices).toEqual([{ kind: 'ended' }])
  })

  test.each([
    ['the end is sent and told', 700, [{ kind: 'ended' }]],
    ['is sent only, long afterwards', 7200, []],
  ])('of an address that ended while its page was closed, %s once', async (_, seconds, notices) => {
    const gtag = vi.fn()
    Object.assign(globalThis, { gtag })
    const first = openPage()
    await first.start()
    first.leave.abort()
    const create = async () => ({ email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 })
    const pages = [openPage({ api: { create } }, first.store), openPage({ api: { create } }, first.store)]
    for (const page of pages) {
      page.clock.now = seconds * 1000
      await page.start()
    }
    Reflect.deleteProperty(globalThis, 'gtag')
    expect(pages.flatMap(page => page.notices)).toEqual(notices)
    expect(gtag.mock.calls.filter(([, name]) => name === 'email_expired')).toHaveLength(1)
  })

  test('generating a new one destroys the old mailbox on the server and starts at 600 s again', async () => {
    const page = openPage()
    await page.start()
    await page.pass(500_000)
    await page.life.generate()
    expect(page.notices).toEqual([{ kind: 'generated', lifetimeSeconds: 600 }])
    await page.pass(UNDO_MS)
    expect([...page.server.keys()]).toEqual(['t2'])
    await page.pass(599_999 - UNDO_MS)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't2' } })
  })

  test('the sixth attempt within 300 s is refused with the seconds to wait, and the address stays', async () => {
    const page = openPage()
    await page.start()
    for (let i = 0; i < 4; i++) await page.life.generate()
    await page.pass(100_000)
    await page.life.generate()
    expect(page.notices.at(-1)).toEqual({ kind: 'rate_limited', seconds: 200 })
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't5' } })
  })

  test('a rate limit of the server is shown with the seconds of the server', async () => {
    const problem = { type: '', title: '', status: 429, code: 'rate_limited', retryAfterSeconds: 77 } as const
    const page = openPage({ api: { create: () => Promise.reject(new ProblemError('rate_limited', { status: 429, problem })) } })
    await page.start()
    expect(page.notices).toEqual([{ kind: 'rate_limited', seconds: 77 }])
    expect(page.life.state.get().phase).toBe('none')
  })

  test('the address that comes with the page waits as long as a limit says, and is then created without a press', async () => {
    const problem = { type: '', title: '', status: 429, code: 'rate_limited', retryAfterSeconds: 77 } as const
    const created = { email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }
    let tries = 0
    const create = async () => {
      tries += 1
      if (tries === 1) throw new ProblemError('rate_limited', { status: 429, problem })
      return created
    }
    const page = openPage({ api: { create } })
    await page.start()
    await page.pass(76_999)
    expect(tries).toBe(1)
    await page.pass(1)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'n' } })
    expect(page.notices).toEqual([{ kind: 'rate_limited', seconds: 77 }])
  })

  test('while the server cannot create an address the page says so once, and retries by itself', async () => {
    const problem = { type: '', title: '', status: 503, code: 'unavailable', retryAfterSeconds: 2 } as const
    let isAway = true
    let tries = 0
    const created = { email: 'n@mayfly.test', token: 'n', expiresAt: '', secondsLeft: 600, lifetimeSeconds: 600 }
    const page = openPage({
      api: {
        create: async () => {
          tries += 1
          if (isAway) throw new ProblemError('unavailable', { status: 503, problem })
          return created
        },
      },
    })
    const started = page.start()
    await page.pass(2000)
    await page.pass(4000)
    expect([tries, page.life.state.get().phase]).toEqual([3, 'generating'])
    isAway = false
    await page.pass(6000)
    await started
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'n' } })
    expect(page.notices).toEqual([{ kind: 'away' }])
  })

  test('after two minutes without the server the page stops retrying and says so', async () => {
    const problem = { type: '', title: '', status: 503, code: 'unavailable', retryAfterSeconds: 2 } as const
    const page = openPage({ api: { create: () => Promise.reject(new ProblemError('unavailable', { status: 503, problem })) } })
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const started = page.start()
    for (let i = 0; i < 15; i++) await page.pass(10_000)
    await started
    expect(page.notices).toEqual([{ kind: 'away' }, { kind: 'failed' }])
    expect(page.life.state.get().phase).toBe('none')
    warn.mockRestore()
  })

  test.each(['script', 'token'] as const)(
    'without a bot-check token (%s) no address is asked for and the old address comes back',
    async failure => {
      let isBroken = false
      const page = openPage({ api: { obtainBotCheck: async () => (isBroken ? Promise.reject(new BotCheckError(failure)) : 'proof') } })
      await page.start()
      isBroken = true
      await page.life.generate()
      expect(page.notices).toEqual([{ kind: 'bot_check', failure }])
      expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
      expect(page.server.has('t1')).toBe(true)
    },
  )

  test.each([
    ['a proxy that reaches no server counts as no answer', 'unreadable_reply', 502, 'unreached'],
    ['a server that is busy has answered', 'unavailable', 503, 'failed'],
  ] as const)('%s', async (_, code, status, kind) => {
    const page = openPage({ api: { create: () => Promise.reject(new ProblemError(code, { status })) } })
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await page.start()
    await page.life.generate()
    warn.mockRestore()
    expect(page.notices.at(-1)).toEqual({ kind })
  })

  test('a failing server leaves no address and one notice', async () => {
    const page = openPage({ api: { create: () => Promise.reject(new ProblemError('internal', { status: 500 })) } })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await page.start()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
    expect(page.life.state.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'failed' }])
  })

  test('deleting destroys it on the server, takes 2 s and is announced', async () => {
    const page = openPage()
    await page.start()
    await page.life.deleteAddress()
    expect(page.life.state.get().phase).toBe('deleting')
    await page.pass(UNDO_MS)
    expect(page.life.state.get().phase).toBe('destroying')
    expect(page.server.size).toBe(0)
    await page.pass(2000)
    expect(page.life.state.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'deleting', email: 't1@mayfly.test' }, { kind: 'deleted' }])
  })

  test('a new address can be generated while the old one is being destroyed or deleted', async () => {
    const page = openPage()
    await page.start()
    await page.pass(600_500)
    expect(page.life.state.get().phase).toBe('destroying')
    await page.life.generate()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't2' } })
    await page.life.deleteAddress()
    await page.pass(UNDO_MS + 500)
    expect(page.life.state.get().phase).toBe('destroying')
    await page.life.generate()
    await page.pass(10_000)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't3' } })
    expect([...page.server.keys()]).toEqual(['t3'])
  })

  test('an address deleted elsewhere is noticed by the next check and told, without claiming that it expired', async () => {
    const gtag = vi.fn()
    Object.assign(globalThis, { gtag })
    const page = openPage()
    await page.start()
    page.server.clear()
    await page.life.resync()
    Reflect.deleteProperty(globalThis, 'gtag')
    expect(page.life.state.get().phase).toBe('none')
    expect(page.notices).toEqual([{ kind: 'ended' }])
    expect(gtag.mock.calls.map(([, name]) => name)).not.toContain('email_expired')
  })

  test('after a sleep the server tells the remaining time', async () => {
    const page = openPage()
    await page.start()
    page.server.set('t1', 5000)
    await page.life.resync()
    await page.pass(5000)
    expect(page.life.state.get().phase).toBe('destroying')
  })

  test('an account with addresses opens its newest instead of creating one', async () => {
    const account = openAccount('a1', 'a2')
    await account.page.start()
    expect(account.page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'a2', lifetimeSeconds: 86_400 } })
    expect(account.page.phases).not.toContain('generating')
  })

  describe('an address that is chosen while the automatic one is being created', () => {
    async function chooseMeanwhile() {
      const slow = Promise.withResolvers<string>()
      const page = openPage({ api: { obtainBotCheck: () => slow.promise } })
      const started = page.start()
      await page.pass(0)
      expect(page.life.state.get().phase).toBe('generating')
      page.addresses.save(
        { email: 'ada@mayfly.test', token: 'ada', expiresAt: '', secondsLeft: 86_400, lifetimeSeconds: 86_400, kept: true },
        0,
      )
      return { page, slow, started }
    }

    test('is shown at once and stays, and the automatic one is destroyed', async () => {
      const { page, slow, started } = await chooseMeanwhile()
      expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'ada' } })
      slow.resolve('proof')
      await started
      expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'ada' } })
      expect(page.phases).toEqual(['generating', 'active'])
      expect(page.server.size).toBe(0)
    })

    test('can be deleted meanwhile; the automatic one takes its place then', async () => {
      const { page, slow, started } = await chooseMeanwhile()
      await page.life.deleteAddress()
      await page.pass(UNDO_MS + 2000)
      expect(page.life.state.get().phase).toBe('none')
      slow.resolve('proof')
      await started
      expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    })

    test('hears nothing of a failure of the automatic one', async () => {
      const { page, slow, started } = await chooseMeanwhile()
      slow.reject(new ProblemError('network'))
      await started
      expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'ada' } })
      expect(page.notices).toEqual([])
    })
  })

  test('when an address of an account is deleted or expires, the next one is shown', async () => {
    const account = openAccount('a1', 'a2', 'a3')
    const { page } = account
    await page.start()
    await page.life.deleteAddress()
    await page.pass(UNDO_MS + 2000)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'a2' } })
    page.server.set('a2', page.clock.now)
    await page.pass(86_400_000)
    await page.pass(2000)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'a1' } })
    expect(page.notices.map(notice => notice.kind)).toEqual(['deleting', 'deleted', 'expired'])
  })

  test("generating a new one destroys a visitor's address that lives for seven days", async () => {
    const week = { email: 'week@mayfly.test', token: 'week', expiresAt: '', secondsLeft: 604_800, lifetimeSeconds: 604_800 }
    const page = openPage()
    page.server.set('week', 604_800_000)
    page.addresses.save(week, 0)
    await page.start()
    await page.life.generate()
    await page.pass(UNDO_MS)
    expect([...page.server.keys()]).toEqual(['t1'])
  })

  test('generating a new one keeps the address that a link brought, which its sender still has', async () => {
    const page = openPage()
    page.server.set('phone', 600_000)
    await page.start('phone')
    page.life.answer(true)
    await page.life.generate()
    await page.pass(UNDO_MS)
    expect([...page.server.keys()]).toEqual(['phone', 't1'])
  })

  test('generating a new one keeps the address of an account, and reports when there are ten', async () => {
    const account = openAccount('a1')
    const { page } = account
    await page.start()
    await page.life.generate()
    await page.pass(UNDO_MS)
    expect([...page.server.keys()]).toEqual(['a1', 't1'])
    account.isFull = true
    await page.life.generate()
    expect(page.notices.at(-1)).toEqual({ kind: 'full' })
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
  })

  test('a page that was left does nothing more', async () => {
    const page = openPage()
    await page.start()
    page.leave.abort()
    await page.pass(700_000)
    expect(page.notices).toEqual([])
    expect(page.life.state.get().phase).toBe('active')
  })
})

describe('an address requested before the application has loaded', () => {
  const early = (store: KeyValue) =>
    writeStored(store, ADDRESS_KEY, {
      email: 'early@mayfly.test',
      token: 'early',
      expiresAt: '',
      lifetimeSeconds: 600,
      secondsLeft: 600,
      savedAt: 0,
    })

  test('is awaited and shown, and no other is created', async () => {
    const first = Promise.withResolvers<boolean>()
    const page = openPage({ api: { takeFirstAddress: () => first.promise } })
    const started = page.start()
    expect(page.life.state.get().phase).toBe('generating')
    early(page.store)
    first.resolve(true)
    await started
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { email: 'early@mayfly.test', isConfirmed: true } })
    expect(page.server.size).toBe(0)
  })

  test('is requested again if that failed, with the reason', async () => {
    const page = openPage({ api: { takeFirstAddress: async () => false } })
    await page.start()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
  })
})
