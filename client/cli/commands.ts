/** Runs the commands. Results go to standard output, one per line or object; everything else to standard error. */
import type { MessageSummary } from '../../contract/mailbox.ts'
import { MayflyError } from '../errors.ts'
import type { Mailbox } from '../mailbox.ts'
import { Mayfly } from '../mayfly.ts'
import type { Message } from '../message.ts'
import { type Arguments, readPlannedFailure, readSeconds } from './arguments.ts'
import { forgetMailbox, loadMailbox, saveMailbox } from './saved-mailboxes.ts'
import { asShown, jsonLine, plain, plainLine } from './terminal.ts'

export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  /** Resolves when there is room for more. */
  write(data: string | Uint8Array): Promise<void>
  note(text: string): void
  /** Aborts when the output is closed. */
  readonly signal: AbortSignal
}

/** Who waits at a terminal for a server that is not there wants to know soon. */
const TIMEOUT_MS = 10_000

export const commands: Readonly<Record<Arguments['command'], (args: Arguments, terminal: Terminal) => Promise<void>>> = {
  async new(args, { env, write, note, isTerminal, signal }) {
    const { values, url, apiKey, json } = args
    const mayfly = new Mayfly({ url, apiKey })
    const mailbox = await mayfly.createMailbox({
      lifetimeSeconds: readSeconds('lifetime', values.lifetime),
      domain: values.domain,
      localPart: values['local-part'],
      failure: readPlannedFailure(values),
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    const { address, token } = mailbox
    const expiresAt = mailbox.expiresAt.toISOString()
    await saveMailbox(args.mailbox, { url: mayfly.url, address, token, expiresAt }, env)
    const shown = values['show-token'] ? { token } : {}
    await write(json ? jsonLine({ address, expiresAt, ...shown }) : `${[address, ...Object.values(shown)].map(plainLine).join('\n')}\n`)
    if (isTerminal && !json) note(`It expires at ${expiresAt}. Wait for its mail with: mayfly-client wait`)
  },

  async list(args, { env, write, signal }) {
    const messages = await (await open(args, env)).listMessages({ timeoutMs: TIMEOUT_MS, signal })
    for (const message of messages) await write(args.json ? jsonLine(message) : formatRow(message))
  },

  async wait(args, { env, write, isTerminal, signal }) {
    const { from, to, subject, body, after, timeout, code, link, host } = args.values
    const timeoutSeconds = readSeconds('timeout', timeout)
    const options = { from, to, subject, body, after, timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000, signal }
    const mailbox = await open(args, env)
    if (code) {
      const found = await mailbox.waitForCode(options)
      await write(args.json ? jsonLine({ code: found }) : `${plainLine(found)}\n`)
    } else if (link) {
      const found = await mailbox.waitForLink({ ...options, host })
      await write(args.json ? jsonLine({ link: found }) : `${plainLine(found)}\n`)
    } else {
      await write(show(await mailbox.waitForMessage(options), args.json, isTerminal))
    }
  },

  async watch(args, { env, write, signal }) {
    const mailbox = await open(args, env)
    for await (const message of mailbox.messages({ after: args.values.after, signal })) {
      await write(args.json ? jsonLine(message) : formatRow(message))
    }
  },

  async open(args, { env, write, isTerminal }) {
    await write(show(await readOne(args, await open(args, env)), args.json, isTerminal))
  },

  async raw(args, { env, write, isTerminal }) {
    const raw = await (await readOne(args, await open(args, env))).raw()
    await write(args.json ? jsonLine({ base64: Buffer.from(raw).toString('base64') }) : asShown(raw, isTerminal))
  },

  async delete(args, { env, write }) {
    const [id] = args.rest
    const mailbox = await open(args, env)
    if (id === undefined) {
      await mailbox.delete()
      await forgetMailbox(args.mailbox, env)
    } else {
      await (await readOne(args, mailbox)).delete()
    }
    if (args.json) await write(jsonLine({ deleted: id ?? mailbox.address }))
  },

  async mcp({ url, apiKey }, { signal }) {
    // Imported on demand: as large as the rest together, and no other command needs it.
    const { serveMcp } = await import('../mcp/stdio.ts')
    await serveMcp(new Mayfly({ url, apiKey }), signal)
  },
}

async function open({ mailbox, url, apiKey }: Arguments, env: Terminal['env']): Promise<Mailbox> {
  const saved = await loadMailbox(mailbox, url, env)
  return new Mayfly({ url: saved.url, apiKey }).openMailbox(saved.token, { timeoutMs: TIMEOUT_MS })
}

/** An id of the list, or `latest`. */
async function readOne({ rest: [id = ''] }: Arguments, mailbox: Mailbox): Promise<Message> {
  if (id !== 'latest') return mailbox.readMessage(id, { timeoutMs: TIMEOUT_MS })
  const [latest] = await mailbox.listMessages({ timeoutMs: TIMEOUT_MS })
  if (!latest) throw new MayflyError('message_not_found', 'There is no message yet.')
  return mailbox.readMessage(latest.id, { timeoutMs: TIMEOUT_MS })
}

/** Untrusted text must not control the terminal or break the line. */
function formatRow({ id, receivedAt, from, subject, codes }: MessageSummary | Message): string {
  return `${[id, receivedAt, from.address || '-', codes[0] ?? '-', subject].map(plainLine).join('\t')}\n`
}

function show(message: Message, json: boolean, isTerminal: boolean): string {
  if (json) return jsonLine(message)
  const { from, to, subject, receivedAt, verdict, codes, links, attachments, text = message.preview } = message
  const bold = (line: string) => (isTerminal && !process.env.NO_COLOR ? `\u001b[1m${line}\u001b[22m` : line)
  const lines = [
    `From: ${from.name ? `${from.name} <${from.address}>` : from.address}`,
    `To: ${to.map(({ address }) => address).join(', ')}`,
    `Subject: ${subject}`,
    `Received: ${receivedAt}`,
    ...(verdict === 'contradicted' ? ['Sender: contradicted'] : []),
    ...(codes.length > 0 ? [`Codes: ${codes.join(', ')}`] : []),
    ...links.map(({ url }) => `Link: ${url}`),
    ...attachments.map(({ filename, contentType, size }) => `Attachment: ${filename} (${contentType}, ${size} bytes)`),
  ]
  return `${lines.map(line => bold(plainLine(line))).join('\n')}\n\n${plain(text).replace(/\n*$/, '\n')}`
}
