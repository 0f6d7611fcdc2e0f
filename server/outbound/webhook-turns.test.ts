import { expect, test } from 'vitest'
import { type Lane, WebhookTurns } from './webhook-turns.ts'

const lanesOf = (owner: string, count: number, isFailing = false): Lane[] =>
  Array.from({ length: count }, (_, at) => ({ owner, webhookId: `${owner}/${at}`, isFailing }))
const ownersOf = (lanes: readonly Lane[]) => lanes.map(({ owner }) => owner)
const many = (count: number) => Array.from({ length: count }, (_, at) => `owner${at}`)

test('owners take turns, however much the others have waiting', () => {
  const turns = new WebhookTurns()
  const owners = many(50)
  for (const lane of owners.flatMap(owner => lanesOf(owner, 20))) turns.add(lane)
  const serve = () => {
    const taken = turns.take()
    for (const lane of taken) {
      turns.add(lane)
      turns.end(lane, false)
    }
    return ownersOf(taken)
  }
  expect(serve()).toEqual(owners.slice(0, 32))
  turns.add({ owner: 'late', webhookId: 'late', isFailing: false })
  expect(serve()).toEqual([...owners.slice(32), ...owners.slice(0, 14)])
  // Each other owner has had at most two turns.
  expect(serve()).toEqual([...owners.slice(14, 32), 'late', ...owners.slice(32, 45)])
})

test('an owner has two places, and each of its webhooks one', () => {
  const turns = new WebhookTurns()
  const lanes = lanesOf('owner', 3)
  for (const lane of lanes) turns.add(lane)
  const taken = turns.take()
  expect(taken).toEqual(lanes.slice(0, 2))
  for (const lane of taken) turns.add(lane)
  expect(turns.take()).toEqual([])
  for (const lane of taken.slice(0, 1)) turns.end(lane, false)
  expect(turns.take()).toEqual(lanes.slice(2))
})

test('failing webhooks have sixteen places, and a webhook that fails meanwhile is one of them', () => {
  const turns = new WebhookTurns()
  for (const owner of many(20)) turns.add({ owner, webhookId: owner, isFailing: owner !== 'owner0' })
  const taken = turns.take()
  expect(ownersOf(taken)).toEqual(many(17))
  const [wasWell] = taken
  turns.add(wasWell ?? expect.fail())
  turns.end(wasWell ?? expect.fail(), true)
  expect(turns.take()).toEqual([])
  turns.add({ owner: 'other', webhookId: 'other', isFailing: false })
  expect(ownersOf(turns.take())).toEqual(['other'])
})
