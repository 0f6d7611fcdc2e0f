/** The tools of an agent: create an inbox, read its mail, wait for a code or a link. Independent of the transport. */
import type { Authentication, MessageSummary, PlannedFailure } from '../../contract/mailbox.ts'
import { MayflyError } from '../errors.ts'
import { findLink } from '../links-and-codes.ts'
import type { Mailbox } from '../mailbox.ts'
import type { Mayfly } from '../mayfly.ts'
import type { Message } from '../message.ts'
import type { Input, Output, ToolName } from './schemas.ts'

/** How much of a mail a model can use; the rest is cut. */
const TEXT_CHARS_MAX = 20_000

type Tool<Name extends ToolName> = {
  readonly title: string
  readonly description: string
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  /** Its result was written by senders of mail. */
  readonly isUntrusted: boolean
  run(session: { readonly mayfly: Mayfly; readonly inboxes: Inboxes }, input: Input<Name>, signal: AbortSignal): Promise<Output<Name>>
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

export const tools: { readonly [Name in ToolName]: Tool<Name> } = {
  create_inbox: {
    title: 'Create an inbox',
    description:
      'Creates a disposable e-mail address that receives real mail, and expires by itself. Give `address` to a sign-up form and `inbox` to the other tools, then wait for the code or link.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    isUntrusted: false,
    async run({ mayfly, inboxes }, { lifetime_seconds, domain, local_part, failure }, signal) {
      const mailbox = await mayfly.createMailbox({
        lifetimeSeconds: lifetime_seconds,
        domain,
        localPart: local_part,
        failure: failure && plannedFailure(failure),
        signal,
      })
      return { inbox: await inboxes.add(mailbox), address: mailbox.address, expires_at: mailbox.expiresAt.toISOString() }
    },
  },
  list_messages: {
    title: 'List messages',
    description: 'Lists the messages of an inbox, newest first, with their codes.',
    annotations: reads,
    isUntrusted: true,
    async run({ inboxes }, { inbox }, signal) {
      const messages = await (await inboxes.find(inbox)).listMessages({ signal })
      return { untrusted: true, messages: messages.map(message => ({ ...row(message), preview: message.preview })) }
    },
  },
  read_message: {
    title: 'Read a message',
    description: 'Reads one message: text, codes, confirmation links, attachments.',
    annotations: reads,
    isUntrusted: true,
    async run({ inboxes }, { inbox, id }, signal) {
      return { untrusted: true, message: whole(await (await inboxes.find(inbox)).readMessage(id, { signal })) }
    },
  },
  wait_for_message: {
    title: 'Wait for a message',
    description: 'Waits for the first message that matches, and reads it. A message that is already there counts.',
    annotations: reads,
    isUntrusted: true,
    async run({ inboxes }, input, signal) {
      return { untrusted: true, message: whole(await (await inboxes.find(input.inbox)).waitForMessage(waiting(input, signal))) }
    },
  },
  wait_for_code: {
    title: 'Wait for a code',
    description: 'Waits for a message with a one-time code and returns the code. Compare `message.from` with the sender you expect.',
    annotations: reads,
    isUntrusted: true,
    async run({ inboxes }, input, signal) {
      const message = await waitUntil(await inboxes.find(input.inbox), waiting(input, signal), ({ codes }) => codes[0])
      return { untrusted: true, code: message.codes[0] ?? '', message: row(message) }
    },
  },
  wait_for_link: {
    title: 'Wait for a link',
    description:
      'Waits for a message with a confirmation link, or with any link to `host`, and returns the link. It opens nothing: a link does what its sender chose.',
    annotations: reads,
    isUntrusted: true,
    async run({ inboxes }, input, signal) {
      const host = input.host || undefined
      const message = await waitUntil(await inboxes.find(input.inbox), waiting(input, signal), each => findLink(each, host))
      return { untrusted: true, link: findLink(message, host) ?? '', message: row(message) }
    },
  },
  delete_inbox: {
    title: 'Delete an inbox',
    description: 'Destroys an inbox and all of its mail at once. This cannot be undone.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    isUntrusted: false,
    async run({ inboxes }, { inbox }) {
      const mailbox = await inboxes.find(inbox)
      await mailbox.delete()
      await inboxes.remove(mailbox)
      return { deleted: true }
    },
  },
}

function plannedFailure({ delay_seconds: delaySeconds, ...failure }: Input<'create_inbox'>['failure'] & object): PlannedFailure {
  return { ...failure, delaySeconds }
}

type Waiting = Parameters<Mailbox['waitForMessage']>[0] & object

function waiting({ from, subject, to, body, after, timeout_seconds }: Input<'wait_for_message'>, signal: AbortSignal): Waiting {
  // Models fill in every argument; one that is empty is no condition.
  const conditions = Object.entries({ from, subject, to, body, after }).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(conditions), timeoutMs: timeout_seconds * 1000, signal }
}

function waitUntil(mailbox: Mailbox, options: Waiting, pick: (message: Message) => string | undefined): Promise<Message> {
  return mailbox.waitForMessage({ ...options, match: message => pick(message) !== undefined })
}

type Row = Output<'list_messages'>['messages'][number]

function row({
  id,
  cursor,
  from,
  subject,
  receivedAt,
  envelopeTo,
  codes,
  verdict,
}: Pick<MessageSummary, 'id' | 'cursor' | 'from' | 'subject' | 'receivedAt' | 'envelopeTo' | 'codes' | 'verdict'>): Omit<Row, 'preview'> {
  return { id, cursor, from, subject, received_at: receivedAt, envelope_to: envelopeTo, codes, verdict }
}

function whole(message: Message): Output<'read_message'>['message'] {
  const text = message.htmlText ?? message.text ?? message.preview
  const { authentication } = message
  return {
    ...row(message),
    to: message.to,
    text: text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}\n[${text.length - TEXT_CHARS_MAX} characters more]` : text,
    links: message.links,
    attachments: message.attachments.map(({ filename, contentType, size }) => ({ filename, content_type: contentType, size })),
    ...(authentication && { authentication: sender(authentication) }),
  }
}

function sender({ spf, dkim, dmarc, domain }: Authentication): Output<'read_message'>['message']['authentication'] {
  return { spf, dkim, dmarc, ...(domain !== undefined && { domain }) }
}

/** An agent that creates more is out of control. The oldest inbox is forgotten and expires by itself. */
const INBOXES_MAX = 1000

/** The inboxes of one agent. Their tokens stay with the server. */
export interface Inboxes {
  /** Resolves to the name by which the agent calls it from now on. */
  add(mailbox: Mailbox): Promise<string> | string
  /** The inbox of this name; without one the newest, if that is known. `mailbox_not_found` if there is none. */
  find(name: string | undefined): Promise<Mailbox> | Mailbox
  remove(mailbox: Mailbox): Promise<void> | void
}

/** For a session of one process, which names them by address. */
export class InboxesInMemory implements Inboxes {
  readonly #byAddress = new Map<string, Mailbox>()

  add(mailbox: Mailbox): string {
    this.#byAddress.set(mailbox.address.toLowerCase(), mailbox)
    const [oldest] = this.#byAddress.keys()
    if (this.#byAddress.size > INBOXES_MAX && oldest !== undefined) this.#byAddress.delete(oldest)
    return mailbox.address
  }

  find(address: string | undefined): Mailbox {
    const mailbox = address === undefined ? [...this.#byAddress.values()].at(-1) : this.#byAddress.get(address.toLowerCase())
    return mailbox ?? throwUnknownInbox(address)
  }

  remove(mailbox: Mailbox): void {
    this.#byAddress.delete(mailbox.address.toLowerCase())
  }
}

export function throwUnknownInbox(address: string | undefined): never {
  const which = address === undefined ? 'There is no inbox yet' : `There is no inbox ${address} in this session`
  throw new MayflyError('mailbox_not_found', `${which}. Make one with create_inbox.`)
}
