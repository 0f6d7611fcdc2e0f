import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const run = promisify(execFile)
const sendTest = (...args: string[]) => run(process.execPath, [join(import.meta.dirname, 'send-test.ts'), ...args])

const smtp = await untilEnd(startTestSmtp())

test('sends a mail with text, HTML, a code and an attachment', async () => {
  const address = await smtp.newAddress()
  const { stdout } = await sendTest(address.email, '--port', String(smtp.port), '--subject', 'Grüße: your code')
  expect(stdout).toContain(`Sent to ${address.email}`)
  const [raw] = (await address.raws()).map(String)
  expect(raw).toMatch(/^Subject: =\?UTF-8\?.*$/m)
  expect(raw).toMatch(/confirmation code is \d{6}\./)
  expect(raw).toContain('Content-Type: text/html')
  expect(raw).toContain('Content-Disposition: attachment')
})

test('sends a mail in a file as it is', async () => {
  const address = await smtp.newAddress()
  const raw = 'From: app@shop.test\r\nSubject: From a file\r\n\r\n.\r\nA line alone.\r\n'
  const file = join(smtp.config.dataDir, 'mail.eml')
  await writeFile(file, raw)
  const { stdout } = await sendTest(address.email, file, '--port', String(smtp.port), '--json')
  expect(JSON.parse(stdout)).toEqual({ to: address.email })
  expect((await address.raws()).map(String)).toEqual([raw])
  expect(await address.envelopeSenders()).toEqual(['hello@garden-club.example'])
})

test('prints its help', async () => {
  expect((await sendTest('--help')).stdout).toContain('Usage: npm run send-test -- ADDRESS')
})

test('prints the code of the mail as JSON', async () => {
  const address = await smtp.newAddress()
  const { stdout } = await sendTest(address.email, '--port', String(smtp.port), '--json')
  const { to, subject, code } = JSON.parse(stdout)
  expect([to, subject]).toEqual([address.email, 'Your confirmation code'])
  expect((await address.raws()).map(String)[0]).toContain(`confirmation code is ${code}.`)
})

test('with --json errors are JSON too', async () => {
  await expect(sendTest('gone@mayfly.test', '--port', String(smtp.port), '--json')).rejects.toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(/^\{"error":\{"code":"not_found","message":"gone@mayfly\.test does not exist/),
  })
})

test.each([
  [[], 2, /Name the address[\s\S]*Usage:/],
  [['nobody'], 2, /not an address[\s\S]*Usage:/],
  [['a@b.test', 'c@d.test'], 2, /One address at a time/],
  [['a@b.test', 'missing.eml'], 2, /missing\.eml cannot be read/],
  [['a@b.test', '--port', 'x'], 2, /not a port/],
  [['a@b.test', '--prot', '1'], 2, /--prot[\s\S]*Usage:/],
  [['a@b.test', '--port', '1'], 5, /Nothing listens on 127\.0\.0\.1:1\. Start the service/],
])('%j exits with %i and prints a remedy', async (args, code, remedy) => {
  await expect(sendTest(...args)).rejects.toMatchObject({ code, stderr: expect.stringMatching(remedy) })
})

test('says what is wrong with the address', async () => {
  const port = String(smtp.port)
  await expect(sendTest('gone@mayfly.test', '--port', port)).rejects.toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/has expired or was mistyped/),
  })
  await expect(sendTest('a@elsewhere.test', '--port', port)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/MAIL_DOMAINS/),
  })
})
