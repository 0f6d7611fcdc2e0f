/** Mail of every size that some limit or buffer in the code could treat differently, read in every way. */
import { afterAll, expect, test } from 'vitest'
import { messageSchema } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

const KB = 1024
const SIZES = [4, 8, 12, 16, 20, 24, 32, 48, 64, 256, 1024, 4096, 25_000].map(size => size * KB)
const LINE = `${'word '.repeat(14)}\r\n`

// Disposing fails if a mail thread died or anything else was logged as a warning.
const server = await startTestServer({ isClockRunning: true })
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

for (const bytes of SIZES) {
  test(`a text of ${bytes / KB} kB is read as text, raw, by waiting and as a row, several times`, async () => {
    const { email, token } = await server.createMailbox()
    const raw = textMail(email, bytes)
    await server.deliverRaw(email, raw)
    const id = await server.firstId(token)
    for (const path of [pathTo(routes.message, { id }), `${routes.wait}?timeoutSeconds=5`, pathTo(routes.message, { id })]) {
      const { text } = messageSchema.parse(JSON.parse((await get(token, path)).toString()))
      expect(text?.length).toBeGreaterThan(Math.min(bytes, 512 * KB) * 0.9)
    }
    expect((await get(token, pathTo(routes.raw, { id }))).equals(raw)).toBe(true)
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
