import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'
import { askServer, identifyServer, openControlPort } from './control.ts'

const identity = { pid: 1, version: '1', httpPort: 1, smtpPort: 1, settings: {}, startedAt: 1 }
const control = {
  copyMailTo: async () => undefined,
  destroyAddress: async () => false,
  destroyAccount: async () => false,
  createProbe: async () => ({ email: '', token: '' }),
  identify: () => identity,
  noteProxy: () => undefined,
}

test('connections to the control port are bounded, and commands work again when they end', async () => {
  const dataDir = newFolder()
  await using _control = await openControlPort(dataDir, control)
  const { port } = JSON.parse(await readFile(join(dataDir, 'control.json'), 'utf8'))
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  const open = () => sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length
  await Promise.all(sockets.map(socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  await expect.poll(open).toBe(16)
  // A program that is killed does so.
  for (const socket of sockets) socket.resetAndDestroy()
  await expect.poll(() => identifyServer(dataDir)).toEqual(identity)
})

test('a program that has taken the port of a killed server, and never replies, is no server', async () => {
  const dataDir = newFolder()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  await writeFile(join(dataDir, 'control.json'), JSON.stringify({ port: (silent.address() as AddressInfo).port, key: 'x' }))
  expect(await askServer(dataDir, { copyMailTo: '/nowhere' })).toBeUndefined()
  silent.close()
})
