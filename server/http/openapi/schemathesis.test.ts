/** Sends the API the requests that Schemathesis generates from its description. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
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

/** What they end is needed by the others, or by each other. */
const ENDING = [
  'deleteMessage',
  'removeMailboxWebhook',
  'destroyMailbox',
  'removeWebhook',
  'removeAccountWebhook',
  'endSession',
  'destroyMailboxById',
  'destroyMailboxes',
  'signOut',
  'signOutEverywhere',
  'startAddingPasskey',
  'changePassword',
  'deleteAccount',
]

/** With an id of their own. */
const ALONE = ['removeAccountWebhook', 'endSession']

/** They need what is in a mail to a person. */
const NOT_REACHED = [
  'POST /api/auth/confirm',
  'POST /api/auth/reset-password',
  // It needs the token of an address that nobody owns.
  'POST /api/account/mailboxes',
  // They need an authenticator.
  'POST /api/auth/passkeys/sign-in',
  'POST /api/auth/passkeys/sign-up',
  'POST /api/account/passkeys',
  'POST /api/account/passkeys/{id}/removal',
]

/** What an API key of an account can do, besides what all of the above do with an API token. */
const OF_API_KEYS = ['createMailbox', 'createMailboxes', 'listMailboxes', 'createWebhook', 'listWebhooks', 'testWebhook', 'rotateWebhook']

type Subject = Record<'mailboxToken' | 'apiKey' | 'session' | 'messageId' | 'mailboxId' | 'webhookId' | 'mailboxWebhookId', string>

test('Schemathesis reaches every operation with its credentials, and finds no response that the description does not declare', async ({
  skip,
}) => {
  const schemathesis = await installSchemathesis()
  if (schemathesis === undefined) return skip('needs python3 with venv, and PyPI')
  await using server = await startTestServer({
    env: { API_TOKENS: `fuzz:${createHash('sha256').update(TOKEN).digest('hex')}`, API_MAILBOXES_MAX: '50000' },
    isClockRunning: true,
    // Some of the addresses that fit the description have a domain that the relay of this test does not take.
    allowLog: [/"reason":"501","msg":"The relay did not take a mail/],
  })
  const post = async (path: string, body: object, credential: string) =>
    (await server.post(path, JSON.stringify(body), { authorization: `Bearer ${credential}`, 'content-type': 'application/json' })).json()
  const hook = { url: 'https://ci.example/hooks/mail' }
  // The account of the description's examples, so that they sign in.
  const visitor = await server.signedIn('ada@example.com')
  const { key } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'fuzz' })).text)
  const third = await server.signedIn('ada@example.com')
  const sessionOf = async (email: string) => [...(await server.signedIn(email)).cookies.values()][0] ?? ''
  // What ends its session, or needs the attempts at its password, has an account of its own.
  const sessions: Record<string, string> = {
    signOutEverywhere: await sessionOf('grace@example.com'),
    startAddingPasskey: await sessionOf('joan@example.com'),
    changePassword: await sessionOf('ida@example.com'),
    deleteAccount: await sessionOf('lin@example.com'),
  }

  async function subject(apiKey: string, session = [...visitor.cookies.values()][0] ?? ''): Promise<Subject> {
    const [mailbox, second, webhook] = [
      await post(routes.mailboxes, {}, apiKey),
      await post(routes.mailboxes, {}, apiKey),
      await post(routes.webhooks, hook, apiKey),
    ]
    await server.deliver(mailbox.email)
    return {
      mailboxToken: mailbox.token,
      apiKey,
      session,
      messageId: await server.firstId(mailbox.token),
      mailboxId: second.id,
      webhookId: webhook.id,
      mailboxWebhookId: (await post(routes.mailboxWebhooks, hook, mailbox.token)).id,
    }
  }

  const notReached = new Set<string>()
  const check = async (given: Subject, filters: readonly string[], more = '', target = server) => {
    const config = join(server.folder, 'schemathesis.toml')
    await writeFile(config, `${configuration(given)}${more}`)
    const args = ['--config-file', config, 'run', target.url(routes.openapi), ...filters]
    const bounds = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--request-timeout', '10', '--no-color', '--seed', '1']
    // A failed check ends the program with 1, and what it says is the message of the test.
    const { stdout } = await run(schemathesis, [...args, ...bounds], { maxBuffer: 64 * 1024 * 1024, cwd: server.folder }).catch(error => {
      throw new Error(String(error.stdout ?? error))
    })
    for (const [, operation = ''] of stdout.matchAll(/^ {2}- ([A-Z]+ \/api\/\S+)$/gm)) notReached.add(operation)
  }
  const only = (...names: string[]) => names.flatMap(name => ['--include-operation-id', name])

  // First: what follows may end the account's key.
  const ofAccount = await subject(key)
  await check(ofAccount, only(...OF_API_KEYS))
  await check(ofAccount, only('removeAccountWebhook'), operation('removeAccountWebhook', { id: ofAccount.webhookId }))
  const all = await subject(TOKEN)
  // Valid for a minute.
  const link = pathTo(routes.attachmentLink, { id: all.messageId, index: '0' })
  const { url } = await post(link, {}, all.mailboxToken)
  await check(all, only('downloadAttachment'), operation('downloadAttachment', { capability: url.split('/').at(-1) }))
  await check(
    all,
    [...ENDING, 'downloadAttachment', 'readChallenge'].flatMap(name => ['--exclude-operation-id', name]),
  )
  await using guarded = await startTestServer({ env: { BOT_CHECK: 'pow' } })
  await check(all, only('readChallenge'), '', guarded)
  const listed = JSON.parse((await third.ask('GET', routes.accountSessions)).text).sessions
  const ended = listed.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id
  await check(all, only('endSession'), operation('endSession', { id: ended }))
  for (const name of ENDING.filter(one => !ALONE.includes(one))) await check({ ...all, session: sessions[name] ?? all.session }, only(name))
  expect([...notReached].filter(one => !NOT_REACHED.includes(one))).toEqual([])
}, 900_000)

function operation(id: string, parameters: object, more = ''): string {
  const values = Object.entries(parameters).map(([name, value]) => `"${name}" = ${JSON.stringify(value)}`)
  return `\n[[operations]]\ninclude-operation-id = "${id}"\nparameters = { ${values.join(', ')} }\n${more}`
}

/** A pattern cannot say which texts are URLs: "http://>" is none. */
const unparsable = (id: string) => `
[[operations]]
include-operation-id = "${id}"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 429, "5xx"]
`

/** A body that is too large is rejected too. A stream does not end, and a long poll waits for half a minute. */
function configuration({ mailboxToken, apiKey, session, messageId, mailboxId, webhookId, mailboxWebhookId }: Subject): string {
  return `
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]

[auth.openapi.mailboxToken]
bearer = "${mailboxToken}"

[auth.openapi.apiCredential]
bearer = "${apiKey}"

[auth.openapi.sessionCookie]
api_key = "${session}"

${['createWebhook', 'createMailboxWebhook'].map(unparsable).join('')}
[[operations]]
include-operation-id = "streamEvents"
max-stream-events = 1
request-timeout = 2

[[operations]]
include-operation-id = "waitForMessage"
parameters = { "timeoutSeconds" = 0 }

[[operations]]
include-path-regex = "^/api/mailbox/messages/"
parameters = { "id" = "${messageId}", "index" = 0 }

[[operations]]
include-path-regex = "^/api/mailbox/webhooks/"
parameters = { "id" = "${mailboxWebhookId}" }

[[operations]]
include-path-regex = "^/api/webhooks/"
parameters = { "id" = "${webhookId}" }
${operation('destroyMailboxById', { id: mailboxId })}`
}
