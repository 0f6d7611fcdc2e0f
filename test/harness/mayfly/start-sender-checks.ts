/** A server whose mail comes from any address, told by the PROXY protocol, and whose DNS is a zone of the test. */
import { expect } from 'vitest'
import { type Authentication, type MessageSummary, messageListSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { SmtpClient } from '../clients/smtp-client.ts'
import type { SentMail } from '../mail/sender-suites.ts'
import { type DnsFault, startDnsServer, type Zone } from '../servers/dns-server.ts'
import { bearer, startTestServer } from './start-test-server.ts'

type CheckedMail = MessageSummary & { readonly authentication: Authentication }

type SenderChecks = AsyncDisposable & {
  /** The test may change both at any time: no answer is kept. */
  readonly zone: Zone
  /** By name and type. */
  readonly faults: Map<string, DnsFault>
  readonly dnsAddress: string
  /** Resolves to the row of the mail once its sender is checked, or to the reply of a server that refuses the envelope. */
  check(mail: SentMail): Promise<CheckedMail | string>
}

export async function startSenderChecks(): Promise<SenderChecks> {
  const zone: Zone = {}
  const faults = new Map<string, DnsFault>()
  const dns = await startDnsServer(zone, { fault: (name, type) => faults.get(`${name} ${type}`), ttlS: 0 })
  const server = await startTestServer({ env: { DNS_SERVERS: dns.address, PROXY_PROTOCOL_FROM: '127.0.0.1' } })

  async function check({ ip, helo, from, raw }: SentMail): Promise<CheckedMail | string> {
    const { email, token } = await server.createMailbox()
    await using client = SmtpClient.open(server.app.smtpPort)
    client.send(`PROXY ${ip.includes(':') ? 'TCP6' : 'TCP4'} ${ip} ${ip.includes(':') ? '2001:db8::1' : '192.0.2.1'} 40000 25\r\n`)
    await client.reply()
    for (const command of [`EHLO ${helo}`, `MAIL FROM:<${from}>`]) {
      client.send(`${command}\r\n`)
      const reply = await client.reply()
      if (!reply.startsWith('250')) return reply
    }
    const stuffed = raw.toString('latin1').replace(/^\./gm, '..')
    await client.play([
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
      [Buffer.from(`${stuffed}${stuffed.endsWith('\r\n') || stuffed === '' ? '' : '\r\n'}.\r\n`, 'latin1'), 250],
    ])
    const newest = async () => {
      const response = await fetch(server.url(routes.messages), { headers: bearer(token) })
      return messageListSchema.parse(await response.json()).messages[0]
    }
    await expect.poll(async () => (await newest())?.authentication, { timeout: 30_000, interval: 20 }).toBeDefined()
    const row = await newest()
    if (!row?.authentication) throw new Error('the message is gone')
    return { ...row, authentication: row.authentication }
  }

  return {
    zone,
    faults,
    dnsAddress: dns.address,
    check,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

/** A few at once: the server gives each network only a share of its checks. */
export async function mapFew<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 6) results.push(...(await Promise.all(items.slice(at, at + 6).map(run))))
  return results
}
