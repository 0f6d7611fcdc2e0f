/**
 * A mail whose server is on a DNS blocklist is accepted, and the reader is told. Uses real DNS, and a real sender's address through the
 * PROXY protocol.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { test as base, expect } from '../harness/fixtures.ts'
import { openHome } from '../message/reader/reading.ts'

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  server: async ({}, use) => {
    await using dns = await startDnsServer({ '9.113.0.8.zen.example.org A': ['127.0.0.4'] })
    const lists = { DNS_SERVERS: dns.address, DNS_BLOCKLISTS: 'zen.example.org,other.example.org' }
    await using server = await startServerProcess({
      env: { ...lists, PROXY_PROTOCOL_FROM: '127.0.0.1', TRUST_PROXY: '127.0.0.1', BOT_CHECK: 'off' },
    })
    await use(server)
  },
})

/** Delivers from this address; returns all replies. */
async function deliverFrom(smtpPort: number, address: string, to: string, subject: string): Promise<string> {
  const socket = connect(smtpPort, '127.0.0.1')
  const mail = `From: Ann <ann@sender.test>\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nHello.\r\n.\r\n`
  socket.write(`PROXY TCP4 ${address} 127.0.0.1 5000 25\r\n`)
  let heard = ''
  for (const command of ['HELO sender.test\r\n', 'MAIL FROM:<ann@sender.test>\r\n', `RCPT TO:<${to}>\r\n`, 'DATA\r\n', mail, 'QUIT\r\n']) {
    await new Promise(resolve => socket.once('readable', resolve))
    heard += socket.read()
    socket.write(command)
  }
  return heard + (await text(socket))
}

test('a sender on a blocklist is marked, and another is not', async ({ page, server }) => {
  const to = await openHome(page, 'es')
  for (const [address, subject] of [
    ['8.0.113.9', 'Listed'],
    ['8.0.113.10', 'Unlisted'],
  ] as const) {
    expect(await deliverFrom(server.smtpPort, address, to, subject)).toMatch(/^354 .*\r\n250 /m)
  }
  await page.locator('[data-message]').filter({ hasText: 'Unlisted' }).getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-verdict="unknown"]')).toBeVisible()
  await expect(dialog.getByTestId('listed')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page
    .locator('[data-message]')
    .filter({ hasText: /^(?!.*Unlisted).*Listed/ })
    .getByRole('button')
    .first()
    .click()
  await expect(dialog.getByTestId('listed')).toHaveText('El servidor que lo envió está en una lista de bloqueo: zen.example.org.')
  await expect(dialog.getByRole('article')).toContainText('Hello.')
})
