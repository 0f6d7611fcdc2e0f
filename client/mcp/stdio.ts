/** `mayfly-client mcp`: the MCP server on standard input and output, for agents that start their servers as child processes. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Mayfly } from '../mayfly.ts'
import manifest from '../package.json' with { type: 'json' }
import { createMcpServer } from './mcp-server.ts'
import { InboxesInMemory } from './tools.ts'

/** Resolves when the agent closes its end. */
export async function serveMcp(mayfly: Mayfly, signal: AbortSignal): Promise<void> {
  const inboxes = new InboxesInMemory()
  const server = serveStdio(() => createMcpServer(mayfly, manifest.version, inboxes))
  await new Promise<void>(resolve => {
    process.stdin.once('end', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
}
