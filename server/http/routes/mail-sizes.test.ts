/** Mail of every size that some limit or buffer in the code could treat differently, read in every way. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { readEventStream } from '#contract/event-stream.ts'
import { messageListSchema, messageSchema, streamEventSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { startClient } from '#test/client/start-client.ts'
import { bearer } from '#test/harness/mayfly/start-test-server.ts'

const KB = 1024
const SIZES = [4, 8, 12, 16, 20, 24, 32, 48, 64, 256, 1024, 4096, 25_000].map(size => size * KB)
const LINE = `${'word '.repeat(14)}\r\n`

// Disposing fails if a mail thread died or anything else was logged as a warning.
const { server, mayfly, apiKey } = await startClient({ MCP: 'on' })
afterAll(() => server[Symbol.asyncDispose]())

const head = (email: string, type: string) =>
  `From: a@sender.test\r\nTo: ${email}\r\nSubject: size\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n`

function textMail(email: string, bytes: number): Buffer {
  return Buffer.from(`${head(email, 'text/plain')}\r\n${LINE.repeat(Math.ceil(bytes / LINE.length))}`)
}

function attachmentMail(email: string, content: Buffer): Buffer {
  const body = content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const attachment = `--b\r\nContent-Type: application/octet-stream; name=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n--b--\r\n`
  return Buffer.from(`${head(email, 'multipart/mixed; boundary=b')}\r\n--b\r\n\r\nhello\r\n${attachment}`)
}

const get = async (token: string, path: string) => {
  const response = await fetch(server.url(path), { headers: bearer(token) })
  expect(response.status, path).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** The first message that the event stream tells, which is read from before the mail is delivered. */
async function tellArrival(token: string, deliver: () => Promise<unknown>) {
  const response = await fetch(server.url(routes.events), { headers: bearer(token) })
  const arrival = firstMessage(response)
  await deliver()
  return arrival
}

async function firstMessage({ body }: Response) {
  const others: string[] = []
  for await (const { data } of readEventStream(body ?? expect.fail('no stream'), () => undefined)) {
    const event = streamEventSchema.parse(JSON.parse(data))
    if (event.type === 'message') return event.message
    others.push(data)
  }
  return expect.fail(`the stream ended after ${others.join(' ')}`)
}

for (const bytes of SIZES) {
  test(`a text of ${bytes / KB} kB is told by the stream, listed, and read as text, raw and by waiting, several times`, async () => {
    const { email, token } = await server.createMailbox()
    const raw = textMail(email, bytes)
    const told = await tellArrival(token, () => server.deliverRaw(email, raw))
    expect(told).toMatchObject({ subject: 'size', size: raw.length })
    const rows = messageListSchema.parse(JSON.parse((await get(token, routes.messages)).toString()))
    expect(rows.messages).toEqual([told])
    const { id } = told
    for (const path of [pathTo(routes.message, { id }), `${routes.wait}?timeoutSeconds=5`, pathTo(routes.message, { id })]) {
      const { text } = messageSchema.parse(JSON.parse((await get(token, path)).toString()))
      expect(text?.length).toBeGreaterThan(Math.min(bytes, 512 * KB) * 0.9)
    }
    expect((await get(token, pathTo(routes.raw, { id }))).equals(raw)).toBe(true)
    const mailbox = await mayfly.openMailbox(token)
    expect(raw.equals(await (await mailbox.readMessage(id)).raw()), 'with the client').toBe(true)
  })

  test(`an attachment of ${bytes / KB} kB is downloaded byte for byte`, async () => {
    const { email, token } = await server.createMailbox()
    const content = Buffer.alloc(Math.floor(bytes * 0.7), 'mayfly ')
    await server.deliverRaw(email, attachmentMail(email, content))
    const id = await server.firstId(token)
    const link = await server.post(pathTo(routes.attachmentLink, { id, index: '0' }), '{}', bearer(token))
    const { url } = (await link.json()) as { url: string }
    const download = await fetch(new URL(url, server.url('/')))
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  })
}

test('texts of every size are read by an agent', async () => {
  const agent = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: bearer(apiKey) }
  await agent.connect(new StreamableHTTPClientTransport(new URL(server.url(routes.mcp)), { requestInit }))
  const call = async (name: string, input: Record<string, unknown>) =>
    Object((await agent.callTool({ name, arguments: input })).structuredContent)
  const { address: inbox } = await call('create_inbox', { lifetime_seconds: 600 })
  for (const bytes of SIZES) {
    await server.deliverRaw(inbox, textMail(inbox, bytes))
    const [newest] = (await call('list_messages', { inbox })).messages
    const { message } = await call('read_message', { inbox, id: newest.id })
    expect(message.text, `${bytes / KB} kB`).toContain('word word')
  }
  await agent.close()
})
