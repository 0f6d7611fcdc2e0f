import { describe, expect, test } from 'vitest'
import type { Mailbox } from '#contract/mailbox.ts'
import { createMemoryStore } from '#test/harness/clients/memory-store.ts'
import { ProblemError } from '../api/request.ts'
import { createAddressStore } from './address-store.ts'

const mailbox: Mailbox = {
  email: 'reed.amber.x7k2@mayfly.test',
  expiresAt: '2026-11-21T10:10:00.000Z',
  secondsLeft: 600,
  lifetimeSeconds: 600,
}

/** A page with its own monotonic clock and a wall clock that may be wrong. */
function openPage(store = createMemoryStore(), wallStart = 0, ask: (token: string) => Promise<Mailbox> = async () => mailbox) {
  const clock = { now: 1000, wall: wallStart }
  const addresses = createAddressStore(store, { now: () => clock.now, wall: () => clock.wall }, ask)
  const pass = (ms: number) => {
    clock.now += ms
    clock.wall += ms
  }
  const secondsLeft = () => ((addresses.get()?.deadlineMs ?? Number.NaN) - clock.now) / 1000
  return { addresses, clock, pass, secondsLeft, store }
}

describe('the stored address', () => {
  test('counts from the seconds of the server, whatever the wall clock says', () => {
    for (const wallStart of [0, Date.UTC(1999, 0, 1), Date.UTC(2099, 0, 1)]) {
      const page = openPage(undefined, wallStart)
      page.addresses.save({ ...mailbox, token: 't' }, page.clock.now)
      page.pass(90_000)
      expect(page.secondsLeft()).toBe(510)
    }
  })

  test('takes the middle of the request as the time of the response', () => {
    const page = openPage()
    const askedAt = page.clock.now
    page.pass(2000)
    page.addresses.save({ ...mailbox, token: 't' }, askedAt)
    expect(page.secondsLeft()).toBe(599)
  })

  test('a reload continues with the same address and remaining time, unconfirmed until the server responds', async () => {
    const first = openPage(undefined, 5_000_000)
    first.addresses.save({ ...mailbox, token: 't' }, first.clock.now)
    const reloaded = openPage(first.store, 5_060_000, async () => ({ ...mailbox, secondsLeft: 538 }))
    expect(reloaded.addresses.get()).toMatchObject({ email: mailbox.email, token: 't', isConfirmed: false })
    expect(reloaded.secondsLeft()).toBe(540)
    expect(await reloaded.addresses.confirm()).toBe('live')
    expect(reloaded.addresses.get()).toMatchObject({ isConfirmed: true })
    expect(reloaded.secondsLeft()).toBe(538)
  })

  test.each([
    ['gone', new ProblemError('mailbox_not_found', { status: 404 })],
    ['unknown', new ProblemError('network')],
  ])('is %s, and kept until it is forgotten', async (answer, error) => {
    const page = openPage(undefined, 0, () => Promise.reject(error))
    page.addresses.save({ ...mailbox, token: 't' }, page.clock.now)
    expect(await page.addresses.confirm()).toBe(answer)
    expect(page.addresses.get()?.token).toBe('t')
  })

  test('is forgotten by one of two tabs, once', () => {
    const first = openPage()
    first.addresses.save({ ...mailbox, token: 't' }, first.clock.now)
    const pages = [first, openPage(first.store)]
    expect(pages.map(({ addresses }) => addresses.take('t'))).toEqual([true, false])
    expect(pages.map(({ addresses }) => [addresses.take('t'), addresses.get()])).toEqual([
      [false, undefined],
      [false, undefined],
    ])
  })

  test('a response from before the address was kept does not bring its old end back', async () => {
    const { promise, resolve } = Promise.withResolvers<Mailbox>()
    const page = openPage(undefined, 0, () => promise)
    page.addresses.save({ ...mailbox, token: 't' }, page.clock.now)
    const asked = page.addresses.confirm()
    const kept = { expiresAt: '2026-11-22T10:00:00.000Z', secondsLeft: 86_400, lifetimeSeconds: 86_400, kept: true }
    page.addresses.save({ ...mailbox, ...kept, token: 't' }, page.clock.now)
    resolve(mailbox)
    expect(await asked).toBe('live')
    expect(page.addresses.get()).toMatchObject({ lifetimeSeconds: 86_400, kept: true })
    expect(page.secondsLeft()).toBe(86_400)
  })

  test('a response about an old address does not overwrite the new one', async () => {
    const { promise, resolve } = Promise.withResolvers<Mailbox>()
    const page = openPage(undefined, 0, () => promise)
    page.addresses.save({ ...mailbox, token: 'old' }, page.clock.now)
    const asked = page.addresses.confirm()
    page.addresses.save({ ...mailbox, email: 'new@mayfly.test', token: 'new' }, page.clock.now)
    resolve(mailbox)
    await asked
    expect(page.addresses.get()).toMatchObject({ token: 'new', email: 'new@mayfly.test' })
  })

  test('a response about an address that another tab has forgotten meanwhile does not store it again', async () => {
    const { promise, resolve } = Promise.withResolvers<Mailbox>()
    const page = openPage(undefined, 0, () => promise)
    page.addresses.save({ ...mailbox, token: 'left', kept: true }, page.clock.now)
    const asked = page.addresses.confirm()
    openPage(page.store).addresses.clear()
    resolve(mailbox)
    expect(await asked).toBe('live')
    expect(page.store.getItem('mayfly.mailbox')).toBeNull()
  })

  test('still knows that the account lists the address, although the server does not repeat it', async () => {
    const page = openPage()
    page.addresses.save({ ...mailbox, token: 't', kept: true }, page.clock.now)
    await page.addresses.confirm()
    expect([page.addresses.get()?.kept, openPage(page.store).addresses.get()?.kept]).toEqual([true, true])
  })

  test('stays unconfirmed if the server is asked while it is being kept', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof mailbox>()
    const page = openPage(undefined, 0, () => promise)
    page.addresses.save({ ...mailbox, token: 't' }, page.clock.now)
    const asked = page.addresses.confirm()
    page.addresses.save({ ...mailbox, token: 't', kept: true, unconfirmed: 'ada@sender.test' }, page.clock.now)
    resolve(mailbox)
    await asked
    expect(page.addresses.get()).toMatchObject({ kept: true, unconfirmed: 'ada@sender.test' })
  })

  test('is kept by an account once the server knows a later end', async () => {
    const page = openPage(undefined, 0, async () => ({ ...mailbox, expiresAt: '2999-01-01T00:00:00.000Z', secondsLeft: 86_000 }))
    page.addresses.save({ ...mailbox, token: 't' }, page.clock.now)
    await page.addresses.confirm()
    expect([page.addresses.get()?.kept, page.secondsLeft()]).toEqual([true, 86_000])
  })

  test('adopts what another tab stored, and ignores invalid values', () => {
    const other = openPage()
    other.addresses.save({ ...mailbox, token: 'theirs' }, other.clock.now)
    const page = openPage()
    let heard = 0
    page.addresses.subscribe(() => heard++)
    page.addresses.adopt(other.store.getItem('mayfly.mailbox'))
    expect(page.addresses.get()?.token).toBe('theirs')
    page.addresses.adopt('{"email":1}')
    expect(page.addresses.get()).toBeUndefined()
    expect(heard).toBe(2)
  })
})
