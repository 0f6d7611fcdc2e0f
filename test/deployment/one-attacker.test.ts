/** One client that takes all it can get of a proxy with the settings of deploy/, and a stranger beside it. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findHaproxy, startHaproxy } from '../harness/servers/haproxy.ts'

const ATTACKER = '127.0.66.1'
const STRANGER = '127.0.9.1'
const CONNECTIONS_MAX = 1000

async function open(port: number, localAddress: string): Promise<Socket> {
  // Half of it stays open when the other side ends it.
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  await new Promise<void>(resolve => {
    socket.once('connect', resolve).on('error', () => resolve())
  })
  return socket
}

test.skipIf(!findHaproxy())('HAProxy: connections that are never closed keep nobody from mail and site', async () => {
  await using site = await startTestServer({
    env: { PROXY_PROTOCOL_FROM: '127.0.0.1', TRUST_PROXY: '127.0.0.1', SMTP_TRUSTED: '192.0.2.1' },
    isClockRunning: true,
  })
  await using proxy = await startHaproxy(findHaproxy() ?? '', [site.app], undefined, CONNECTIONS_MAX)
  for (const port of [proxy.smtpPort, proxy.httpPort]) {
    const held: Socket[] = []
    while (held.length < CONNECTIONS_MAX + 100) held.push(...(await Promise.all(Array.from({ length: 100 }, () => open(port, ATTACKER)))))
    const mail = await open(proxy.smtpPort, STRANGER)
    expect(String((await once(mail, 'data'))[0])).toMatch(/^220 /)
    const page = await open(proxy.httpPort, STRANGER)
    page.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(String((await once(page, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of [...held, mail, page]) socket.destroy()
  }
})
