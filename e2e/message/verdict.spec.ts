/** The reader sees the verdict on a sender: real DNS records, real mail. */
import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { test as base, expect } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'
import { openHome } from './reader/reading.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  server: async ({}, use) => {
    const zone = {
      '_dmarc.watching.test TXT': ['v=DMARC1; p=none; rua=mailto:reports@watching.test'],
      '_dmarc.strict.test TXT': ['v=DMARC1; p=reject'],
      '_dmarc.failing.test TXT': ['v=DMARC1; p=reject'],
      '_dmarc.signing.test TXT': ['v=DMARC1; p=quarantine'],
      's1._domainkey.signing.test TXT': [`v=DKIM1; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`],
    }
    await using dns = await startDnsServer(zone, { fault: name => (name === 'failing.test' ? 'SERVFAIL' : undefined) })
    await using server = await startServerProcess({ env: { DNS_SERVERS: dns.address, BOT_CHECK: 'off', TRUST_PROXY: '127.0.0.1' } })
    await use(server)
  },
})

for (const [language, unsigned, policy] of [
  ['en', 'unsigned: subject', 'p=quarantine of signing.test'],
  ['es', 'sin firmar: asunto', 'p=quarantine de signing.test'],
] as const) {
  test(`a mail that is signed only in part says so, and what is not (${language})`, async ({ page, server }) => {
    const to = await openHome(page, language)
    const { verdict } = (await loadWords(language)).message
    const transport = createTransport({
      ...{ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } },
      dkim: {
        ...{ domainName: 'signing.test', keySelector: 's1', headerFieldNames: 'From:To:Date:Content-Type' },
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    })
    await transport.sendMail({ from: 'Shop <news@signing.test>', to, subject: 'Your order', text: 'It is on its way.' })
    await page.locator('[data-message]').filter({ hasText: 'Your order' }).getByRole('button').first().click()
    const line = page.getByRole('dialog').locator('[data-verdict=unknown]')
    await expect(line).toContainText(verdict.signed_in_part.word({ domain: '' }))
    await line.click()
    const note = page.getByRole('dialog').getByRole('note')
    for (const text of [verdict.signed_in_part.sentence({ domain: 'signing.test' }), unsigned, policy])
      await expect(note).toContainText(text)
  })
}

for (const [language, advice] of [
  ['en', 'Anyone could have written this name.'],
  ['es', 'Cualquiera pudo escribir este nombre.'],
] as const) {
  test(`an honest sender without a policy in force keeps the code and gets the calm sentence (${language})`, async ({ page, server }) => {
    const to = await openHome(page, language)
    const { verdict } = (await loadWords(language)).message
    const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } })
    for (const domain of ['watching.test', 'failing.test', 'strict.test'])
      await transport.sendMail({ from: `Shop <news@${domain}>`, to, subject: domain, text: 'Your code is 481516.' })
    const row = (subject: string) => page.locator('[data-message]').filter({ hasText: subject })
    await expect(row('strict.test').getByTestId('check-sender')).toBeVisible()
    await expect(row('strict.test').getByText('481 516')).toHaveCount(0)
    for (const domain of ['watching.test', 'failing.test']) {
      await expect(row(domain).getByTestId('check-sender')).toHaveCount(0)
      await expect(row(domain).getByText('481 516')).toBeVisible()
      await row(domain).getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.locator('[data-verdict=unknown]')).toContainText(verdict.unverified.word({ domain }))
      await expect(dialog.getByRole('button', { name: /481 516/ })).toBeVisible()
      await dialog.locator('[data-verdict]').click()
      await expect(dialog.getByRole('note')).toContainText(advice)
      await expect(dialog.getByTestId('policy-warning')).toHaveCount(0)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    await row('strict.test').getByRole('button').first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('[data-verdict=contradicted]')).toContainText(verdict.policy.word({ domain: '' }))
    await expect(dialog.getByTestId('policy-warning')).toHaveText(`${verdict.policy.sentence({ domain: 'strict.test' })}.`)
    await expect(dialog.getByRole('button', { name: /481 516/ })).toHaveCount(0)
  })
}

test('where DNS answers for no sender the list says so once, and no mail by itself', async ({ page, noise }) => {
  // The server of this test ends before its page does.
  noise.allow(/ERR_/)
  await using dns = await startDnsServer({}, { fault: () => 'SERVFAIL' })
  await using server = await startServerProcess({ env: { DNS_SERVERS: dns.address, BOT_CHECK: 'off', TRUST_PROXY: '127.0.0.1' } })
  const { inbox, message } = await loadWords('en')
  await page.goto(`http://127.0.0.1:${server.httpPort}/?lang=en`)
  const to = await addressOn(page)
  const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } })
  for (const subject of ['One', 'Two']) await transport.sendMail({ from: 'Ada <ada@sender.test>', to, subject, text: 'hello' })
  await expect(page.getByText(inbox.sendersUnchecked)).toHaveCount(1)
  await page.locator('[data-message]').filter({ hasText: 'One' }).getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'One' })).toBeVisible()
  await expect(dialog.locator('[data-verdict]')).toHaveCount(0)
  await dialog.getByRole('button', { name: message.details }).click()
  await expect(dialog.getByRole('note')).toContainText(message.verdict.unverified.sentence({ domain: '' }))
})
