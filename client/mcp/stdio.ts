/** `mayfly-client mcp`: the MCP server on standard input and output, for agents that start their servers as child processes. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Mayfly } from '../mayfly.ts'
import manifest from '../package.json' with { type: 'json' }
import { createMcpServer } from './mcp-server.ts'

/** Resolves when the agent closes its end. */
export async function serveMcp(mayfly: Mayfly, signal: AbortSignal): Promise<void> {
  const server = createMcpServer(mayfly, manifest.version)
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
}
