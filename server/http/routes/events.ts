/** What happens in a mailbox, as it happens: an event stream and a long poll over the same cursor (decision 15). */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { type MailboxEvent, messageSchema, type WaitQuery, waitQuerySchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { MailboxChange, OpenMailbox } from '#server/mail/mail.ts'
import type { HttpEnv } from '../env.ts'
import type { MailPorts } from '../mail-ports.ts'
import { answers, BEARER, queryParameters } from '../openapi/openapi.ts'
import { RequestFault } from '../requests/invalid-request.ts'
import { readQuery } from '../requests/json-body.ts'
import { requireMailbox } from '../requests/mailbox-token.ts'
import { EventStream } from '../responses/event-stream.ts'
import { unshared } from '../responses/unshared-bytes.ts'

const WAIT_SECONDS_DEFAULT = 30

export function eventRoutes(ports: MailPorts, headers: ReadonlyMap<string, string>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.get(
    routes.events,
    describeRoute({
      summary: 'New and removed messages as they happen',
      description: 'Server-sent events `message`, `removed`, `expired`. Send the last `id` as `Last-Event-ID` to go on after it.',
      security: BEARER,
      responses: answers(200, 'events', 'mailbox_not_found', 'streams_max'),
    }),
    async c => {
      const mailbox = await requireMailbox(c, ports)
      // A stream has no end to wait for: who asks for its head alone gets just that.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
      const leave = ports.streams.enter(mailbox.mailboxId, c.var.network)
      const stream = new EventStream(c.env, new Map([...headers, ['access-control-allow-origin', '*']]))
      void pump(ports, mailbox, stream, cursorOf(c.req.header('last-event-id'))).finally(leave)
      return RESPONSE_ALREADY_SENT
    },
  )

  app.get(
    routes.wait,
    describeRoute({
      summary: 'Wait for the first message that matches',
      parameters: queryParameters(waitQuerySchema),
      security: BEARER,
      responses: answers(200, messageSchema, 'invalid_request', 'mailbox_not_found', 'streams_max'),
    }),
    async c => {
      const query = readQuery(c, waitQuerySchema)
      const matches = matcherOf(query)
      const mailbox = await requireMailbox(c, ports)
      const leave = ports.streams.enter(mailbox.mailboxId, c.var.network)
      try {
        const timeoutMs = (query.timeoutSeconds ?? WAIT_SECONDS_DEFAULT) * 1000
        const found = await waitFor(ports, mailbox, matches, AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(timeoutMs)]))
        return found ? c.body(unshared(found), 200, { 'content-type': 'application/json' }) : c.body(null, 204)
      } finally {
        leave()
      }
    },
  )

  return app
}

/** Runs until the mailbox is gone, the reader has gone or the server stops. Never rejects: its faults are the reader's to reconnect after. */
async function pump(ports: MailPorts, mailbox: OpenMailbox, stream: EventStream, after: number): Promise<void> {
  const { mail, clock, signal } = ports
  let cursor = after
  const expire = async () => {
    await stream.send({ event: 'expired', data: JSON.stringify({ type: 'expired' } satisfies MailboxEvent) })
    stream.end()
  }
  const stopExpiry = atTime(clock, mailbox.expiresAt, () => void expire())
  const stop = () => stream.end()
  signal.addEventListener('abort', stop)
  try {
    for await (const _ of mail.watch(mailbox.mailboxId, stream.closed)) {
      const changes = await mail.changesSince(mailbox, cursor)
      if (!changes) return await expire()
      for (const change of changes) {
        await stream.send({ event: change.type, id: String(change.cursor), data: JSON.stringify(eventOf(change)) })
        cursor = change.cursor
      }
    }
  } catch {
    // The store cannot be read right now: the reader comes back with the cursor it has.
  } finally {
    stopExpiry()
    signal.removeEventListener('abort', stop)
    stream.end()
  }
}

/** Exact at the edge: timers may fire a millisecond early, and a clock may be set. */
function atTime(clock: MailPorts['clock'], time: number, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const check = () => {
    const leftMs = time - clock()
    if (leftMs <= 0) run()
    else timer = setTimeout(check, leftMs)
  }
  timer = setTimeout(check, Math.max(0, time - clock()))
  return () => clearTimeout(timer)
}

function eventOf(change: MailboxChange): MailboxEvent {
  return change.type === 'message' ? { type: 'message', message: change.message } : { type: 'removed', id: change.id }
}

/** What is no cursor of ours is none at all: everything that is there is told again (case W20). */
function cursorOf(lastEventId: string | undefined): number {
  return /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
}

type Matcher = { readonly cursor: number; readonly matches: (change: MailboxChange & { type: 'message' }) => boolean }

function matcherOf({ from = '', subject = '', after = '' }: WaitQuery): Matcher {
  const isCursor = /^\d{1,15}$/.test(after)
  const afterMs = after === '' || isCursor ? Number.NEGATIVE_INFINITY : Date.parse(after)
  if (Number.isNaN(afterMs)) throw new RequestFault([{ path: 'after', message: 'must be a cursor or an ISO 8601 time' }])
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return {
    cursor: isCursor ? Number(after) : 0,
    matches: ({ message }) =>
      `${message.from.name} <${message.from.address}>`.toLowerCase().includes(wantedFrom) &&
      message.subject.toLowerCase().includes(wantedSubject) &&
      Date.parse(message.receivedAt) > afterMs,
  }
}

async function waitFor({ mail, signal }: MailPorts, mailbox: OpenMailbox, { cursor: start, matches }: Matcher, ended: AbortSignal) {
  let cursor = start
  for await (const _ of mail.watch(mailbox.mailboxId, AbortSignal.any([signal, ended]))) {
    const changes = await mail.changesSince(mailbox, cursor)
    if (!changes) throw new AppError('mailbox_not_found')
    for (const change of changes) {
      const message = change.type === 'message' && matches(change) && (await mail.readMessage(mailbox, change.message.id))
      if (message) return message
      cursor = change.cursor
    }
  }
  return undefined
}
