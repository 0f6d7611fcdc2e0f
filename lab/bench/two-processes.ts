/**
 * The time from the 354 to the event in a stream, of the process that received the mail and of another one on the same cluster. `npm run
 * lab -- two-processes`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createAddress, type Followed, followStream } from '../../test/harness/clients/mailbox-client.ts'
import { SmtpClient } from '../../test/harness/clients/smtp-client.ts'
import { type RunningServer, startServer } from '../../test/harness/mayfly/start-server.ts'
import { startRedisCluster } from '../../test/harness/servers/redis-cluster.ts'

const MAILS = 400
const PAUSE_MS = 10

await using cluster = await startRedisCluster()
const env = {
  ...{ MAIL_STORE_URL: cluster.url, SECRET: 'one secret for the processes of the bench', BOT_CHECK: 'off', DNS_SERVERS: 'off' },
  ...{ NETWORK_LIMIT_FACTOR: '100000', MAILBOX_MESSAGES_MAX: '10000' },
}
await using a = await startServer({ env })
await using b = await startServer({ env })
await using file = await startServer({ env: { ...env, MAIL_STORE_URL: '' } })
for (const [name, sender, reader] of [
  ['one process, SQLite', file, file],
  ['one process, cluster', a, a],
  ['two processes, cluster', a, b],
  ['one process, cluster again', a, a],
  ['two processes, cluster again', a, b],
] as const)
  console.log(name, await measure(sender, reader))

async function measure(sender: RunningServer, reader: RunningServer) {
  const address = await createAddress(sender.httpPort)
  const leaving = new AbortController()
  const followed = followStream(reader.httpPort, address, leaving.signal)
  await followed.opened
  await using client = await SmtpClient.connect(sender.smtpPort)
  await client.play([['EHLO bench.test', 250]])
  const sentMs = new Map<string, number>()
  for (let i = 0; i < MAILS; i++) {
    await client.play([
      ['MAIL FROM:<bench@sender.test>', 250],
      [`RCPT TO:<${address.email}>`, 250],
      ['DATA', 354],
    ])
    sentMs.set(`mail ${i}`, performance.now())
    await client.play([[`Subject: mail ${i}\r\n\r\n${'x'.repeat(72)}\r\n.`, 250]])
    await sleep(PAUSE_MS)
  }
  while (followed.subjects.length < MAILS) await sleep(10)
  leaving.abort()
  return percentiles(followed, sentMs)
}

function percentiles({ arrivedMs }: Followed, sentMs: Map<string, number>) {
  const tookMs = [...sentMs].map(([subject, sent]) => (arrivedMs.get(subject) ?? Number.NaN) - sent).toSorted((x, y) => x - y)
  const at = (share: number) => Number((tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN).toFixed(1))
  return { p50: at(0.5), p99: at(0.99) }
}
