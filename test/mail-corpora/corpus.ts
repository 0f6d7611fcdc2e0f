/**
 * Sends every mail file of a folder through SMTP, store and API of its own server, and says for each whether it was lost, changed or
 * unreadable. It does not use a running server, whose bot check and limits would end the run (`npm run send-test` sends one mail to it).
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createMailbox, listMessages, type Message, readAttachment, readMessage, readRawMessage } from '#contract/mailbox.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import type { MimePart } from '#reader/mime/types.ts'
import { Api } from '../../client/api.ts'
import { dotted, SmtpClient } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i
const SLOWEST_SHOWN = 10
/** A terminal is no place for a mail of a thousand parts. */
const PARTS_CHARS_MAX = 500

/** Calls the API for the mailbox of this token. */
type Reader = { readonly api: Api; readonly token: string }
type Sent = { readonly file: string; readonly raw: Buffer; readonly reply: string; readonly acceptMs: number }
type Attachment = { readonly filename: string; readonly contentType: string; readonly size: number; readonly sha256: string }
type Outcome = {
  readonly file: string
  readonly bytes: number
  readonly reply: string
  /** Final dot to 250: parsed, sealed and durable. */
  readonly acceptMs: number
  /** Opened, parsed and decoded for the reader. */
  readonly readMs?: number
  /** The parser alone: fields and part index. */
  readonly parseMs: number
  /** The tree of parts, such as `multipart/mixed(text/plain, image/png)`. */
  readonly parts: string
  readonly message?: Message
  readonly attachments?: readonly Attachment[]
  /** What is wrong with the result. */
  readonly problem?: string
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function mailFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && MAIL_FILE.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** SMTP transfers whole lines, so a mail without a final CR LF gets one (RFC 5321 4.1.1.4). Everything else is sent unchanged. */
function asSent(bytes: Buffer): Buffer {
  return bytes.length === 0 || bytes.subarray(-2).equals(Buffer.from('\r\n')) ? bytes : Buffer.concat([bytes, Buffer.from('\r\n')])
}

async function sendAll(port: number, to: string, folder: string, files: readonly string[]): Promise<Sent[]> {
  await using client = await SmtpClient.connect(port)
  await client.play([['EHLO corpus.test', 250]])
  const sent: Sent[] = []
  for (const file of files) {
    const raw = asSent(await readFile(file))
    await client.play([
      ['MAIL FROM:<corpus@elsewhere.test>', 250],
      [`RCPT TO:<${to}>`, 250],
      ['DATA', 354],
    ])
    const wire = dotted(raw)
    const startedMs = performance.now()
    client.send(wire)
    const reply = await client.reply()
    sent.push({ file: relative(folder, file), raw, reply, acceptMs: performance.now() - startedMs })
  }
  return sent
}

/** Every stored message by the hash of its raw bytes: a mail found here came back byte for byte. */
async function storedByHash({ api, token }: Reader): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const { messages } = await api.call(listMessages, { token })
  for (const { id } of messages) ids.set(sha256(await api.bytes(readRawMessage, { token, params: { id } })), id)
  return ids
}

async function read({ api, token }: Reader, { file, raw, reply, acceptMs }: Sent, ids: ReadonlyMap<string, string>): Promise<Outcome> {
  const outcome = { file, bytes: raw.length, reply, acceptMs, ...structure(raw) }
  const id = ids.get(sha256(raw))
  if (!reply.startsWith('250')) return { ...outcome, problem: 'refused' }
  if (!id) return { ...outcome, problem: 'lost, or its bytes were changed' }
  try {
    const startedMs = performance.now()
    const message = await api.call(readMessage, { token, params: { id } })
    const readMs = performance.now() - startedMs
    const attachments: Attachment[] = []
    for (const { index, filename, contentType, size } of message.attachments) {
      const bytes = await api.bytes(readAttachment, { token, params: { id, index } })
      attachments.push({ filename, contentType, size: bytes.length, sha256: sha256(bytes) })
      if (bytes.length !== size)
        return { ...outcome, readMs, message, problem: `attachment ${index} has ${bytes.length} bytes, not ${size}` }
    }
    return { ...outcome, readMs, message, attachments }
  } catch (error) {
    return { ...outcome, problem: error instanceof Error ? error.message : String(error) }
  }
}

function structure(raw: Buffer): Pick<Outcome, 'parseMs' | 'parts'> {
  const startedMs = performance.now()
  const { root } = parseMessage(raw)
  const parseMs = performance.now() - startedMs
  const tree = describeTree(root)
  return { parseMs, parts: tree.length <= PARTS_CHARS_MAX ? tree : `${tree.slice(0, PARTS_CHARS_MAX)} …` }
}

function describeTree({ contentType, children }: MimePart): string {
  return children.length === 0 ? contentType : `${contentType}(${children.map(describeTree).join(', ')})`
}

/** For people: accepted or not, times, subject, sender, parts, attachments, warnings. */
export function describe({ file, acceptMs, readMs, parseMs, parts, message, attachments, problem, reply }: Outcome): string {
  const taken = `${reply.startsWith('250') ? 'accepted' : 'refused'} in ${acceptMs.toFixed(1)} ms`
  const lines = [
    `${problem ? 'BAD ' : 'ok  '} ${file}  ${taken}, parsed in ${parseMs.toFixed(2)} ms, read in ${readMs?.toFixed(1) ?? '–'} ms`,
  ]
  if (problem) lines.push(`     ${problem} (${reply})`)
  if (message) {
    const { subject, from, parseStatus } = message
    lines.push(`     ${JSON.stringify(subject)} from ${JSON.stringify(from.name)} <${from.address}>, ${parseStatus}`)
  }
  lines.push(`     ${parts}`)
  for (const { filename, contentType, size, sha256: hash } of attachments ?? []) {
    lines.push(`     + ${JSON.stringify(filename)} ${contentType}, ${size} bytes, SHA-256 ${hash}`)
  }
  if (message?.warnings.length) lines.push(`     ! ${message.warnings.join('; ')}`)
  return lines.join('\n')
}

export function summarise(outcomes: readonly Outcome[]): string {
  const count = (is: (outcome: Outcome) => unknown) => outcomes.filter(is).length
  const slowest = [...outcomes].sort((a, b) => b.acceptMs + (b.readMs ?? 0) - a.acceptMs - (a.readMs ?? 0)).slice(0, SLOWEST_SHOWN)
  return [
    `${outcomes.length} mails: ${count(o => o.reply.startsWith('250'))} accepted, ${count(o => o.problem)} bad`,
    `parsed ok ${count(o => o.message?.parseStatus === 'ok')}, partial ${count(o => o.message?.parseStatus === 'partial')}, failed ${count(o => o.message?.parseStatus === 'failed')}`,
    'slowest (accepted and read):',
    ...slowest.map(o => `  ${(o.acceptMs + (o.readMs ?? 0)).toFixed(1).padStart(8)} ms  ${o.file} (${o.bytes} bytes)`),
  ].join('\n')
}

/** Shared with the tests: sends one folder through its own server. */
export async function runCorpus(folder: string): Promise<Outcome[]> {
  await using server = await startServerProcess({
    env: {
      BOT_CHECK: 'off',
      DNS_SERVERS: 'off',
      LIFETIME_SECONDS: '86400',
      MAILBOX_MESSAGES_MAX: '10000',
    },
  })
  const api = new Api({ url: `http://127.0.0.1:${server.httpPort}` })
  const { email, token } = await api.call(createMailbox, { body: {} })
  const reader = { api, token }
  const sent = await sendAll(server.smtpPort, email, folder, await mailFiles(folder))
  const ids = await storedByHash(reader)
  const outcomes: Outcome[] = []
  for (const mail of sent) outcomes.push(await read(reader, mail, ids))
  return outcomes
}
