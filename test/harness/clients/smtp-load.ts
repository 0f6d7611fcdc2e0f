/** A fast sender for benches and load tests: one write per step, and parsing only reply codes. */
import { connect } from 'node:net'

type Load = {
  /** This machine by default. */
  readonly host?: string
  readonly port: number
  readonly connections: number
  readonly messages: number
  /** One recipient for each message, in turn. */
  readonly recipients: readonly string[]
  /** The n-th message as it is sent after DATA, with its final dot. */
  readonly body: (n: number) => Buffer
  /** By default the whole envelope is sent in one write. */
  readonly pipelining?: boolean
  /** After so many messages a connection is closed, and another one opened. By default it is kept. */
  readonly messagesEach?: number
}

type LoadResult = {
  readonly accepted: number
  /** Other replies with their numbers, and lost connections. */
  readonly refused: ReadonlyMap<string, number>
  readonly seconds: number
  /** Milliseconds from the final dot to the 250, sorted. */
  readonly waitsMs: readonly number[]
  /** Which messages got a 250. */
  readonly acknowledged: readonly number[]
}

/** Opens all connections at once, then sends until every message has a reply. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const refused = new Map<string, number>()
  const waitsMs: number[] = []
  const acknowledged: number[] = []
  let next = 0
  const take = () => (next < load.messages ? next++ : undefined)
  const refuse = (reply: string) => refused.set(reply, (refused.get(reply) ?? 0) + 1)
  const startedMs = performance.now()
  const all = Array.from({ length: load.connections }, () =>
    sessions(load, take, refuse, (n, waitMs) => {
      acknowledged.push(n)
      waitsMs.push(waitMs)
    }),
  )
  await Promise.all(all)
  const seconds = (performance.now() - startedMs) / 1000
  return { accepted: acknowledged.length, refused, seconds, waitsMs: waitsMs.sort((a, b) => a - b), acknowledged }
}

type Take = () => number | undefined
type Refuse = (reply: string) => void
type Accept = (n: number, waitMs: number) => void

/** One connection at a time, until no message is left. */
async function sessions(load: Load, take: Take, refuse: Refuse, accept: Accept): Promise<void> {
  const { messagesEach = Number.POSITIVE_INFINITY } = load
  for (let first = take(); first !== undefined; first = take()) {
    let left = messagesEach
    const next = () => (--left > 0 ? take() : undefined)
    await session(load, first, next, refuse, accept)
  }
}

/** One connection. Its steps are written one by one, or all at once up to DATA. */
function session(load: Load, first: number, next: Take, refuse: Refuse, accept: Accept): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ port: load.port, host: load.host ?? '127.0.0.1', noDelay: true })
  const isPipelined = load.pipelining ?? true
  let current: number | undefined = first
  let sentMs = 0
  let expected: string[] = ['220']
  let steps: string[] = []
  let text = ''

  const startMessage = () => {
    if (current === undefined) {
      socket.end('QUIT\r\n')
      expected = ['221']
      return
    }
    const recipient = load.recipients[current % load.recipients.length]
    expected = ['250', '250', '354', '250']
    steps = ['MAIL FROM:<bench@elsewhere.test>\r\n', `RCPT TO:<${recipient}>\r\n`, 'DATA\r\n']
    if (isPipelined) socket.write(steps.splice(0).join(''), 'latin1')
    else socket.write(steps.shift() ?? '', 'latin1')
  }
  const replied = (line: string) => {
    const awaited = expected.shift()
    if (!line.startsWith(awaited ?? '---')) {
      refuse(line)
      socket.destroy()
    } else if (awaited === '220') {
      expected = ['250']
      socket.write('EHLO bench.test\r\n', 'latin1')
    } else if (awaited === '354' && current !== undefined) {
      socket.write(load.body(current))
      sentMs = performance.now()
    } else if (expected.length > 0) {
      const step = steps.shift()
      if (step) socket.write(step, 'latin1')
    } else if (awaited === '250') {
      if (sentMs > 0 && current !== undefined) {
        accept(current, performance.now() - sentMs)
        current = next()
      }
      startMessage()
    }
  }
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (line[3] !== '-') replied(line)
    }
  })
  socket.on('error', error => refuse(error.message))
  socket.on('close', () => resolve())
  return promise
}
