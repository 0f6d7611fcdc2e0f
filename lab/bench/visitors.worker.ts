/** Visitors during a bench, in their own thread, so that the bench's own work does not count as slowness of the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { SmtpClient } from '../../test/harness/clients/smtp-client.ts'

export type VisitorsSettings = { readonly httpPort: number; readonly smtpPort: number }
/** Milliseconds of each call since the last report. */
export type VisitorTimes = { readonly http: number[]; readonly smtp: number[] }

const PAUSE_MS = 10
const { httpPort, smtpPort } = workerData as VisitorsSettings
let times: VisitorTimes = { http: [], smtp: [] }

async function visit(call: () => Promise<unknown>, note: (ms: number) => void): Promise<never> {
  for (;;) {
    const start = performance.now()
    await call()
    note(performance.now() - start)
    await sleep(PAUSE_MS)
  }
}

parentPort?.on('message', () => {
  parentPort?.postMessage(times)
  times = { http: [], smtp: [] }
})
await Promise.all([
  visit(
    async () => await (await fetch(`http://127.0.0.1:${httpPort}/healthz`)).arrayBuffer(),
    ms => times.http.push(ms),
  ),
  // A new connection each time, because one that only sends NOOP is closed after some hundreds.
  visit(
    async () => {
      await using visitor = await SmtpClient.connect(smtpPort)
      await visitor.play([['NOOP', 250]])
    },
    ms => times.smtp.push(ms),
  ),
])
