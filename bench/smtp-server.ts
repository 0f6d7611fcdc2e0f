/** The service under load, in a process of its own so that its CPU and memory are its own. Talks to the bench over IPC. */
import { startTestSmtp } from '#test/start-smtp.ts'

export type Ready = { readonly type: 'ready'; readonly port: number; readonly emails: readonly string[] }
/** `cpuMicros`: of all threads since the start. */
export type Usage = { readonly type: 'usage'; readonly cpuMicros: number; readonly rssBytes: number; readonly peakRssBytes: number }
/** The numbers in the `X-Bench` fields of all stored messages, and how many bytes they have together. */
export type Stored = { readonly type: 'stored'; readonly numbers: readonly number[]; readonly bytes: number }

await using smtp = await startTestSmtp({
  env: { SMTP_CONNECTIONS_MAX: '3000', MAILBOX_MESSAGES_MAX: '10000', MAILBOX_BYTES_MAX: String(1024 ** 3), LIFETIME_SECONDS: '86400' },
})
const addresses = await Promise.all(Array.from({ length: 20 }, () => smtp.newAddress()))
const { promise: disconnected, resolve: disconnect } = Promise.withResolvers<void>()
process.once('disconnect', disconnect)
process.on('message', question => {
  if (question === 'usage') process.send?.(usage())
  if (question === 'stored') void stored().then(answer => process.send?.(answer))
})
process.send?.({ type: 'ready', port: smtp.port, emails: addresses.map(address => address.email) } satisfies Ready)
await disconnected

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  return { type: 'usage', cpuMicros: user + system, rssBytes: process.memoryUsage.rss(), peakRssBytes: maxRSS * 1024 }
}

async function stored(): Promise<Stored> {
  const numbers: number[] = []
  let bytes = 0
  for (const address of addresses) {
    for (const raw of await address.raws()) {
      bytes += raw.length
      numbers.push(Number(/^X-Bench: (\d+)/.exec(raw.toString('latin1', 0, 40))?.[1]))
    }
  }
  return { type: 'stored', numbers, bytes }
}
