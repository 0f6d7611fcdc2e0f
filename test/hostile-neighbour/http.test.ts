/** One budget, one test, one attacker, one victim, on the HTTP port. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { pathTo, routes } from '#contract/routes.ts'
import { ConnectionLimit } from '#server/http/connections/connection-limit.ts'
import { startTestServer } from '#test/start-test-server.ts'
import { messageIds, newMailbox, plant, slowReader, Victim } from './http-neighbours.ts'
import { ATTACKER, NOBODY_TRUSTED, report } from './neighbours.ts'

test('memory for downloads: who leaves early and then reads slowly holds one share', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const { email, token } = await newMailbox(server, ATTACKER)
  await plant(server, email, `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat((13 * MIB) / 78)}`)
  const [id = ''] = await messageIds(server, ATTACKER, token)
  const path = pathTo(routes.raw, { id })
  for (let reader = 0; reader < 6; reader++) (await slowReader(server, ATTACKER, path, token)).socket.resetAndDestroy()
  await victim.lives()
  using held = new DisposableStack()
  const statuses: number[] = []
  for (let reader = 0; reader < 7; reader++) {
    const { status, socket } = await slowReader(server, ATTACKER, path, token)
    held.defer(() => socket.destroy())
    statuses.push(status)
  }
  await victim.lives()
  const granted = statuses.filter(status => status === 200).length
  victim.report('memory for downloads', `after 6 that left early, ${granted} of 7 slow readers of 13 MiB were served`)
  expect(granted).toBe(4)
  expect(statuses.filter(status => status === 429)).toHaveLength(3)
})

test('requests sent ahead on one connection: some are served, then it ends', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const { email, token } = await newMailbox(server, ATTACKER)
  for (let mail = 0; mail < 20; mail++) await plant(server, email, `Subject: ${mail}\r\n\r\n`)
  const socket = connect({ host: '127.0.0.1', port: server.app.httpPort, ...ATTACKER })
  let heard = ''
  socket.on('data', chunk => {
    heard += chunk
  })
  socket.on('error', () => undefined)
  socket.write(`GET ${routes.messages} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(2000))
  const ended = once(socket, 'close')
  for (let round = 0; round < 5; round++) await victim.lives()
  await ended
  const served = heard.split('HTTP/1.1 200').length - 1
  victim.report('requests sent ahead', `${served} of 2000 lists on one connection were served`)
  expect(served).toBe(17)
  expect(heard.split('HTTP/1.1 429').length - 1).toBe(1)
})

test('HTTP connections: one network gets its share, and the last ones are for those who hold few', async () => {
  const connections = new ConnectionLimit({ perClientMax: 40, trusted: [], totalMax: 80 })
  const count = (client: string) => Array.from({ length: 50 }, () => connections.enter(client)).filter(Boolean).length
  const [first, second] = [count('192.0.2.1'), count('192.0.2.2')]
  report('HTTP connections', `two networks ${first} and ${second} of 80, a third ${count('192.0.2.3')}`)
  expect([first, second]).toEqual([40, 36])
})
