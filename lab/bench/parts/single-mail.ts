/** How long a single mail takes on an idle server: from the final dot to the 250, and to the event in a reader's stream. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createAddress, followStream } from '../../../test/harness/clients/mailbox-client.ts'
import { dotted, SmtpClient } from '../../../test/harness/clients/smtp-client.ts'
import { type Part, waitFigures } from './figures.ts'
import { type MeasuredServer, startMeasured } from './server.ts'

/** Far enough apart that no mail waits for the previous one. */
const PAUSE_MS = 20
const EVENT_MS_MAX = 10_000

export const singleMail: Part = {
  name: 'single mail',
  async run({ isQuick }) {
    const mails = isQuick ? 10 : 300
    await using server = await startMeasured()
    const { replyWaitsMs, eventWaitsMs, cpuMs } = await sendOneByOne(server, mails)
    return [
      ...waitFigures('dot to 250', replyWaitsMs),
      ...waitFigures('dot to event', eventWaitsMs),
      { name: 'CPU of one, stream and pause included', value: (cpuMs * 1000) / mails, unit: 'µs' },
    ]
  },
}

/** To an address of their own, with a reader who listens. `cpuMs`: of the server for all of them. */
export async function sendOneByOne(server: MeasuredServer, mails: number) {
  const address = await createAddress(server.httpPort)
  const stopping = new AbortController()
  using _stop = { [Symbol.dispose]: () => stopping.abort() }
  const followed = followStream(server.httpPort, address, stopping.signal)
  await followed.opened
  await using client = await SmtpClient.connect(server.smtpPort)
  await client.play([['EHLO bench.test', 250]])
  const sentMs = new Map<string, number>()
  const replyWaitsMs: number[] = []
  const cpuBefore = server.usage.cpuMs()
  for (let n = 0; n < mails; n++) {
    await client.play([
      ['MAIL FROM:<bench@elsewhere.test>', 250],
      [`RCPT TO:<${address.email}>`, 250],
      ['DATA', 354],
    ])
    const message = dotted(`From: Bench <bench@elsewhere.test>\r\nSubject: single ${n}\r\n\r\nMail number ${n} of ${mails}.\r\n`)
    const startedMs = performance.now()
    sentMs.set(`single ${n}`, startedMs)
    client.send(message)
    const reply = await client.reply()
    if (!reply.startsWith('250')) throw new Error(reply)
    replyWaitsMs.push(performance.now() - startedMs)
    await sleep(PAUSE_MS)
  }
  const cpuMs = server.usage.cpuMs() - cpuBefore
  for (let waitedMs = 0; followed.arrivedMs.size < mails; waitedMs += 50) {
    if (waitedMs > EVENT_MS_MAX) throw new Error(`${followed.arrivedMs.size} of ${mails} events came`)
    await sleep(50)
  }
  const eventWaitsMs = [...followed.arrivedMs].map(([subject, atMs]) => atMs - (sentMs.get(subject) ?? Number.NaN))
  return { replyWaitsMs, eventWaitsMs, cpuMs }
}
