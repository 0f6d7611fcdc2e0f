import { expect, test } from 'vitest'
import { ProblemError } from '../api/request.ts'
import { sendChecked } from './bot-check.ts'

/** A server that refuses the first `refusals` requests. */
function server(refusals: number, code: 'bot_check_failed' | 'rate_limited' = 'bot_check_failed') {
  const received: (string | undefined)[] = []
  const send = async ({ botCheck }: { botCheck?: string | undefined }) => {
    received.push(botCheck)
    if (received.length <= refusals) throw new ProblemError(code)
    return 'done'
  }
  return { received, send }
}
const fresh = async (): Promise<string | undefined> => 'fresh'

test('a refused proof of work is solved once more silently', async () => {
  const { received, send } = server(1)
  expect(await sendChecked('signup', { botCheck: 'first' }, send, fresh)).toBe('done')
  expect(received).toEqual(['first', 'fresh'])
})

test('a second refusal is reported', async () => {
  const { received, send } = server(2)
  await expect(sendChecked('signup', { botCheck: 'first' }, send, fresh)).rejects.toMatchObject({ code: 'bot_check_failed' })
  expect(received).toEqual(['first', 'fresh'])
})

test.each([
  ['another problem', server(1, 'rate_limited'), fresh, 'rate_limited'],
  ['a provider without proof of work', server(1), async (): Promise<undefined> => undefined, 'bot_check_failed'],
  ['a puzzle that cannot be solved', server(1), (): Promise<never> => Promise.reject(new Error('no worker')), 'bot_check_failed'],
] as const)('%s is told at once', async (_, { received, send }, obtain, code) => {
  await expect(sendChecked('signup', { botCheck: 'first' }, send, obtain)).rejects.toMatchObject({ code })
  expect(received).toEqual(['first'])
})
