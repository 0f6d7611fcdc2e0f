/** Runs every sample of the API's description as it stands: with curl in a shell, with Node, with Python. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OpenAPIV3_1 } from 'openapi-types'
import { beforeAll, expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { Authenticator } from '#test/harness/clients/authenticator.ts'
import { PASSWORD } from '#test/harness/clients/visitor.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { sharedFolder, untilEnd } from '#test/harness/until-end.ts'

type Operation = OpenAPIV3_1.OperationObject & { readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[] }

/**
 * They need what is in a mail to a person, an answer of a device, the token of a visitor, or a bot check, which is off; or the account
 * exists already.
 */
const REFUSED: Readonly<Record<string, RegExp>> = {
  confirmEmail: /link_expired|404/,
  resetPassword: /link_expired|404/,
  readChallenge: /not_found|404/,
  signUp: /account_exists|409/,
  startPasskeySignUp: /account_exists|409/,
  signUpWithPasskey: /passkey_refused|401/,
  signInWithPasskey: /passkey_refused|401/,
  addPasskey: /passkey_refused|401/,
  keepMailbox: /mailbox_not_found|404/,
}
/** Each sample has an account of its own, and a process. */
const SAMPLES_MS_MAX = 600_000

const folder = sharedFolder()
const server = await untilEnd(startTestServer({ env: { API_MAILBOXES_MAX: '50000' }, isClockRunning: true }))
beforeAll(async () => {
  // The client as it is installed, from its sources.
  const client = join(folder, 'node_modules/mayfly-client')
  await mkdir(client, { recursive: true })
  await writeFile(join(client, 'package.json'), JSON.stringify({ name: 'mayfly-client', type: 'module', exports: './index.js' }))
  const source = pathToFileURL(resolve(import.meta.dirname, '../../../client/index.ts'))
  await writeFile(join(client, 'index.js'), `export * from ${JSON.stringify(source)}\n`)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  // Whom the samples name.
  await server.signedIn('ada@example.com')
})

async function operations(): Promise<Operation[]> {
  const { paths = {} }: OpenAPIV3_1.Document = await (await fetch(server.url(routes.openapi))).json()
  return Object.values(paths).flatMap(methods => Object.values(methods ?? {}) as Operation[])
}

let accounts = 0

/** The environment of a sample: a new account, its key, and one of everything that a path can name. */
async function environment(operationId: string): Promise<Record<string, string>> {
  const visitor = await server.signedIn(`samples-${++accounts}@example.com`)
  const created = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'samples' })).text)
  const post = async (path: string, body: object, credential: string) =>
    (await server.post(path, JSON.stringify(body), { authorization: `Bearer ${credential}` })).json()
  const mailbox = await post(routes.mailboxes, {}, created.key)
  await server.deliver(mailbox.email)
  const messageId = await server.firstId(mailbox.token)
  const link = await post(pathTo(routes.attachmentLink, { id: messageId, index: '0' }), {}, mailbox.token)
  const ofMailbox = operationId.includes('MailboxWebhook')
  const hook = await post(
    ofMailbox ? routes.mailboxWebhooks : routes.webhooks,
    { url: 'https://ci.example/hooks/mail' },
    ofMailbox ? mailbox.token : created.key,
  )
  const push = await post(routes.mailboxPush, PUSH, mailbox.token)
  const offered = await visitor.post(routes.accountPasskeyOptions, { password: PASSWORD })
  const passkey = new Authenticator(`http://localhost:${server.app.httpPort}`).create(JSON.parse(offered.text))
  const added = JSON.parse((await visitor.post(routes.accountPasskeys, { passkey })).text)
  const sessions = JSON.parse((await visitor.ask('GET', routes.accountSessions)).text)
  return {
    MAYFLY_API_KEY: created.key,
    MAILBOX_TOKEN: mailbox.token,
    SESSION_COOKIE: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    API_KEY_ID: created.id,
    ATTACHMENT_CAPABILITY: link.url.split('/').at(-1),
    MAILBOX_ID: mailbox.id,
    MESSAGE_ID: messageId,
    PASSKEY_ID: added.id,
    SESSION_ID: sessions.sessions[0].id,
    SUBSCRIPTION_ID: push.id,
    WEBHOOK_ID: hook.id,
  }
}

/** As the description's example, at another endpoint. */
const PUSH = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/samples',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const PROGRAMS: Readonly<Record<string, readonly [program: string, file: string]>> = {
  Shell: ['sh', 'sample.sh'],
  TypeScript: [process.execPath, 'sample.ts'],
  Python: ['python3', 'sample.py'],
}

type Ran = { readonly isOk: boolean; readonly output: string }

async function run({ lang, source }: { lang: string; source: string }, env: Record<string, string>, isEndless: boolean): Promise<Ran> {
  const [program, file] = PROGRAMS[lang] ?? ['', '']
  await writeFile(join(folder, file), lang === 'Shell' ? source.replace(/^curl /, 'curl --silent --show-error ') : source)
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, PYTHONUNBUFFERED: '1', ...env } }
  return isEndless ? firstOutput(program, file, options) : toEnd(program, file, options)
}

function toEnd(program: string, file: string, options: object): Promise<Ran> {
  return new Promise(settle =>
    execFile(program, [file], options, (error, stdout, stderr) =>
      settle({ isOk: error === null && !/"code":"\w+"/.test(stdout), output: `${stdout}${stderr}` }),
    ),
  )
}

/** A stream does not end: what it says first is enough. */
async function firstOutput(program: string, file: string, options: object): Promise<Ran> {
  const child = spawn(program, [file], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await new Promise<string>(settle => {
    child.stdout.once('data', (bytes: Buffer) => settle(bytes.toString()))
    child.once('close', () => settle(''))
  })
  child.kill()
  return { isOk: output !== '' && !output.includes('"code"'), output }
}

test(
  'every sample in curl, TypeScript and Python runs as it stands, and does what its operation does',
  async () => {
    const wrong: string[] = []
    for (const operation of await operations()) {
      const id = operation.operationId ?? ''
      for (const sample of operation['x-codeSamples']) {
        const { isOk, output } = await run(sample, await environment(id), id === 'streamEvents')
        const refusal = REFUSED[id]
        if (refusal ? isOk || !refusal.test(output) : !isOk) wrong.push(`${id} in ${sample.lang}: ${output}\n${sample.source}`)
      }
    }
    expect(wrong).toEqual([])
  },
  SAMPLES_MS_MAX,
)
