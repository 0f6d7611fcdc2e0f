import { describe, expect, test, vi } from 'vitest'
import { openPage } from '#test/harness/clients/mailbox-page.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError } from '#web/lib/bot-check/bot-check.ts'
import { allowanceFor } from '#web/lib/mailbox/new-address-limit.ts'
import { UNDO_MS } from '#web/lib/notify/undo.ts'

describe('undoing', () => {
  test('a new address restores the old one with its time, and destroys the new one', async () => {
    const page = openPage()
    await page.start()
    await page.pass(100_000)
    await page.life.generate()
    await page.pass(UNDO_MS - 1)
    page.undo.latest?.undo()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1', deadlineMs: 600_000 } })
    await page.pass(10_000)
    expect([...page.server.keys()]).toEqual(['t1'])
    const reloaded = openPage({}, page.store)
    expect(reloaded.addresses.get()?.token).toBe('t1')
  })

  test('a deletion keeps the address, and the server is not told', async () => {
    const page = openPage()
    await page.start()
    await page.life.deleteAddress()
    await page.pass(UNDO_MS - 1)
    page.undo.latest?.undo()
    await page.pass(10_000)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.server.has('t1')).toBe(true)
  })

  test.each([
    ['a deletion', (page: ReturnType<typeof openPage>) => page.life.deleteAddress(), []],
    ['a new address', (page: ReturnType<typeof openPage>) => page.life.generate(), ['t2']],
  ] as const)('leaving the page carries out %s at once', async (_, act, left) => {
    const page = openPage()
    await page.start()
    await act(page)
    expect(page.server.has('t1')).toBe(true)
    page.leave.abort()
    expect([...page.server.keys()]).toEqual(left)
    expect(page.addresses.get()?.token).toBe(left[0])
  })

  test('a new address is no longer possible after the next one', async () => {
    const page = openPage()
    await page.start()
    await page.life.generate()
    await page.life.generate()
    expect([...page.server.keys()]).toEqual(['t2', 't3'])
    page.undo.latest?.undo()
    expect([...page.server.keys()]).toEqual(['t2'])
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't2' } })
  })

  test('a deletion is no longer possible when another address was opened, which stays open', async () => {
    const page = openPage()
    await page.start()
    page.server.set('B', 900_000)
    page.other.save({ email: 'B@mayfly.test', token: 'B', expiresAt: '', secondsLeft: 900, lifetimeSeconds: 600 }, 0)
    await page.life.deleteAddress()
    await page.life.switch()
    await page.pass(UNDO_MS + 10_000)
    expect([...page.server.keys()]).toEqual(['B'])
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'B' } })
    expect(page.addresses.get()?.token).toBe('B')
  })

  test('an address that another tab saved meanwhile survives the deletion of the one before', async () => {
    const page = openPage()
    await page.start()
    await page.life.deleteAddress()
    page.server.set('B', 900_000)
    page.addresses.save({ email: 'B@mayfly.test', token: 'B', expiresAt: '', secondsLeft: 900, lifetimeSeconds: 600 }, 0)
    await page.pass(UNDO_MS + 10_000)
    expect([...page.server.keys()]).toEqual(['B'])
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'B' } })
  })

  test.each([
    ['while its toast is held', 0],
    ['when the machine has slept', 3_600_000],
  ])('nothing is restored after its end %s: the previous address', async (_, asleepMs) => {
    const page = openPage()
    await page.start()
    page.undo.isHeld = true
    await page.pass(590_000)
    await page.life.generate()
    await page.pass(asleepMs === 0 ? 10_000 : 1000)
    page.clock.asleepMs = asleepMs
    page.undo.latest?.undo()
    await page.pass(1)
    expect(page.notices.map(({ kind }) => kind)).toEqual(['generated', 'ended'])
    expect(page.server.has('t2')).toBe(true)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't2' } })
    expect(page.addresses.get()?.token).toBe('t2')
  })

  test.each([
    ['while its toast is held', 0],
    ['when the machine has slept', 3_600_000],
  ])('nothing is restored after its end %s: a deleted address', async (_, asleepMs) => {
    const page = openPage()
    await page.start()
    page.undo.isHeld = true
    await page.pass(590_000)
    await page.life.deleteAddress()
    await page.pass(asleepMs === 0 ? 10_000 : 1000)
    page.clock.asleepMs = asleepMs
    page.undo.latest?.undo()
    await page.pass(1)
    expect(page.life.state.get()).toMatchObject({ phase: 'destroying', cause: 'deleted', address: { token: 't1' } })
    expect(page.phases.filter(phase => phase === 'active')).toHaveLength(1)
    expect(page.addresses.get()).toBeUndefined()
  })

  test('a failed deletion is reported, and the address is shown again', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = openPage()
    await page.start()
    page.network.isDown = true
    await page.life.deleteAddress()
    await page.pass(UNDO_MS)
    expect(page.notices.at(-1)).toEqual({ kind: 'delete_failed' })
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.addresses.get()?.token).toBe('t1')
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('clicks while an address is being created are ignored, not queued', async () => {
    const page = openPage()
    await page.start()
    await Promise.all([page.life.generate(), page.life.generate(), page.life.generate()])
    expect(page.life.state.get()).toMatchObject({ address: { token: 't2' } })
  })
})

describe('attempts', () => {
  test.each([
    ['no network', { create: () => Promise.reject(new ProblemError('network')) }],
    ['a bot check without a token', { obtainBotCheck: () => Promise.reject(new BotCheckError('token')) }],
  ] as const)('%s uses up none', async (_, api) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = openPage({ api })
    await page.start()
    for (let i = 0; i < 6; i++) await page.life.generate()
    expect(allowanceFor(page.store, 'me', page.clock.now).remaining).toBe(5)
    expect(page.notices.map(notice => notice.kind)).not.toContain('rate_limited')
    warn.mockRestore()
  })
})

describe('expiry', () => {
  test('after a sleep shows destroyed, then expired, with its notice', async () => {
    const page = openPage()
    await page.start()
    // While a machine sleeps, `performance.now()` stops on most systems. The wall clock and the server do not.
    page.clock.asleepMs = 3_600_000
    await page.life.resync()
    expect(page.life.state.get().phase).toBe('destroying')
    await page.pass(2000)
    expect(page.life.state.get().phase).toBe('expired')
    expect(page.notices).toEqual([{ kind: 'expired' }])
  })

  test('after a sleep without a network does the same', async () => {
    const page = openPage()
    await page.start()
    page.clock.asleepMs = 3_600_000
    page.network.isDown = true
    await page.life.resync()
    expect(page.life.state.get().phase).toBe('destroying')
  })

  test('is sent to an analytics function once, whatever the number of tabs', async () => {
    const gtag = vi.fn()
    Reflect.set(globalThis, 'gtag', gtag)
    const first = openPage()
    await first.start()
    const second = openPage({}, first.store)
    second.server.set('t1', 600_000)
    await second.start()
    await Promise.all([first.pass(602_000), second.pass(602_000)])
    Reflect.deleteProperty(globalThis, 'gtag')
    expect(first.notices).toEqual([{ kind: 'expired' }])
    expect(second.notices).toEqual([{ kind: 'expired' }])
    expect(gtag.mock.calls.filter(([, name]) => name === 'email_expired')).toHaveLength(1)
  })
})

describe('a hand-off link', () => {
  test('from another device asks, and then opens its inbox instead of a new one', async () => {
    const page = openPage()
    page.server.set('phone', 300_000)
    await page.start('phone')
    expect([page.life.state.get().phase, page.addresses.get()]).toEqual(['none', undefined])
    expect(page.life.question.get()).toMatchObject({ email: 'phone@mayfly.test' })
    page.life.answer(true)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'phone' } })
    expect(page.notices).toEqual([{ kind: 'handed_over' }])
  })

  test("that is a stranger's leaves the visitor with a new address, and is never shown later", async () => {
    const page = openPage()
    page.server.set('stranger', 900_000)
    await page.start('stranger')
    page.life.answer(false)
    await page.pass(0)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.other.get()).toBeUndefined()
    await page.pass(602_000)
    expect(page.life.state.get().phase).toBe('expired')
  })

  test('whose inbox ends before the answer says so, and a new address is generated', async () => {
    const page = openPage()
    page.server.set('phone', 5000)
    await page.start('phone')
    await page.pass(6000)
    page.life.answer(true)
    await page.pass(0)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.notices).toEqual([{ kind: 'hand_over_failed' }])
  })

  test('that is too late says so, and an address is generated', async () => {
    const page = openPage()
    await page.start('dead')
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.notices).toEqual([{ kind: 'hand_over_failed' }])
  })

  test('that was cut off says so too, without asking the server', async () => {
    const read = vi.fn()
    const page = openPage({ api: { read } })
    await page.start('')
    expect(read).not.toHaveBeenCalled()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.notices).toEqual([{ kind: 'hand_over_failed' }])
  })

  test('that is followed again asks again while another address is shown', async () => {
    const page = openPage()
    await page.start()
    page.server.set('phone', 900_000)
    await page.life.openLink('phone')
    page.life.answer(false)
    expect(await page.life.openLink('phone')).toBe('asked')
    page.life.answer(true)
    expect([page.addresses.get()?.token, page.other.get()?.token]).toEqual(['phone', 't1'])
    expect(page.notices).toEqual([])
  })

  test('asks when there is a live address, and loses neither', async () => {
    const first = openPage()
    await first.start()
    const page = openPage({}, first.store)
    page.server.set('t1', 600_000).set('phone', 300_000)
    await page.start('phone')
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.life.question.get()).toMatchObject({ email: 'phone@mayfly.test' })
    page.life.answer(true)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'phone' } })
    expect(page.other.get()?.token).toBe('t1')
    await page.life.switch()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    expect(page.other.get()?.token).toBe('phone')
    expect([...page.server.keys()]).toEqual(['t1', 'phone'])
  })

  test('that was opened beside another address is shown again when that one expires', async () => {
    const page = openPage()
    await page.start()
    page.server.set('phone', 900_000)
    await page.life.openLink('phone')
    page.life.answer(true)
    await page.life.switch()
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 't1' } })
    await page.pass(602_000)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'phone' } })
    expect(page.other.get()).toBeUndefined()
  })

  test('to a third address is refused, and the two are kept', async () => {
    const page = openPage()
    await page.start()
    page.server.set('B', 400_000).set('C', 900_000)
    await page.life.openLink('B')
    page.life.answer(true)
    await page.life.switch()
    expect(await page.life.openLink('C')).toBe('refused')
    expect(page.notices).toEqual([{ kind: 'hand_over_refused' }])
    expect(page.life.question.get()).toBeUndefined()
    expect([page.addresses.get()?.token, page.other.get()?.token]).toEqual(['t1', 'B'])
    await page.pass(500_000)
    expect(await page.life.openLink('C')).toBe('asked')
  })

  test('keeps its token until the answer, with the remaining time at that moment', async () => {
    const forgetLinkToken = vi.fn()
    const page = openPage({ storage: { forgetLinkToken } })
    await page.start()
    page.server.set('phone', 900_000)
    await page.life.openLink('phone')
    await page.pass(10_000)
    expect(await page.life.openLink('phone')).toBe('asked')
    expect(forgetLinkToken).not.toHaveBeenCalled()
    page.life.answer(true)
    expect(forgetLinkToken).toHaveBeenCalledOnce()
    expect(page.addresses.get()?.deadlineMs).toBe(900_000)
  })

  test('that waits for an answer still asks when the present address is deleted', async () => {
    const page = openPage()
    await page.start()
    page.server.set('phone', 900_000)
    await page.life.deleteAddress()
    await page.life.openLink('phone')
    await page.pass(UNDO_MS + 2000)
    expect(page.life.state.get().phase).toBe('none')
    page.life.answer(true)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'phone', deadlineMs: 900_000 } })
  })

  test('keeps its token while the server is unreachable, and says so once', async () => {
    const forgetLinkToken = vi.fn()
    const page = openPage({ storage: { forgetLinkToken } })
    page.server.set('phone', 300_000)
    page.network.isDown = true
    await page.start('phone')
    await page.life.openLink('phone')
    expect(page.notices).toEqual([{ kind: 'hand_over_unreachable' }])
    expect(page.life.state.get().phase).toBe('none')
    expect(forgetLinkToken).not.toHaveBeenCalled()
    page.network.isDown = false
    await page.life.openLink('phone')
    page.life.answer(true)
    expect(page.life.state.get()).toMatchObject({ phase: 'active', address: { token: 'phone' } })
    expect(forgetLinkToken).toHaveBeenCalledOnce()
  })
})
