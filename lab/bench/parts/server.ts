/** The measured server: its own process, started as `npm start` does. */
import { type Address, createAddress } from '../../../test/harness/clients/mailbox-client.ts'
import { type RunningServer, startServerProcess } from '../../../test/harness/mayfly/start-server-process.ts'
import { ProcessUsage } from '../process-usage.ts'

export type MeasuredServer = RunningServer & { readonly usage: ProcessUsage }

/** Without limits that a single sender would reach, and without features that need other servers. */
export async function startMeasured(env: Readonly<Record<string, string>> = {}): Promise<MeasuredServer> {
  const limits = {
    NETWORK_LIMIT_FACTOR: '1000000',
    MAILBOX_MESSAGES_MAX: '10000',
  }
  const server = await startServerProcess({ env: { BOT_CHECK: 'off', DNS_SERVERS: 'off', LIFETIME_SECONDS: '3600', ...limits, ...env } })
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
