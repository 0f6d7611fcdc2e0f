/** What the process takes when nothing happens: after the start, a burst and a large mail, and for each mailbox, message and stream. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { MIB } from '../../../contract/limits.ts'
import { followStream } from '../../../test/harness/clients/mailbox-client.ts'
import { dotted } from '../../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../../test/harness/clients/smtp-load.ts'
import { serverBuilt } from '../../../test/harness/mayfly/build-server.ts'
import { sampleMail } from '../mime-mails.ts'
import type { Part } from './figures.ts'
import { createAddresses, type MeasuredServer, startMeasured } from './server.ts'

const RECIPIENTS = 20
/** Until idle threads have ended and the others have returned their memory. */
const REST_MS = 32_000
const IDLE_MS = 8000

async function burst(server: MeasuredServer, messages: number): Promise<void> {
  const recipients = (await createAddresses(server, RECIPIENTS)).map(({ email }) => email)
  const mail = dotted(sampleMail(4096))
  const body = (n: number) => Buffer.concat([Buffer.from(`X-Bench: ${n}\r\n`), mail])
  const { accepted } = await sendLoad({ port: server.smtpPort, connections: Math.min(50, messages), messages, recipients, body })
  if (accepted !== messages) throw new Error(`${accepted} of ${messages} mails were taken`)
}

/** To a mailbox each: one body is sealed for all of them. Returns the peak above what the server had before. */
async function largeToMany(server: MeasuredServer, bytes: number, mailboxes: number): Promise<number> {
  const to = (await createAddresses(server, mailboxes)).map(({ email }) => email)
  const line = `${'x'.repeat(1022)}\r\n`
  const before = server.usage.rssMib()
  server.usage.forgetPeak()
  const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, secure: false, ignoreTLS: true })
  await transport.sendMail({ envelope: { from: 'sender@elsewhere.test', to }, raw: line.repeat(bytes / line.length) })
  return server.usage.peakMib() - before
}

export const start: Part = {
  name: 'start',
  async run({ isQuick }) {
    await serverBuilt()
    const startedMs = performance.now()
    await using server = await startMeasured()
    const socket = connect(server.smtpPort, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject))
    const readyMs = performance.now() - startedMs
    const cpuMs = server.usage.cpuMs()
    socket.destroy()
    await sleep(isQuick ? 100 : IDLE_MS)
    const idleMib = server.usage.rssMib()
    await burst(server, isQuick ? 50 : 20_000)
    const highestMib = server.usage.peakMib()
    await sleep(isQuick ? 100 : REST_MS)
    const restingMib = server.usage.rssMib()
    const largeMib = await (isQuick ? largeToMany(server, MIB, 5) : largeToMany(server, 24 * MIB, 50))
    return [
      { name: 'first 220', value: readyMs, unit: 'ms' },
      { name: 'first 220, CPU', value: cpuMs, unit: 'ms' },
      { name: 'memory, nobody came', value: idleMib, unit: 'MiB' },
      { name: 'memory, highest of 20,000 mails', value: highestMib, unit: 'MiB' },
      { name: 'memory, after them and a rest', value: restingMib, unit: 'MiB' },
      { name: 'memory, 24 MiB to 50 mailboxes, more', value: largeMib, unit: 'MiB' },
    ]
  },
}

export const hold: Part = {
  name: 'hold',
  async run({ isQuick }) {
    const [mailboxes, messages, streams] = isQuick ? [20, 50, 5] : [5000, 5000, 1000]
    const restMs = isQuick ? 100 : IDLE_MS
    await using server = await startMeasured()
    await burst(server, isQuick ? 20 : 2000)
    await sleep(isQuick ? 100 : REST_MS)
    const memory = async () => {
      await sleep(restMs)
      return server.usage.rssMib() * MIB
    }
    const atRest = await memory()
    const addresses = await createAddresses(server, mailboxes)
    const withMailboxes = await memory()
    await burst(server, messages)
    const withMessages = await memory()
    const stopping = new AbortController()
    using _stop = { [Symbol.dispose]: () => stopping.abort() }
    const watched = addresses.slice(0, streams)
    const beforeStreams = await memory()
    await Promise.all(watched.map(address => followStream(server.httpPort, address, stopping.signal).opened))
    const withStreams = await memory()
    const each = (name: string, bytes: number, count: number) => ({ name: `memory of ${name}`, value: bytes / count, unit: 'bytes' })
    return [
      each('a mailbox', withMailboxes - atRest, mailboxes),
      each('a message', withMessages - withMailboxes, messages),
      each('a stream', withStreams - beforeStreams, watched.length),
    ]
  },
}
