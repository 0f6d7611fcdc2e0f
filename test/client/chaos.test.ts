/** The client behind a connection that fails in every way: it ends in time, with the right mail, or with an error that says why. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { untilEnd } from '#test/harness/until-end.ts'
import { MailboxExpiredError, Mayfly } from '../../client/index.ts'
import { composeMail, type Fault, startChaosProxy, startClient } from './start-client.ts'

const client = await untilEnd(startClient({ DNS_SERVERS: 'off' }))

const behind = (url: string) => new Mayfly({ url, apiKey: client.apiKey })
const sendCode = (address: string, code: string) =>
  client.server.deliverRaw(address, composeMail(address, { text: `Your code is ${code}.` }))

describe('what fails for the moment is tried again within the time of the caller', () => {
  // At once, since most of it is the pauses of the client.
  test.concurrent.each([
    ['cut', 'lily'],
    ['half', 'iris'],
    ['delay', 'rose'],
    ['bad gateway', 'fern'],
    ['too many', 'moss'],
    ['not json', 'reed'],
  ] as const)(
    '%s, three times at each step',
    async (fault, localPart) => {
      const failed = new Map<string, number>()
      await using proxy = await startChaosProxy(client.server.url(''), ({ method, url = '' }) => {
        const step = `${method} ${url.split('?')[0]}`
        failed.set(step, (failed.get(step) ?? 0) + 1)
        return (failed.get(step) ?? 0) <= 3 ? fault : undefined
      })
      await using mailbox = await client.mayfly.openMailbox((await behind(proxy.url).createMailbox({ localPart })).token)
      const reader = await behind(client.server.url('')).openMailbox(mailbox.token)
      const [first] = await Promise.all([
        reader.waitForMessage({ timeoutMs: 20_000 }).then(({ text }) => text),
        sendCode(mailbox.address, '424242'),
      ])
      expect(first).toContain('424242')
      failed.clear()
      const opened = await behind(proxy.url).openMailbox(mailbox.token)
      expect(await opened.waitForCode()).toBe('424242')
      failed.clear()
      const [row] = await opened.listMessages()
      const message = await opened.readMessage(row?.id ?? '')
      // Bytes that end early as if they were whole look like any others.
      if (fault !== 'not json') expect(new TextDecoder().decode(await message.raw())).toContain('424242')
      await message.delete()
      expect(await client.mayfly.openMailbox(mailbox.token).then(each => each.listMessages())).toEqual([])
      const made = (await Array.fromAsync(client.mayfly.listMailboxes())).filter(({ email }) => email?.startsWith(localPart))
      expect(made, 'one mailbox, however often its answer was lost').toHaveLength(1)
    },
    60_000,
  )

  test('forty waits at once, with a third of all responses spoilt: no error and no crossed code', async () => {
    const faults: Fault[] = ['cut', 'half', 'delay', 'bad gateway', 'too many', 'not json']
    // A generator with a fixed start (Park and Miller), so that a failure can be repeated.
    let seed = 20_261_122
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    await using proxy = await startChaosProxy(client.server.url(''), () => (random(3) === 0 ? faults[random(faults.length)] : undefined))
    const signUp = async (n: number) => {
      const mailbox = await behind(proxy.url).createMailbox({ timeoutMs: 60_000 })
      const code = String(100_000 + n * 7919)
      setTimeout(() => void sendCode(mailbox.address, code), random(500))
      return [code, await mailbox.waitForCode({ from: 'shop.test', timeoutMs: 60_000 })]
    }
    for (const [sent, received] of await Promise.all(Array.from({ length: 40 }, (_, n) => signUp(n)))) expect(received).toBe(sent)
    await client.mayfly.deleteAllMailboxes()
  }, 90_000)

  test('a server that stays away ends a creation and a wait in time, with the reason', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await using proxy = await startChaosProxy(client.server.url(''), ({ url }) => (url === '/api/mailbox' ? undefined : 'cut'))
    const startedAt = performance.now()
    await expect(behind(proxy.url).createMailbox({ timeoutMs: 700 })).rejects.toMatchObject({ code: 'network' })
    const cut = await behind(proxy.url).openMailbox(mailbox.token)
    await expect(cut.waitForCode({ timeoutMs: 700 })).rejects.toMatchObject({ code: 'network' })
    await expect(cut.expectNoMail({ withinMs: 300 }), 'nothing is known').rejects.toMatchObject({ code: 'network' })
    await expect(cut.listMessages({ timeoutMs: 700 })).rejects.toMatchObject({ code: 'network' })
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  test('a final refusal is not repeated, and neither is a rate limit that outlasts the time', async () => {
    await using proxy = await startChaosProxy(client.server.url(''), () => undefined)
    await expect(behind(proxy.url).createMailbox({ domain: 'nobody.test' })).rejects.toMatchObject({ code: 'domain_not_served' })
    expect(proxy.paths).toEqual(['POST /api/mailboxes'])
    await using slow = await startChaosProxy(client.server.url(''), () => 'too many')
    await expect(behind(slow.url).createMailbox({ timeoutMs: 900 })).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
    expect(slow.paths).toHaveLength(1)
    await using tomorrow = await startChaosProxy(client.server.url(''), () => 'too many today')
    const refused = await behind(tomorrow.url)
      .createMailbox()
      .catch((error: unknown) => error)
    expect(refused, 'a date instead of seconds').toMatchObject({ status: 429, retryAfterSeconds: 86_400 })
    expect(tomorrow.paths).toHaveLength(1)
  })

  test('a redirect is named and not followed, because it would lose the key', async () => {
    await using proxy = await startChaosProxy(client.server.url(''), () => 'moved')
    await expect(behind(proxy.url).createMailbox()).rejects.toThrow(`redirects to ${client.server.url('')}/api/mailboxes`)
    expect(proxy.paths).toEqual(['POST /api/mailboxes'])
  })

  test('a download that stalls ends', async () => {
    await using proxy = await startChaosProxy(client.server.url(''), ({ url = '' }) => (url.endsWith('/raw') ? 'stall' : undefined))
    await using mailbox = await behind(proxy.url).createMailbox()
    await sendCode(mailbox.address, '424242')
    const message = await mailbox.waitForMessage()
    await expect(message.raw({ timeoutMs: 300 })).rejects.toMatchObject({ code: 'network', message: `${proxy.url} stopped sending` })
  })

  test('the end of a block is no error while the server is away', async () => {
    await using proxy = await startChaosProxy(client.server.url(''), ({ method }) => (method === 'DELETE' ? 'bad gateway' : undefined))
    const address = async () => {
      await using mailbox = await behind(proxy.url).createMailbox()
      return mailbox.address
    }
    await expect(address()).resolves.toContain('@')
    expect(proxy.paths.at(-1)).toBe('DELETE /api/mailbox')
  })
})

describe('a proof of work', () => {
  /** A server that asks visitors for a proof of work, and its challenge. */
  async function startAsking(wanted: Readonly<Record<string, unknown>>) {
    const asked = { algorithm: 'PBKDF2/SHA-256', nonce: '00', salt: '00', cost: 5000, keyLength: 32, keyPrefix: 'ff'.repeat(16), ...wanted }
    const server = createServer(({ url }, response) => {
      const config = { domains: ['x.test'], botCheck: { provider: 'pow' } }
      const reply = url === '/api/config' ? config : { parameters: asked, signature: '' }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      visitor: new Mayfly({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }

  test('without a solution ends with the time or the signal of the caller', async () => {
    await using asking = await startAsking({})
    await expect(asking.visitor.createMailbox({ timeoutMs: 500 })).rejects.toThrow('could not be solved in time')
    const aborted = asking.visitor.createMailbox({ signal: AbortSignal.timeout(500) })
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test.each([{ cost: 2_000_000_000 }, { keyLength: 1_500_000_000 }, { cost: -1 }])('of %o is refused', async wanted => {
    await using asking = await startAsking(wanted)
    const [[name, size] = []] = Object.entries(wanted)
    await expect(asking.visitor.createMailbox({ timeoutMs: 500 })).rejects.toMatchObject({
      code: 'bot_check_unsolvable',
      message: expect.stringContaining(`has a ${name} of ${size}`),
    })
  })
})

test('many mailboxes are created, or none', async () => {
  await using other = await startClient({ API_MAILBOXES_MAX: '150' })
  await expect(other.mayfly.createMailboxes(250)).rejects.toMatchObject({ code: 'api_mailboxes_max' })
  expect(await Array.fromAsync(other.mayfly.listMailboxes())).toEqual([])
})

test('a mailbox that ends during a wait is an error of its own', async () => {
  const deleted = await client.mayfly.createMailbox()
  setTimeout(() => void deleted.delete(), 200)
  const error = await deleted.waitForCode().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(MailboxExpiredError)
  expect(String(error)).toContain(`The mailbox ${deleted.address} was deleted.`)
})
