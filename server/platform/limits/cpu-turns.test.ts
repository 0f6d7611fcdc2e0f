import { expect, test } from 'vitest'
import { CpuTurns } from './cpu-turns.ts'

/** A piece of work of some milliseconds. */
function burn(): void {
  const start = process.threadCpuUsage()
  while (process.threadCpuUsage(start).user < 3000);
}

test('who has used little goes before those who have used much, in the order of their use', async () => {
  const turns = new CpuTurns()
  const done: string[] = []
  const work = async (networks: readonly string[], pieces: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next(networks)
      burn()
    }
    done.push(networks[0] ?? '')
  }
  await work(['a1', 'a'], 8)
  await work(['b1', 'b'], 2)
  done.length = 0
  // Neighbours of one network share what it has used, and each of them counts as well.
  await Promise.all([work(['a1', 'a'], 2), work(['a2', 'a'], 2), work(['b1', 'b'], 2), work(['c1', 'c'], 1)])
  expect(done).toEqual(['c1', 'b1', 'a2', 'a1'])
})
