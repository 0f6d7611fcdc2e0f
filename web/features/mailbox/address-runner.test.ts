/** The page from its opening to the end of its address. What each event changes is in `address-machine.test.ts`. */
import { describe, expect, test, vi } from 'vitest'
import { openPage } from '#test/harness/clients/mailbox-page.ts'
import { ADDRESS_KEY, writeStored } from '#web/lib/browser/storage.ts'
import { UNDO_MS } from '#web/lib/notify/undo.ts'

const GENERATE = { type: 'generate' } as const
const DELETE = { type: 'delete' } as const
const mailbox = (token: string, secondsLeft: number) => ({
  email: `${token}@mayfly.test`,
  token,
  expiresAt: '',
  secondsLeft,
  lifetimeSeconds: 600,
})
const shown = (page: ReturnType<typeof openPage>) => [page.state().shown.phase, page.state().shown.address?.token]

test('an address comes with the page, lives 600 s, is destroyed for 2 s and then expired', async () => {
  const page = openPage()
  await page.start()
  expect(shown(page)).toEqual(['active', 't1'])
  await page.pass(599_999)
  expect(shown(page)).toEqual(['active', 't1'])
  await page.pass(1)
  expect(shown(page)).toEqual(['destroying', 't1'])
  await page.pass(1999)
  expect(shown(page)).toEqual(['destroying', 't1'])
  await page.pass(1)
  expect(shown(page)).toEqual(['expired', undefined])
  expect([page.addresses.get(), page.notices]).toEqual([undefined, [{ kind: 'expired' }]])
})

test('a page that was left does nothing more', async () => {
  const page = openPage()
  await page.start()
  page.leave.abort()
  await page.pass(700_000)
  expect([page.notices, ...shown(page)]).toEqual([[], 'active', 't1'])
})

test('a deletion destroys it at the server, takes 2 s and is announced', async () => {
  const page = openPage()
  await page.start()
  await page.happens(DELETE)
  await page.pass(UNDO_MS)
  expect([...shown(page), page.server.size]).toEqual(['destroying', 't1', 0])
  await page.pass(2000)
  expect(shown(page)).toEqual(['none', undefined])
  expect(page.notices).toEqual([{ kind: 'deleting', email: 't1@mayfly.test' }, { kind: 'deleted' }])
})

test.each([
  ['a deletion', DELETE, []],
  ['a new address', GENERATE, ['t2']],
])('leaving the page carries out %s at once', async (_, event, left) => {
  const page = openPage()
  await page.start()
  await page.happens(event)
  expect(page.server.has('t1')).toBe(true)
  page.leave.abort()
  expect([...page.server.keys()]).toEqual(left)
  expect(page.addresses.get()?.token).toBe(left[0])
})

test('another address is opened in place of one whose deletion waits, which is made first', async () => {
  const page = openPage()
  await page.start()
  page.server.set('B', 900_000)
  page.other.save(mailbox('B', 900), 0)
  await page.happens(DELETE)
  await page.happens({ type: 'switch' })
  await page.pass(UNDO_MS + 10_000)
  expect([[...page.server.keys()], ...shown(page), page.other.get()]).toEqual([['B'], 'active', 'B', undefined])
})

test('a deletion that fails is told, and the address is shown again', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const page = openPage()
  await page.start()
  page.network.isDown = true
  await page.happens(DELETE)
  await page.pass(UNDO_MS)
  expect([page.notices.at(-1), ...shown(page), page.addresses.get()?.token]).toEqual([{ kind: 'delete_failed' }, 'active', 't1', 't1'])
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('a toast that is held does not outlive the address', async () => {
  const page = openPage()
  await page.start()
  page.undo.isHeld = true
  await page.pass(590_000)
  await page.happens(GENERATE)
  await page.pass(10_000)
  page.undo.latest?.undo()
  expect([page.notices.map(({ kind }) => kind), ...shown(page)]).toEqual([['generated', 'ended'], 'active', 't2'])
})

test('while the server cannot create an address the page says so once, and tries again more slowly', async () => {
  const page = openPage()
  page.network.refusal = { kind: 'unavailable', seconds: 2 }
  await page.start()
  await page.pass(2000 + 4000)
  expect(shown(page)).toEqual(['generating', undefined])
  page.network.refusal = undefined
  await page.pass(5999)
  expect(shown(page)).toEqual(['generating', undefined])
  await page.pass(1)
  expect([page.notices, ...shown(page)]).toEqual([[{ kind: 'away' }], 'active', 't1'])
})

test('a page load keeps a live address, with the time that the server says', async () => {
  const first = openPage()
  await first.start()
  const again = openPage({}, first.store)
  again.server.set('t1', 5000)
  await again.start()
  expect(shown(again)).toEqual(['active', 't1'])
  await again.pass(5000)
  expect(shown(again)).toEqual(['destroying', 't1'])
})

test.each([
  ['while it is open in two tabs', 602_000, 0],
  ['while its page was closed', 0, 700_000],
])('an end %s is sent to an analytics function once', async (_, openMs, closedMs) => {
  const gtag = vi.fn()
  Reflect.set(globalThis, 'gtag', gtag)
  const first = openPage()
  await first.start()
  if (closedMs > 0) first.leave.abort()
  const pages = [openPage({}, first.store), openPage({}, first.store)]
  for (const page of pages) {
    page.clock.now = closedMs
    if (openMs > 0) page.server.set('t1', 600_000)
    else page.network.refusal = { kind: 'failed' }
    await page.start()
  }
  await Promise.all([first, ...pages].map(page => page.pass(openMs)))
  Reflect.deleteProperty(globalThis, 'gtag')
  expect(gtag.mock.calls.filter(([, name]) => name === 'email_expired')).toHaveLength(1)
})

test('what another tab does is shown and told', async () => {
  const page = openPage()
  await page.start()
  const elsewhere = openPage({}, page.store)
  const adopt = () => page.addresses.adopt(page.store.getItem(ADDRESS_KEY))
  elsewhere.addresses.save(mailbox('B', 900), 0)
  adopt()
  expect([page.notices, ...shown(page)]).toEqual([[{ kind: 'replaced_elsewhere' }], 'active', 'B'])
  elsewhere.addresses.clear()
  adopt()
  expect([page.notices.slice(1), ...shown(page)]).toEqual([[{ kind: 'closed_elsewhere' }], 'none', undefined])
})

describe('an address requested before the application has loaded', () => {
  test('is awaited and shown, and no other is created', async () => {
    const first = Promise.withResolvers<boolean>()
    const page = openPage({ takeFirstAddress: () => first.promise })
    await page.start()
    expect(shown(page)).toEqual(['generating', undefined])
    writeStored(page.store, ADDRESS_KEY, { ...mailbox('early', 600), savedAt: 0 })
    first.resolve(true)
    await page.pass(0)
    expect([page.server.size, ...shown(page)]).toEqual([0, 'active', 'early'])
  })

  test('is requested again if that failed', async () => {
    const page = openPage({ takeFirstAddress: async () => false })
    await page.start()
    expect(shown(page)).toEqual(['active', 't1'])
  })
})

describe('a hand-off link', () => {
  test('asks before it opens its inbox, with the remaining time at that moment', async () => {
    const page = openPage()
    page.server.set('phone', 300_000)
    await page.start('phone')
    expect([page.state().question?.email, page.addresses.get(), ...shown(page)]).toEqual([
      'phone@mayfly.test',
      undefined,
      'none',
      undefined,
    ])
    await page.pass(10_000)
    await page.happens({ type: 'answered', isLinkChosen: true })
    expect(page.state().shown).toMatchObject({ phase: 'active', address: { token: 'phone', deadlineMs: 300_000, kept: true } })
    expect([page.notices, page.forgottenLinks]).toEqual([[{ kind: 'handed_over' }], [10_000]])
  })

  test('keeps its token while the server is unreachable, and says so once', async () => {
    const page = openPage()
    page.server.set('phone', 300_000)
    page.network.isDown = true
    await page.start('phone')
    await page.happens({ type: 'link', token: 'phone' })
    expect([page.notices, page.forgottenLinks, ...shown(page)]).toEqual([[{ kind: 'hand_over_unreachable' }], [], 'none', undefined])
    page.network.isDown = false
    await page.happens({ type: 'link', token: 'phone' })
    await page.happens({ type: 'answered', isLinkChosen: true })
    expect(shown(page)).toEqual(['active', 'phone'])
  })
})

describe('a second address that is made on purpose', () => {
  const BESIDE = { type: 'generate', isBeside: true } as const
  const both = (page: ReturnType<typeof openPage>) => [page.addresses.get()?.token, page.other.get()?.token]

  test('leaves the first beside it until its end, which is told', async () => {
    const page = openPage()
    await page.start()
    await page.pass(60_000)
    await page.happens(BESIDE)
    expect([...both(page), ...shown(page)]).toEqual(['t2', 't1', 'active', 't2'])
    await page.pass(537_999)
    expect(both(page)).toEqual(['t2', 't1'])
    await page.pass(1)
    expect([...both(page), ...shown(page)]).toEqual(['t2', undefined, 'active', 't2'])
    expect(page.notices).toEqual([{ kind: 'generated', lifetimeSeconds: 600 }, { kind: 'ended' }])
  })

  test('replaces the first if that ends meanwhile', async () => {
    const page = openPage()
    await page.start()
    page.network.refusal = { kind: 'unavailable', seconds: 600 }
    await page.happens(BESIDE)
    page.network.refusal = undefined
    await page.pass(600_000)
    expect([...both(page), ...shown(page)]).toEqual(['t2', undefined, 'active', 't2'])
  })

  test('that comes after a link was opened meanwhile is given up, and takes the place of neither', async () => {
    const page = openPage()
    await page.start()
    page.network.refusal = { kind: 'unavailable', seconds: 2 }
    await page.happens(BESIDE)
    page.server.set('phone', 900_000)
    await page.happens({ type: 'link', token: 'phone' })
    await page.happens({ type: 'answered', isLinkChosen: true })
    page.network.refusal = undefined
    await page.pass(2000)
    expect([...both(page), ...shown(page), ...page.server.keys()]).toEqual(['phone', 't1', 'active', 'phone', 't1', 'phone'])
  })

  test('keeps its place while a new one for the shown one is awaited', async () => {
    const page = openPage()
    await page.start()
    await page.happens(BESIDE)
    page.network.refusal = { kind: 'unavailable', seconds: 2 }
    await page.happens(GENERATE)
    await page.happens({ type: 'switch' })
    page.network.refusal = undefined
    await page.pass(2000)
    expect([...both(page), ...shown(page)]).toEqual(['t3', 't1', 'active', 't3'])
    await page.pass(UNDO_MS)
    expect([...page.server.keys()]).toEqual(['t1', 't3'])
  })

  test('is the last: a third is not asked for, until the server has lost one', async () => {
    const page = openPage()
    await page.start()
    await page.happens(BESIDE)
    await page.happens(BESIDE)
    expect([...page.server.keys(), ...both(page), ...shown(page)]).toEqual(['t1', 't2', 't2', 't1', 'active', 't2'])
    await page.happens({ type: 'other_gone', token: 't1' })
    await page.happens(BESIDE)
    expect(both(page)).toEqual(['t3', 't2'])
  })

  test('stays when the shown one is replaced, and when that is undone', async () => {
    const page = openPage()
    await page.start()
    await page.happens(BESIDE)
    await page.happens(GENERATE)
    expect(both(page)).toEqual(['t3', 't1'])
    page.undo.latest?.undo()
    await page.pass(0)
    expect([...both(page), ...page.server.keys()]).toEqual(['t2', 't1', 't1', 't2'])
  })

  test('is shown again after a reload, beside the other', async () => {
    const page = openPage()
    await page.start()
    await page.happens(BESIDE)
    page.leave.abort()
    const again = openPage({}, page.store)
    again.server.set('t1', 600_000).set('t2', 600_000)
    await again.start()
    expect(both(again)).toEqual(['t2', 't1'])
    await again.pass(599_000)
    expect(again.other.get(), 'the end of one that was stored').toBeUndefined()
  })
})
