/** The commands print the words of a server that is not to be trusted. */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedFolder } from '../../test/harness/until-end.ts'
import { readArguments } from './arguments.ts'
import { commands } from './commands.ts'

let reply: object
const server = createServer((request, response) => {
  const body = request.method === 'POST' ? reply : { domains: ['mayfly.test'], botCheck: { provider: 'off' } }
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
const folder = sharedFolder()
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function createAt(created: object, stateHome = folder): Promise<string> {
  reply = { expiresAt: '2026-03-01T12:00:00.000Z', secondsLeft: 600, lifetimeSeconds: 600, ...created }
  const printed: unknown[] = []
  const args = readArguments(['new', '--show-token', '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`], {})
  if ('printed' in args) throw new Error(args.text)
  await commands.new(args, {
    env: { XDG_STATE_HOME: stateHome },
    isTerminal: false,
    signal: new AbortController().signal,
    note: text => printed.push(text),
    write: async data => void printed.push(data),
  })
  return printed.join('')
}

test('an address that is none is refused, and a token cannot control the terminal', async () => {
  for (const email of ['a\u001b]0;x\u0007@b.test', 'a\u202e@b.test', 'a@b.test\nnext', 'nothing']) {
    await expect(createAt({ email, token: 'secret' }), email).rejects.toMatchObject({ code: 'unreadable_reply' })
  }
  expect(await createAt({ email: 'a@b.test', token: 't\u001b[2J\u009bm' })).toBe('a@b.test\nt\uFFFD[2J\uFFFDm\n')
})

test('the folder of saved mailboxes is made with its parents, and a place where none can be made is an error', async () => {
  const created = { email: 'a@b.test', token: 'secret' }
  expect(await createAt(created, join(folder, 'a/b'))).toContain('a@b.test')
  expect(statSync(join(folder, 'a/b/mayfly-client')).mode & 0o777).toBe(0o700)
  await expect(createAt(created, '/proc/none/b')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'mkdir' })
})
