/** Sends the API the requests that Schemathesis generates from its description. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'

const run = promisify(execFile)
const TOKEN = `mft_${'s'.repeat(43)}`
const SCHEMATHESIS = '4.32.5'

/** Its own environment, in the user's caches and so for every checkout, because installing takes a minute and a package index. */
async function installSchemathesis(): Promise<string | undefined> {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(caches, `mayfly-schemathesis-${SCHEMATHESIS}`)
  const program = join(folder, 'bin/schemathesis')
  try {
    if (!existsSync(program)) {
      await run('python3', ['-m', 'venv', folder])
      await run(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`])
    }
    return program
  } catch {
    return undefined
  }
}

/** What they destroy is needed by the others. */
const ENDING = ['removeMessage', 'destroyMailbox', 'signOutEverywhere', 'deleteAccount']

test('Schemathesis finds no response that the description does not declare, in any operation', async ({ skip }) => {
  const schemathesis = await installSchemathesis()
  if (schemathesis === undefined) return skip('needs python3 with venv, and PyPI')
  await using server = await startTestServer({
    env: {
      API_TOKENS: `fuzz:${createHash('sha256').update(TOKEN).digest('hex')}`,
      API_MAILBOXES_MAX: '50000',
    },
    isClockRunning: true,
  })
  const { email, token } = await server.createMailbox()
  await server.deliver(email)
  const { cookies } = await server.signedIn('fuzz@example.com')
  const [session = ''] = cookies.values()
  // A stream does not end, and a long poll waits for half a minute.
  const config = join(server.folder, 'schemathesis.toml')
  await writeFile(
    config,
    `
[auth.openapi.mailboxToken]
bearer = "${token}"

[auth.openapi.apiKey]
bearer = "${TOKEN}"

[auth.openapi.session]
api_key = "${session}"

[[operations]]
include-operation-id = "streamEvents"
max-stream-events = 1
request-timeout = 2

[[operations]]
include-operation-id = "waitForMessage"
parameters = { "timeoutSeconds" = 0 }

[[operations]]
include-path-regex = "^/api/mailbox/messages/"
parameters = { "id" = "${await server.firstId(token)}", "index" = 0 }
`,
  )
  const check = async (filters: readonly string[]) => {
    const args = ['--config-file', config, 'run', server.url(routes.openapi), ...filters]
    const bounds = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--request-timeout', '10', '--no-color', '--seed', '1']
    // A failed check ends the program with 1, and what it says is the message of the test.
    await run(schemathesis, [...args, ...bounds], { maxBuffer: 64 * 1024 * 1024, cwd: server.folder }).catch(error => {
      throw new Error(String(error.stdout ?? error))
    })
  }
  await check(ENDING.flatMap(name => ['--exclude-operation-id', name]))
  for (const name of ENDING) await check(['--include-operation-id', name])
}, 900_000)
