/** What the relay for outgoing mail hears. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { createMailOut } from './mail-out.ts'

const MAIL = { to: 'ada@example.com', subject: 'Your link', text: 'https://mayfly.example/confirm' }

/** A relay that offers a log-in and no encryption, as one does whose STARTTLS somebody in between removed. */
async function startPlainRelay() {
  const heard: string[] = []
  const server = createServer(socket => {
    socket.write('220 relay.test ESMTP\r\n')
    socket.on('data', chunk => {
      heard.push(chunk.toString())
      if (/^EHLO/.test(String(chunk))) socket.write('250-relay.test\r\n250 AUTH PLAIN\r\n')
      else if (/^QUIT/.test(String(chunk))) socket.end('221 bye\r\n')
      else if (/^AUTH/.test(String(chunk))) socket.write('535 5.7.8 no\r\n')
      else socket.write('502 5.5.1 unknown\r\n')
    })
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { heard, port, [Symbol.dispose]: () => void server.close() }
}

// An address of this machine that does not look like one.
const ELSEWHERE = '[::ffff:127.0.0.1]'

test.each([
  ['never, if the relay is another machine', ELSEWHERE, '', false],
  ['if the URL allows it', ELSEWHERE, '?requireTLS=false', true],
  ['if the relay is this machine', '127.0.0.1', '', true],
])('a password is sent to a relay that does not encrypt: %s', async (_, host, options, isSent) => {
  using relay = await startPlainRelay()
  await using mailOut = createMailOut(readConfig({ SMTP_RELAY_URL: `smtp://user:secret@${host}:${relay.port}${options}` }))
  await expect(mailOut.send(MAIL)).rejects.toThrow(isSent ? /535/ : /STARTTLS|TLS/i)
  expect(relay.heard.some(line => line.startsWith('AUTH'))).toBe(isSent)
  expect(relay.heard.join('')).not.toContain('mayfly.example')
})
