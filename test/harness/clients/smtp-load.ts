/** A fast sender for benches and load tests: pipelined, one write per step, and parsing only reply codes. */
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
  const sessions = Array.from({ length: load.connections }, () =>
    session(load, take, refuse, (n, waitMs) => {
      acknowledged.push(n)
      waitsMs.push(waitMs)
    }),
  )
  await Promise.all(sessions)
  const seconds = (performance.now() - startedMs) / 1000
  return { accepted: acknowledged.length, refused, seconds, waitsMs: waitsMs.sort((a, b) => a - b), acknowledged }
}

/** One connection: the envelope in one write, the message in the next. */
function session(
  load: Load,
  take: () => number | undefined,
  refuse: (reply: string) => void,
  accept: (n: number, waitMs: number) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ port: load.port, host: load.host ?? '127.0.0.1', noDelay: true })
  let current: number | undefined
  let sentMs = 0
  let expected: string[] = ['220']
  let text = ''

  const nextMessage = () => {
    current = take()
    if (current === undefined) {
      socket.end('QUIT\r\n')
      expected = ['221']
      return
    }
    const recipient = load.recipients[current % load.recipients.length]
    expected = ['250', '250', '354', '250']
    socket.write(`MAIL FROM:<bench@elsewhere.test>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`, 'latin1')
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
    } else if (expected.length === 0 && awaited === '250') {
      if (current !== undefined) accept(current, performance.now() - sentMs)
      nextMessage()
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
