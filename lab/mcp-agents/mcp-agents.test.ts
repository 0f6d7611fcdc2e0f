/**
 * Agents with the MCP SDKs of five languages sign up at `/mcp`: each creates an inbox, waits for a code, gives a wrong argument, destroys
 * the inbox. `MCP_AGENTS=all npm run unit -- lab/mcp-agents` adds those that have to be compiled (needs go, cargo, maven and a JDK).
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/routes.ts'
import { startTestServer, type TestServer } from '../../test/harness/mayfly/start-test-server.ts'
import { buildCrate, buildGo, installMaven, installNpm, installPypi } from '../registries.ts'

const CRATES = {
  rmcp: '{ version = "=3.11.0", features = ["client", "transport-streamable-http-client-reqwest"] }',
  serde_json: '"1"',
  tokio: '{ version = "1", features = ["macros", "rt-multi-thread"] }',
}

type Language = {
  readonly name: string
  /** By revision of the protocol, the command that URL and token are added to. */
  readonly agents: Readonly<Record<string, readonly string[]>>
  install(folder: string): void
}

const source = (name: string) => join(import.meta.dirname, name)
const [MODERN, LEGACY] = ['2026-07-28', '2025-11-25']
const classPath = `java -cp "$(cat classpath)" "$@"`

const INTERPRETED: Language[] = [
  {
    name: 'Python mcp 2.3.0 and fastmcp 4.2.3',
    install: folder => installPypi(folder, ['mcp==2.3.0', 'fastmcp==4.2.3']),
    agents: {
      [MODERN]: ['bin/python', source('pypi.py'), 'auto'],
      [LEGACY]: ['bin/python', source('pypi.py'), 'legacy'],
      'as fastmcp chooses': ['bin/python', source('pypi.py'), 'fastmcp'],
    },
  },
  {
    name: 'TypeScript 1.32.2',
    install(folder) {
      installNpm(folder, ['@modelcontextprotocol/sdk@1.32.2'])
      copyFileSync(source('npm.mjs'), join(folder, 'npm.mjs'))
    },
    agents: { [LEGACY]: [process.execPath, 'npm.mjs'] },
  },
]
const COMPILED: Language[] = [
  {
    name: 'Go 1.8.0',
    install: folder => buildGo(folder, source('main.go'), ['github.com/modelcontextprotocol/go-sdk/mcp@v1.8.0']),
    agents: { [MODERN]: ['./program'] },
  },
  {
    name: 'Rust rmcp 3.11.0',
    install: folder => buildCrate(folder, source('main.rs'), CRATES),
    agents: { [LEGACY]: ['target/debug/program'] },
  },
  {
    name: 'Java 2.2.0',
    install: folder => installMaven(folder, ['io.modelcontextprotocol.sdk:mcp:2.2.0', 'org.slf4j:slf4j-nop:2.0.17']),
    agents: { [LEGACY]: ['sh', '-c', classPath, 'sh', source('Maven.java')] },
  },
]

const TOKEN = `mft_${'a'.repeat(43)}`
let server: TestServer
beforeAll(async () => {
  const env = { MCP: 'on', API_TOKENS: `agents:${createHash('sha256').update(TOKEN).digest('hex')}` }
  server = await startTestServer({ env, isClockRunning: true })
})
afterAll(() => server[Symbol.asyncDispose]())

/** What the agent printed last. Mail goes to the address that it prints first. */
async function signUp([command = '', ...args]: readonly string[], folder: string): Promise<unknown> {
  const agent = spawn(command, [...args, server.url(routes.mcp), TOKEN], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  for await (const line of createInterface(agent.stdout)) if (lines.push(line) === 1) await server.deliver(line)
  return JSON.parse(lines.at(-1) ?? '')
}

const languages = process.env.MCP_AGENTS === 'all' ? [...INTERPRETED, ...COMPILED] : INTERPRETED
test.each(languages)(
  'an agent signs up with $name',
  async ({ install, agents }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-agents-'))
    try {
      install(folder)
      for (const [revision, command] of Object.entries(agents)) {
        const spoken = /^\d/.test(revision) ? { revision } : {}
        expect(await signUp(command, folder), revision).toEqual({ tools: 7, code: '481516', wrong: true, gone: true, ...spoken })
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
