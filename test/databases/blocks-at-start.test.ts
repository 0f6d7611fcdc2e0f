import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { freePort } from '../harness/free-port.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

/** The reply to MAIL in the first connection that this port accepts; `undefined` while nobody listens. */
function firstReply(port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write('EHLO x.test\r\nMAIL FROM:<ann@spam.test>\r\nQUIT\r\n'))
    socket.on('data', chunk => {
      heard += chunk
    })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(heard))
  })
}

test('blocks apply from the first connection after a start, even after a kill', async () => {
  const dataDir = newFolder()
  const smtpPort = await freePort()
  const env = { SMTP_PORT: String(smtpPort) }
  await using earlier = await startServerProcess({ env, dataDir })
  {
    await using database = await openDatabase({ dataDir })
    await database.db.insertInto('blocks').values({ kind: 'domain', value: 'spam.test', created_at: 1, ends_at: null }).execute()
  }
  await earlier.kill9()
  const starting = startServerProcess({ env, dataDir })
  let reply: string | undefined
  while (reply === undefined) {
    reply = await firstReply(smtpPort)
    await sleep(1)
  }
  await using _server = await starting
  expect(reply).toMatch(/^550 5\.7\.1 /m)
})
