/** The doctor speaks of mail libraries on this machine: real servers with each setting and certificate. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { sharedFolder } from '#test/harness/until-end.ts'
import { identifyServer } from '../control.ts'
import { checkStarttls } from './mail-checks.ts'

const folder = sharedFolder()

/** A finding as one line. `isTrusted`: this machine trusts the certificate that the server generated. */
async function ask(env: Readonly<Record<string, string>>, isTrusted = false): Promise<string> {
  await using server = await startTestServer({ env })
  const found = await checkStarttls({
    config: readConfig({ ...env, HOST: '127.0.0.1', DATA_DIR: server.folder }),
    names: createNameServer([]),
    identify: () => identifyServer(server.folder),
    createProbe: async () => undefined,
    mailPort: server.app.smtpPort,
    timeServer: '',
    clock: Date.now,
    ca: isTrusted ? await readFile(join(server.folder, 'smtp-certificate.pem'), 'utf8') : undefined,
  })
  return found.map(({ status, sentence, remedy = '' }) => `${status}: ${sentence} ${remedy}`).join('\n')
}

const PUBLIC = { MAIL_DOMAINS: 'mayfly.example' }

test('the generated certificate is for the internet alone, unless SMTP_STARTTLS says otherwise', async () => {
  expect(await ask(PUBLIC)).toMatch(
    /^ok: .*in private networks send without TLS\. All others .* certificate for mayfly\.example, localhost, /,
  )
  const always = { ...PUBLIC, SMTP_STARTTLS: 'always' }
  expect(await ask(always)).toMatch(/^warning: .*generated certificate .*which most mail libraries refuse\. Set SMTP_STARTTLS=auto/)
  expect(await ask(always, true)).toMatch(/^ok: .*trusted certificate for localhost/)
})

test('never is well for tests, and a hint on the internet', async () => {
  expect(await ask({ SMTP_STARTTLS: 'never' })).toMatch(/^ok: .*send without TLS\. $/)
  expect(await ask({ ...PUBLIC, SMTP_STARTTLS: 'never' })).toMatch(/^warning: STARTTLS is offered to nobody.*SMTP_STARTTLS=auto/)
})

test("a certificate of the operator that lacks the libraries' name is named, as a hint where only tests send", async () => {
  const { cert, key } = selfSign('mx.mayfly.example', Date.now())
  const given = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  await Promise.all([writeFile(given.TLS_CERT, cert), writeFile(given.TLS_KEY, key)])
  const refused =
    'certificate for mx.mayfly.example: a mail library that connects to localhost refuses it. Let libraries connect to mx.mayfly.example'
  expect(await ask({ ...PUBLIC, ...given })).toMatch(/^ok: /)
  expect(await ask({ ...PUBLIC, ...given })).toContain(refused)
  expect(await ask(given)).toMatch(/^warning: /)
})
