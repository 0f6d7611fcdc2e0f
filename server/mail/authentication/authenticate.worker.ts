/** Thread in which signatures are checked and DNS is asked, so that neither ever holds up a socket. */
import { Resolver } from 'node:dns/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Envelope } from '../mail.ts'
import { verdictOf } from './verdict.ts'

export type AuthenticateJob = { readonly id: number; readonly envelope: Envelope; readonly raw: Uint8Array }
export type AuthenticateSettings = { readonly dnsServers: readonly string[]; readonly dnsTimeoutMs: number }

const settings: AuthenticateSettings = workerData
const resolver = new Resolver({ timeout: settings.dnsTimeoutMs, tries: 1 })
if (settings.dnsServers.length > 0) resolver.setServers(settings.dnsServers)

parentPort?.on('message', async (job: AuthenticateJob) => {
  const verdict = await verdictOf(job.envelope, job.raw, (domain, type) => resolver.resolve(domain, type) as Promise<string[]>).catch(
    () => undefined,
  )
  parentPort?.postMessage({ id: job.id, verdict })
})
