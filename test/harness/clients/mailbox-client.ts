/**
 * A visitor who uses the API of a real server: creates addresses, lists their mail, and follows their streams through every interruption.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readEventStream } from '#contract/event-stream.ts'
import { routes } from '#contract/routes.ts'

const RECONNECT_MS = 100
/** Twenty seconds of a mail store that takes nothing, at two seconds each. */
const CREATE_TRIES = 10

export type Address = { readonly email: string; readonly token: string }
type Row = { readonly id: string; readonly subject: string }

/**
 * Asks again when the response says so: on a machine that stands still for a second, all shards of a cluster count as silent, and none can
 * take the address.
 */
export async function createAddress(httpPort: number, host = '127.0.0.1'): Promise<Address> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`http://${host}:${httpPort}${routes.mailboxes}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (response.status === 201) return (await response.json()) as Address
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    if (response.status !== 503 || tries === CREATE_TRIES) throw new Error(`no address: ${response.status} ${await response.text()}`)
    await response.body?.cancel()
    await sleep(retryAfterSeconds * 1000)
  }
}

export function askMailbox(httpPort: number, { token }: Address, path: string, method = 'GET', host = '127.0.0.1'): Promise<Response> {
  return fetch(`http://${host}:${httpPort}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
}

/** Rejects if the mailbox cannot be read at the moment. */
export async function listSubjects(httpPort: number, address: Address, host = '127.0.0.1'): Promise<string[]> {
  const response = await askMailbox(httpPort, address, routes.messages, 'GET', host)
  if (response.status !== 200) throw new Error(`no list: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { messages: Row[] }).messages.map(({ subject }) => subject)
}

export type Followed = {
  /** The data of each `message` event, in the order of arrival. */
  readonly subjects: string[]
  /** When each arrived, by `performance.now()`. */
  readonly arrivedMs: Map<string, number>
  connections: number
  /** How many `changed` events came. */
  changes: number
  /** Resolves when the first connection is open. */
  readonly opened: Promise<void>
}

/** Follows the stream until `signal` aborts. After each interruption it reconnects with the last id, as the page does. */
export function followStream(httpPort: number, { token }: Address, signal: AbortSignal, others: readonly Address[] = []): Followed {
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const followed: Followed = { subjects: [], arrivedMs: new Map(), connections: 0, changes: 0, opened }
  let lastId: string | undefined
  const readOnce = async () => {
    const tokens = [token, ...others.map(other => other.token)]
    const headers = { authorization: `Bearer ${tokens.join()}`, ...(lastId ? { 'last-event-id': lastId } : {}) }
    const response = await fetch(`http://127.0.0.1:${httpPort}${routes.events}`, { headers, signal })
    if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`)
    followed.connections += 1
    resolve()
    for await (const { event, data, id } of readEventStream(response.body, () => undefined)) {
      lastId = id ?? lastId
      if (event === 'changed') followed.changes++
      if (event !== 'message') continue
      const { subject } = (JSON.parse(data) as { message: Row }).message
      followed.subjects.push(subject)
      followed.arrivedMs.set(subject, performance.now())
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      await readOnce().catch(() => undefined)
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  void run()
  return followed
}
