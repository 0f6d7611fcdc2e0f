/** Live changes of a mailbox: an event stream and a long poll with the same cursor. */
import { streamEvents, waitForMessage } from '#contract/mailbox.ts'
import type { OpenMailbox, Reader } from '#server/mail/mail-core.ts'
import type { MessageCondition } from '#server/mail/message/message-condition.ts'
import { parseCursor, readCondition } from '../requests/message-condition.ts'
import { toReader } from '../requests/reader.ts'
import { copySharedBytes } from '../responses/copy-shared-bytes.ts'
import { ALREADY_SENT, EventStream } from '../responses/event-stream.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { writeMailboxStream } from './mailbox-stream.ts'

const WAIT_SECONDS_DEFAULT = 30
const tag = 'Messages'

type Deps = Pick<HttpDeps, 'metrics' | 'mail' | 'clock' | 'closing' | 'streams' | 'accounts'>

export function eventRoutes(deps: Deps): BoundRoute[] {
  return [
    defineRoute(streamEvents, {
      tag,
      summary: 'Stream new and removed messages as they happen',
      description:
        'Server-sent events. `message`: a message arrived; it is sent a second time when its sender has been checked, then with `authentication`. `removed`: a message was removed. `delivery`: what the SMTP server is doing for this address right now, without content and without an `id`; it is not stored. `expired`: the mailbox is gone, and the stream ends. `reconnect`: the server is stopping; connect again after `afterMs`, which `retry` says too. The data of each is a `StreamEvent`. Send the `id` of the last event as `Last-Event-ID` to continue after it.',
      async handle({ c, mailbox }) {
        // A HEAD request gets only the head, since a stream does not end.
        if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
        const lease = await acquireStream(deps, mailbox, c.var.network)
        const stream = new EventStream(c.env)
        const after = parseCursor(c.req.header('last-event-id'))
        void writeMailboxStream(deps, { mailbox, after, network: c.var.network }, stream).finally(() => lease[Symbol.dispose]())
        return ALREADY_SENT
      },
    }),
    defineRoute(waitForMessage, {
      tag,
      summary: 'Wait for the first message that matches',
      description:
        'All conditions match as case-insensitive substrings. `to` searches the addresses of To and Cc, `body` the text. Returns at once if such a message is already there. To wait for the next one, send the `cursor` of the last message as `after`.',
      noContentWhen: 'No message matched in time.',
      async handle({ c, mailbox, query, fail }) {
        const { to, body } = query
        const condition = { ...readCondition(query), to, body }
        using _lease = await acquireStream(deps, mailbox, c.var.network)
        const timeoutMs = Math.ceil((query.timeoutSeconds ?? WAIT_SECONDS_DEFAULT) * 1000)
        const ended = AbortSignal.any([deps.closing, c.req.raw.signal, AbortSignal.timeout(timeoutMs)])
        const found = await findMessage(deps, { mailbox, reader: toReader(c) }, condition, ended)
        if (found === 'gone') return fail('mailbox_not_found')
        return found ? c.body(copySharedBytes(found), 200, { 'content-type': 'application/json' }) : c.body(null, 204)
      },
    }),
  ]
}

/** Looks up who created the mailbox only if the network is at its limit of streams. */
async function acquireStream({ streams, accounts }: Deps, { mailboxId }: OpenMailbox, network: string): Promise<Disposable> {
  try {
    return streams.acquire(mailboxId, network)
  } catch (error) {
    const apiMailbox = await accounts.apiMailboxes.find(mailboxId)
    if (!apiMailbox) throw error
    return streams.acquireForApi(mailboxId, apiMailbox.owner)
  }
}

type Waiting = { readonly mailbox: OpenMailbox; readonly reader: Reader }

async function findMessage({ mail }: Deps, { mailbox, reader }: Waiting, condition: MessageCondition, ended: AbortSignal) {
  let cursor = condition.afterCursor
  for await (const _ of mail.watch(mailbox.mailboxId, ended)) {
    let isMore = true
    while (isMore) {
      const found = await mail.findMessage(mailbox, cursor, condition, reader)
      if (!found) return 'gone'
      if (found.message) return found.message
      cursor = found.cursor
      isMore = found.isMore && !ended.aborted
    }
  }
  return undefined
}
