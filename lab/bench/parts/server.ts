/** The measured server: its own process, started as `npm start` does. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Address, createAddress } from '../../../test/harness/clients/mailbox-client.ts'
import { type RunningServer, startServerProcess } from '../../../test/harness/mayfly/start-server-process.ts'
import { ProcessUsage } from '../process-usage.ts'
import { SENDERS_ZONE } from './signed-mail.ts'

export type MeasuredServer = RunningServer & { readonly usage: ProcessUsage }

/** What turns the checks of senders off. */
export const UNCHECKED = { DNS_SERVERS: 'off' } as const

let nameServer: Promise<string> | undefined

/** Its address. It answers at once, and ends with this process. */
export function nameServerAddress(): Promise<string> {
  nameServer ??= (async () => {
    const worker = new Worker(new URL('../name-server.worker.ts', import.meta.url), { workerData: SENDERS_ZONE })
    const [address] = (await once(worker, 'message')) as [string]
    worker.unref()
    return address
  })()
  return nameServer
}

/** As users run it, but without limits that a single sender would reach, and without the bot check. */
export async function startMeasured(env: Readonly<Record<string, string>> = {}): Promise<MeasuredServer> {
  const limits = {
    NETWORK_LIMIT_FACTOR: '1000000',
    MAILBOX_MESSAGES_MAX: '10000',
    DNS_SERVERS: env.DNS_SERVERS ?? (await nameServerAddress()),
  }
  const server = await startServerProcess({ env: { BOT_CHECK: 'off', LIFETIME_SECONDS: '3600', ...limits, ...env } })
  return Object.assign(server, { usage: new ProcessUsage(server.pid) })
}

export async function createAddresses({ httpPort }: Pick<RunningServer, 'httpPort'>, count: number): Promise<Address[]> {
  return await Promise.all(Array.from({ length: count }, () => createAddress(httpPort)))
}

/** Runs `work` `count` times, `atOnce` at a time. Returns the server's CPU time for each, and the rate. */
export async function measureRequests(
  { usage }: MeasuredServer,
  { name, count, atOnce = 20 }: { name: string; count: number; atOnce?: number },
  work: (n: number) => Promise<unknown>,
) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  const [cpuBefore, startedMs] = [usage.cpuMs(), performance.now()]
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - startedMs) / 1000
  return [
    { name: `${name}, CPU`, value: ((usage.cpuMs() - cpuBefore) * 1000) / count, unit: 'µs' },
    { name, value: count / seconds, unit: '/s' },
  ]
}
