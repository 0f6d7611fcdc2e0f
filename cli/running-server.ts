import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CONTROL_FILE, type ControlReply, type ControlRequest, type Endpoint } from '#server/operator/control/protocol.ts'

/** Asks the running server of this data folder; `undefined` if there is none. */
export async function askServer(dataDir: string, request: Omit<ControlRequest, 'key'>): Promise<ControlReply | undefined> {
  const endpoint = await readEndpoint(dataDir)
  if (!endpoint) return undefined
  const socket = connect(endpoint.port, '127.0.0.1')
  try {
    const { key } = endpoint
    socket.write(`${JSON.stringify({ key, ...request } satisfies ControlRequest)}\n`)
    const reply = await text(socket)
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
