/** Lets commands on this machine use the running server, e.g. for its mail database, which is locked to other processes. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { equalBytes } from '#server/platform/derive-subkey.ts'
import { CONTROL_FILE, type ControlReply, type Endpoint, type ServerIdentity } from './protocol.ts'

const LINE_MS_MAX = 5000
const LINE_BYTES_MAX = 16 * 1024

/** What the running server does for commands. */
export type ControlActions = {
  copyMailTo(path: string): Promise<void>
  destroyAddress(address: string): Promise<boolean>
  destroyAccount(email: string): Promise<boolean>
  createProbe(): Promise<{ email: string; token: string }>
  identify(): ServerIdentity
}
type ControlParts = { readonly dataDir: string; readonly actions: ControlActions }

const text = z.optional(z.string())
const asked = z.object({
  key: z.string(),
  copyMailTo: text,
  destroyAddress: text,
  destroyAccount: text,
  createProbe: z.optional(z.boolean()),
})

/**
 * Listens on a loopback port chosen by the system. Port and key are in a file of the data folder that only its owner can read. Shared
 * folders of some container engines cannot hold a socket file.
 */
export async function openControl({ dataDir, actions }: ControlParts): Promise<AsyncDisposable> {
  const key = randomBytes(32).toString('base64url')
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined))
    void serve(socket, key, actions)
  })
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

async function serve(socket: Socket, key: string, actions: ControlActions): Promise<void> {
  const line = await firstLine(socket)
  if (line === undefined) return
  const reply = await answer(line, key, actions)
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
    createInterface({ input: socket }).once('line', end)
    socket.once('close', () => end(undefined))
  })
}

async function answer(line: string, key: string, actions: ControlActions): Promise<ControlReply> {
  const request = asked.safeParse(parseJson(line))
  if (!request.success || !equalBytes(Buffer.from(request.data.key), Buffer.from(key)))
    return { failure: 'The key is not that of this server.' }
  const { copyMailTo, destroyAddress, destroyAccount, createProbe } = request.data
  try {
    if (copyMailTo !== undefined) await actions.copyMailTo(copyMailTo)
    if (destroyAddress !== undefined) return { isDone: await actions.destroyAddress(destroyAddress) }
    if (destroyAccount !== undefined) return { isDone: await actions.destroyAccount(destroyAccount) }
    if (createProbe) return { probe: await actions.createProbe() }
    return { identity: actions.identify() }
  } catch (error) {
    return { failure: describeError(error) }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Only the operator sees it. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return (error.cause instanceof Error && error.cause.message) || error.message
}
