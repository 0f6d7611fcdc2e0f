/** Lets commands on this machine use the running server, whose mail database is locked to others: a line of JSON each way. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import * as z from 'zod/mini'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { CertificateStatus } from '#server/platform/certificates/certificates.ts'
import { equalBytes } from '#server/platform/cryptography.ts'
import type { Formats } from '#server/platform/formats.ts'
import { parseJson } from '#server/platform/parse-json.ts'
import type { StarttlsState } from '#server/smtp/context.ts'
import { COMMAND_ACTOR } from './audit-log.ts'
import type { Moderation } from './moderation.ts'

/** In the data folder, readable by its owner only. Exists while the server runs, and after a kill until the next start. */
const CONTROL_FILE = 'control.json'
type Endpoint = { readonly port: number; readonly key: string }

const text = z.optional(z.string())
/** With the key alone it asks who is there. */
const requestSchema = z.object({
  key: z.string(),
  /** An absolute path where no file exists yet. */
  copyMailTo: text,
  destroyAddress: text,
  /** The e-mail address of an account. */
  destroyAccount: text,
  /** Creates an address that lives two minutes, for a mail that the doctor sends to itself. */
  createProbe: z.optional(z.boolean()),
})
export type ControlRequest = Omit<z.infer<typeof requestSchema>, 'key'>

/** Identifies the running server, so that no other program on the port is mistaken for it. */
export type ServerIdentity = {
  readonly pid: number
  readonly version: string
  readonly httpPort: number
  readonly smtpPort: number
  readonly startedAt: number
  /** What it has brought its databases to. */
  readonly formats?: Formats
  /** `Config.fingerprints` of the settings it was started with. */
  readonly settings: Readonly<Record<string, string>>
  /** `receiving`: those that take mail now, the ones with subdomains as `*.box.example`. `offered`: as in `GET /api/config`. */
  readonly domains?: { readonly offered: readonly string[]; readonly receiving: readonly string[] }
  /** A server of an earlier release does not tell. */
  readonly starttls?: StarttlsState
  /** A nearby proxy that forwards visitors but is missing in TRUST_PROXY. */
  readonly untrustedProxy?: string | undefined
  /** Whether mail is taken in all of its store. */
  readonly takesMail?: boolean
  /** By ACME; a name whose last attempt failed says why. */
  readonly certificates?: readonly CertificateStatus[]
}

type ControlReply = {
  readonly failure?: string
  /** `false` if there was nothing to destroy. */
  readonly isDone?: boolean
  readonly identity?: ServerIdentity
  readonly probe?: { readonly email: string; readonly token: string }
}

const LINE_MS_MAX = 5000
/** A program that has the port of a server that was killed may never reply. */
const GREETING_MS_MAX = 5000
const LINE_BYTES_MAX = 16 * 1024
/** Commands are run one at a time by a person or a script. Programs on this machine that know no key must not use up memory. */
const CONNECTIONS_MAX = 16

/**
 * Listens on a loopback port chosen by the system. Port and key are in a file of the data folder that only its owner can read. Shared
 * folders of some container engines cannot hold a socket file.
 */
export async function openControlPort(dataDir: string, control: Control): Promise<AsyncDisposable> {
  const key = randomBytes(32).toString('base64url')
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined))
    void serve(socket, key, control)
  })
  server.maxConnections = CONNECTIONS_MAX
  const port = await listen(server)
  const path = join(dataDir, CONTROL_FILE)
  await writeFile(`${path}.new`, JSON.stringify({ port, key } satisfies Endpoint), { mode: 0o600 })
  await rename(`${path}.new`, path)
  return {
    async [Symbol.asyncDispose]() {
      await rm(path, { force: true })
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port')
  return address.port
}

async function serve(socket: Socket, key: string, control: Control): Promise<void> {
  const line = await firstLine(socket)
  if (line === undefined) return
  const reply = await answer(line, key, control)
  socket.end(`${JSON.stringify(reply)}\n`)
}

/** `undefined` if none arrives in time, or one that is too long: the connection is closed. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise(resolve => {
    const end = (line: string | undefined) => {
      clearTimeout(timer)
      if (line === undefined) socket.destroy()
      resolve(line)
    }
    const timer = setTimeout(() => end(undefined), LINE_MS_MAX)
    let bytes = 0
    socket.on('data', chunk => {
      bytes += chunk.length
      if (bytes > LINE_BYTES_MAX) end(undefined)
    })
    // It passes on the errors of the socket, which has its own listener for them.
    createInterface({ input: socket })
      .on('error', () => undefined)
      .once('line', end)
    socket.once('close', () => end(undefined))
  })
}

async function answer(line: string, key: string, control: Control): Promise<ControlReply> {
  const request = requestSchema.safeParse(parseJson(line))
  if (!request.success || !equalBytes(Buffer.from(request.data.key), Buffer.from(key)))
    return { failure: 'The key is not that of this server.' }
  const { copyMailTo, destroyAddress, destroyAccount, createProbe } = request.data
  try {
    if (copyMailTo !== undefined) await control.copyMailTo(copyMailTo)
    if (destroyAddress !== undefined) return { isDone: await control.destroyAddress(destroyAddress) }
    if (destroyAccount !== undefined) return { isDone: await control.destroyAccount(destroyAccount) }
    if (createProbe) return { probe: await control.createProbe() }
    return { identity: control.identify() }
  } catch (error) {
    return { failure: describeError(error) }
  }
}

/** Only the operator sees it. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return (error.cause instanceof Error && error.cause.message) || error.message
}

/** Lifetime of the address for the doctor's test mail. */
const PROBE_SECONDS = 120

type ControlDeps = {
  copyMailTo(path: string): Promise<void>
  mail: MailCore
  takesMail: () => boolean
  identity: ServerIdentity
  domains: () => MailDomains
  listeners: { site: { certificateStatus(): CertificateStatus[] }; smtp: { starttls(): StarttlsState } }
  moderation: Moderation
}

export type Control = ReturnType<typeof createControl>

/** What the running server does for commands. */
export function createControl({ copyMailTo, mail, takesMail, identity, listeners: { site, smtp }, domains, moderation }: ControlDeps) {
  let untrustedProxy: string | undefined
  return {
    copyMailTo,
    destroyAddress: (address: string) => moderation.destroyAddress(COMMAND_ACTOR, address),
    destroyAccount: (email: string) => moderation.destroyAccount(COMMAND_ACTOR, email),
    createProbe: (): Promise<{ email: string; token: string }> => mail.createAddress({ lifetimeSeconds: PROBE_SECONDS }),
    identify: (): ServerIdentity => ({
      ...identity,
      untrustedProxy,
      takesMail: takesMail(),
      certificates: site.certificateStatus(),
      domains: describe(domains()),
      starttls: smtp.starttls(),
    }),
    noteProxy(ip: string): void {
      untrustedProxy = ip
    },
  }
}

const describe = ({ all, offered, receiving }: MailDomains) => ({
  offered,
  receiving: all.flatMap(({ name, hasSubdomains }) => (receiving(name) ? [hasSubdomains ? `*.${name}` : name] : [])),
})

/** The running server of this data folder; `undefined` if there is none. */
export async function identifyServer(dataDir: string): Promise<ServerIdentity | undefined> {
  const endpoint = await readEndpoint(dataDir)
  return endpoint && (await greet(endpoint))?.identity
}

/** Asks the running server of this data folder; `undefined` if there is none. */
export async function askServer(dataDir: string, request: ControlRequest): Promise<ControlReply | undefined> {
  const endpoint = await readEndpoint(dataDir)
  // Work may take as long as it takes, once it is known that a server of ours is asked.
  return endpoint && (await greet(endpoint)) && exchange(endpoint, request)
}

const greet = (endpoint: Endpoint) => exchange(endpoint, {}, GREETING_MS_MAX)

/** Waits without end if `timeoutMs` is 0. */
async function exchange({ port, key }: Endpoint, request: ControlRequest, timeoutMs = 0): Promise<ControlReply | undefined> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no reply')))
  try {
    socket.write(`${JSON.stringify({ key, ...request })}\n`)
    const reply = await readText(socket)
    return reply === '' ? { failure: 'The server ended before it was done.' } : JSON.parse(reply)
  } catch {
    // The file of a killed server names a port that is closed, or used by another program.
    return undefined
  } finally {
    socket.destroy()
  }
}

async function readEndpoint(dataDir: string): Promise<Endpoint | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, CONTROL_FILE), 'utf8'))
  } catch {
    return undefined
  }
}
