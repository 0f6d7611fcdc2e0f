/**
 * Checks the API's description with the rules of Spectral, against its own schemas, and with requests that Schemathesis generates from it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import type { OpenAPIV3_1 } from 'openapi-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { startTestServer, type TestServer } from '#test/harness/mayfly/start-test-server.ts'
import { schemaExamples } from './examples.ts'
import { componentSchemas } from './schemas.ts'

const run = promisify(execFile)
const TOKEN = `mft_${'s'.repeat(43)}`
const SCHEMATHESIS = '4.32.5'

let server: TestServer
let document: OpenAPIV3_1.Document
beforeAll(async () => {
  server = await startTestServer({
    env: {
      API_TOKENS: `fuzz:${createHash('sha256').update(TOKEN).digest('hex')}`,
      API_CREATIONS_PER_HOUR: '100000',
      API_MAILBOXES_MAX: '50000',
    },
    isClockRunning: true,
  })
  document = await (await fetch(server.url(routes.openapi))).json()
})
afterAll(() => server[Symbol.asyncDispose]())

const operations = () =>
  Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({ path, method, operation: operation as OpenAPIV3_1.OperationObject })),
  )

test('the description passes every rule of spectral:oas, including the recommended ones', async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'all']] })
  const found = await spectral.run(JSON.parse(JSON.stringify(document)))
  expect(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
}, 60_000)

test('every example matches its schema', () => {
  for (const [name, example] of Object.entries(schemaExamples)) {
    const parsed = componentSchemas[name]?.safeParse(example)
    expect(parsed?.success, `${name}: ${JSON.stringify(parsed?.error?.issues)}`).toBe(true)
  }
})

describe('every operation', () => {
  test('has examples in curl, TypeScript and Python, and an example of its body and its response', () => {
    for (const { path, method, operation } of operations()) {
      const samples = (operation as { 'x-codeSamples'?: { lang: string; source: string }[] })['x-codeSamples'] ?? []
      expect(
        samples.map(({ lang }) => lang),
        `${method} ${path}`,
      ).toEqual(['Shell', 'TypeScript', 'Python'])
      const { requestBody, responses } = operation
      const contents = [requestBody, ...Object.entries(responses ?? {}).flatMap(([status, response]) => (status < '300' ? [response] : []))]
      for (const content of contents) {
        const json = content && 'content' in content ? content.content?.['application/json'] : undefined
        if (json) expect(json.example, `${method} ${path}`).toBeDefined()
      }
    }
  })

  test('with a body declares the errors of size and type, and one with a credential the error of a missing one', () => {
    for (const { path, method, operation } of operations()) {
      const statuses = Object.keys(operation.responses ?? {})
      if (operation.requestBody) expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(['413', '415']))
      if (operation.security?.length) expect(statuses, `${method} ${path}`).toContain('401')
    }
  })
})

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
