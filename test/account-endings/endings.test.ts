/** The owner deletes an account or resets its password while an intruder's session and API key create addresses: over HTTP and SMTP. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { type MailboxCreated, mailboxCreatedSchema, mailboxesCreatedSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { createVisitor, PASSWORD, type Visitor } from '../harness/clients/visitor.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { type MailRecorder, startMailRecorder } from '../harness/servers/mail-recorder.ts'
import { type Engines, onEachEngine } from './engines.ts'

const NEW_PASSWORD = 'the password of the rescue'
const WORKERS = 8

onEachEngine(endingsSuite)

function endingsSuite(engines: Engines): void {
  let server: RunningServer
  let recorder: MailRecorder
  let dataDir: string
  let env: Record<string, string>
  let accounts = 0
  beforeAll(async () => {
    recorder = await startMailRecorder()
    const quick = { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000', SMTP_RELAY_URL: recorder.url }
    env = { ...quick, ...(await engines()) }
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-endings-'))
    server = await startServerProcess({ env, dataDir })
  })
  afterAll(async () => {
    await server.stop()
    await recorder[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })

  const visitor = (headers?: Record<string, string>) => createVisitor(`http://127.0.0.1:${server.httpPort}`, headers)

  async function newAccount() {
    const email = `owner${++accounts}@sender.test`
    const owner = visitor()
    expect((await owner.post(routes.authSignUp, { email, password: PASSWORD, language: 'en' })).status).toBe(202)
    expect((await owner.post(routes.authConfirm, { token: await recorder.nextToken(email), password: PASSWORD })).status).toBe(204)
    expect((await owner.signIn(email)).status).toBe(200)
    const intruder = visitor()
    expect((await intruder.signIn(email)).status).toBe(200)
    return { email, owner, intruder }
  }

  async function resetToken(email: string): Promise<string> {
    expect((await visitor().post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
    return recorder.nextToken(email)
  }

  const endings = {
    deletion: async (owner: Visitor) => () => owner.post(routes.authDeleteAccount, { password: PASSWORD }),
    reset: async (_: Visitor, email: string) => {
      const token = await resetToken(email)
      return () => visitor().post(routes.authResetPassword, { token, password: NEW_PASSWORD, destroyMailboxes: true })
    },
  }

  test.each(['deletion', 'reset'] as const)('a %s while another session creates addresses leaves none', async kind => {
    const { email, owner, intruder } = await newAccount()
    const end = await endings[kind](owner, email)
    const flood = startFlood(
      () => intruder.post(routes.mailboxes, {}),
      ({ kept }) => kept === true,
    )
    await flood.until(10)
    const answer = await end()
    await flood.stopped()
    const left = await open(flood.made)
    expect(answer.status).toBe(204)
    expect(left).toEqual({ open: 0, receive: 0 })
    expect(flood.refusals.filter(refused => !/^(401 sign_in_required|409 mailboxes_max|429 rate_limited)$/.test(refused))).toEqual([])
  })

  test.each(['deletion', 'reset'] as const)(
    'a %s is not held up by an API key that creates addresses',
    async kind => {
      const { email, owner, intruder } = await newAccount()
      const end = await endings[kind](owner, email)
      const { key } = apiKeyCreatedSchema.parse(JSON.parse((await intruder.post(routes.accountApiKeys, { name: 'k' })).text))
      const program = visitor({ authorization: `Bearer ${key}` })
      const first = mailboxesCreatedSchema.parse(JSON.parse((await program.post(routes.mailboxBatch, { count: 100 })).text)).mailboxes
      const flood = startFlood(
        () => program.post(routes.mailboxes, { lifetimeSeconds: 86_400 }),
        () => true,
      )
      flood.made.push(...first)
      await flood.until(1000)
      const answer = await Promise.race([end(), new Promise<undefined>(resolve => setTimeout(resolve, 40_000))])
      const afterAnswer = await flood.stopped()
      const left = await open(flood.made)
      expect(answer?.status).toBe(204)
      expect(afterAnswer).toBe(0)
      expect(left).toEqual({ open: 0, receive: 0 })
      expect(flood.refusals.filter(refused => !/^401 api_token_invalid$/.test(refused))).toEqual([])
    },
    240_000,
  )

  test('a deletion that a kill interrupts goes on after the restart', async () => {
    const { email, owner, intruder } = await newAccount()
    const { key } = apiKeyCreatedSchema.parse(JSON.parse((await intruder.post(routes.accountApiKeys, { name: 'k' })).text))
    const program = () => visitor({ authorization: `Bearer ${key}` })
    const made: MailboxCreated[] = []
    for (let batch = 0; batch < 20; batch++)
      made.push(...mailboxesCreatedSchema.parse(JSON.parse((await program().post(routes.mailboxBatch, { count: 100 })).text)).mailboxes)
    const deletion = owner.post(routes.authDeleteAccount, { password: PASSWORD }).then(
      () => 'answered',
      () => 'cut off',
    )
    while ((await program().post(routes.mailboxes, {})).code !== 'api_token_invalid');
    await server.kill9()
    expect(await deletion).toBe('cut off')
    server = await startServerProcess({ env, dataDir })
    await expect.poll(async () => (await open(made)).open, { timeout: 60_000 }).toBe(0)
    expect((await visitor().signIn(email)).code).toBe('credentials_wrong')
  })

  /** Creates with many requests at once until it is stopped. */
  function startFlood(create: () => ReturnType<Visitor['post']>, isOwners: (mailbox: MailboxCreated) => boolean) {
    const made: MailboxCreated[] = []
    const refusals: string[] = []
    let isStopping = false
    let isOver = 0
    const worker = async () => {
      while (!isStopping) {
        const { status, code, text } = await create()
        const mailbox = status === 201 ? mailboxCreatedSchema.parse(JSON.parse(text)) : undefined
        // Signed out, it gets the address of any visitor.
        if (status === 401 || (mailbox && !isOwners(mailbox))) break
        if (mailbox) made.push(mailbox)
        else refusals.push(`${status} ${code}`)
        if (!mailbox) await new Promise(resolve => setTimeout(resolve, 2))
      }
      isOver += 1
    }
    const workers = Array.from({ length: WORKERS }, worker)
    return {
      made,
      refusals,
      async until(count: number) {
        while (made.length < count && isOver < WORKERS) await new Promise(resolve => setTimeout(resolve, 5))
      },
      /** Lets it go on for a second; resolves to the number of addresses created meanwhile. */
      async stopped() {
        const before = made.length
        await new Promise(resolve => setTimeout(resolve, 1000))
        isStopping = true
        await Promise.all(workers)
        return made.length - before
      },
    }
  }

  /** How many of them can be read, and receive mail. */
  async function open(made: readonly { email: string; token: string }[]) {
    const left = { open: 0, receive: 0 }
    for (const { email, token } of made) {
      const { status } = await visitor().ask('GET', routes.mailbox, { headers: { authorization: `Bearer ${token}` } })
      if (status !== 200) continue
      left.open += 1
      await using client = await SmtpClient.connect(server.smtpPort)
      await client.play([['EHLO sender.test', 250]])
      const [reply = ''] = await client
        .play([
          ['MAIL FROM:<>', 250],
          [`RCPT TO:<${email}>`, ''],
        ])
        .then(replies => replies.slice(1))
      if (reply.startsWith('250')) left.receive += 1
    }
    return left
  }
}
