import { expect, test } from 'vitest'
import { torture } from './torture.ts'

test('after SIGKILL under load every acknowledged message is there once, byte for byte, with its token and expiry', async () => {
  const result = await torture(2)
  expect(result.acknowledged).toBeGreaterThan(0)
  expect(result).toMatchObject({ lost: 0, doubled: 0, ghosts: 0, closed: 0 })
}, 120_000)
