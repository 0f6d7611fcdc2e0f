import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './fair-queue.ts'

test('a network with a thousand requests delays one of another by no more than a turn', async () => {
  const turns = new Turns()
  const begun: string[] = []
  for (let at = 0; at < 1000; at++) turns.push(['192.0.2.1', '192.0.2.0/24'], () => void begun.push('many'))
  turns.push(['198.51.100.1', '198.51.100.0/24'], () => void begun.push('one'))
  expect(begun.length).toBeLessThan(100)
  await turn()
  await turn()
  expect(begun.indexOf('one')).toBeGreaterThan(0)
  expect(begun.indexOf('one')).toBeLessThan(100)
  while (begun.length < 1001) await turn()
  turns.push([], () => void begun.push('later'))
  expect(begun.at(-1)).toBe('later')
})

test('connections of a trusted proxy, which have no network, are in turn with a network', async () => {
  const turns = new Turns()
  const begun: string[] = []
  for (let at = 0; at < 1000; at++) turns.push([], () => void begun.push('proxy'))
  turns.push(['198.51.100.1', '198.51.100.0/24'], () => void begun.push('body'))
  while (begun.length < 1001) await turn()
  expect(begun.indexOf('body')).toBeLessThan(20)
})
