import { expect, onTestFinished, test, vi } from 'vitest'
import { type Lane, WebhookTurns } from './webhook-turns.ts'

/** A webhook of a key of the account, or of one of its mailboxes. */
const laneOf = (account: string, id = account, { holder = `key of ${account}`, isMailbox = false, isFailing = false } = {}): Lane => {
  const group = `${isMailbox ? 'mailboxes' : 'keys'} of ${account}`
  return { account, group, holder, webhookId: id, isFailing }
}
const lanesOf = (account: string, count: number, of?: Parameters<typeof laneOf>[2]): Lane[] =>
  Array.from({ length: count }, (_, at) => laneOf(account, `${of?.holder ?? account}/${at}`, of))
const accountsOf = (lanes: readonly Lane[]) => lanes.map(({ account }) => account)
const many = (count: number) => Array.from({ length: count }, (_, at) => `owner${at}`)

test('owners take turns, however much the others have waiting', () => {
  const turns = new WebhookTurns()
  const owners = many(50)
  for (const lane of owners.flatMap(owner => lanesOf(owner, 20))) turns.add(lane)
  const serve = () => {
    const taken = turns.take()
    for (const lane of taken) {
      turns.add(lane)
      turns.end(lane, { isFailing: false })
    }
    return accountsOf(taken)
  }
  expect(serve()).toEqual(owners.slice(0, 32))
  turns.add(laneOf('late'))
  expect(serve()).toEqual([...owners.slice(32), ...owners.slice(0, 14)])
  // Each other owner has had at most two turns.
  expect(serve()).toEqual([...owners.slice(14, 32), 'late', ...owners.slice(32, 45)])
})

test('a key has two places, and each of its webhooks one', () => {
  const turns = new WebhookTurns()
  const lanes = lanesOf('owner', 3)
  for (const lane of lanes) turns.add(lane)
  const taken = turns.take()
  expect(taken).toEqual(lanes.slice(0, 2))
  for (const lane of taken) turns.add(lane)
  expect(turns.take()).toEqual([])
  for (const lane of taken.slice(0, 1)) turns.end(lane, { isFailing: false })
  expect(turns.take()).toEqual(lanes.slice(2))
})

test('failing webhooks have sixteen places, and a webhook that fails meanwhile is one of them', () => {
  const turns = new WebhookTurns()
  for (const owner of many(20)) turns.add(laneOf(owner, owner, { isFailing: owner !== 'owner0' }))
  const taken = turns.take()
  expect(accountsOf(taken)).toEqual(many(17))
  const [wasWell] = taken
  turns.add(wasWell ?? expect.fail())
  turns.end(wasWell ?? expect.fail(), { isFailing: true })
  expect(turns.take()).toEqual([])
  turns.add(laneOf('other'))
  expect(accountsOf(turns.take())).toEqual(['other'])
})

test('failing webhooks that have no place are not looked at again with each turn', () => {
  const turns = new WebhookTurns()
  let looks = 0
  for (const lane of many(100).flatMap(owner => lanesOf(owner, 20, { isFailing: true }))) {
    const { account } = lane
    turns.add({
      ...lane,
      get account() {
        looks++
        return account
      },
    })
  }
  expect(turns.take()).toHaveLength(16)
  looks = 0
  turns.add(laneOf('other'))
  expect(accountsOf(turns.take())).toEqual(['other'])
  // The places that are taken are counted.
  expect(looks).toBeLessThanOrEqual(32)
})

test('holders of mailboxes leave each other and the keys of their account a place, and take turns', () => {
  const turns = new WebhookTurns()
  const [first, second, third] = ['first', 'second', 'third'].map(holder => lanesOf('owner', 5, { holder, isMailbox: true }))
  const add = (lanes: readonly Lane[] = []) => lanes.forEach(lane => void turns.add(lane))
  const holdersOf = (lanes: readonly Lane[]) => lanes.map(({ holder }) => holder)
  add(first)
  const begun = turns.take()
  expect(holdersOf(begun)).toEqual(['first', 'first'])
  add(second)
  add(third)
  expect(holdersOf(turns.take())).toEqual(['second'])
  const [key] = lanesOf('owner', 1)
  turns.add(key ?? expect.fail())
  expect(turns.take()).toEqual([key])
  for (const [at, holder] of ['third', 'first', 'third'].entries()) {
    turns.end(begun[at] ?? expect.fail(), { isFailing: false })
    const [next] = turns.take()
    expect(next?.holder).toBe(holder)
    begun.push(next ?? expect.fail())
  }
})

test('the keys of an account are not slow because of its mailboxes', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const turns = new WebhookTurns()
  const ofMailbox = laneOf('owner', 'of a mailbox', { holder: 'mailbox', isMailbox: true })
  turns.add(ofMailbox)
  expect(turns.take()).toEqual([ofMailbox])
  vi.advanceTimersByTime(2100)
  turns.end(ofMailbox, { isFailing: false })
  for (const account of many(16)) turns.add(laneOf(account, account, { isFailing: true }))
  expect(turns.take(), 'all places of slow ones').toHaveLength(16)
  turns.add(ofMailbox)
  turns.add(laneOf('owner'))
  expect(turns.take()).toEqual([laneOf('owner')])
})
