/** The protocol of one connection, against nodes that behave badly. Real ones: cluster.test.ts. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { connectionRemedy, describeRefusal, NodeConnection, NotConnected } from './node-connection.ts'
import { EngineError, type EngineReply } from './reply-reader.ts'

const OPEN = { username: undefined, password: undefined, isEncrypted: false }

/** On a free port of this machine, until its disposal. */
async function listen(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('it has a port')
  const close = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { port: address.port, [Symbol.asyncDispose]: close }
}

const node = (onClient: (socket: Socket) => void) => listen(createServer(socket => onClient(socket.on('error', () => undefined))))

function encode(reply: EngineReply): Buffer {
  if (reply === null) return Buffer.from('$-1\r\n')
  if (typeof reply === 'number') return Buffer.from(`:${reply}\r\n`)
  if (Array.isArray(reply)) return Buffer.concat([Buffer.from(`*${reply.length}\r\n`), ...reply.map(encode)])
  return Buffer.concat([Buffer.from(`$${reply.byteLength}\r\n`), reply, Buffer.from('\r\n')])
}

const replies = fc.array(
  fc.letrec<{ reply: EngineReply }>(tie => ({
    reply: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
      fc.array(tie('reply'), { maxLength: 4 }),
    ),
  })).reply,
  { minLength: 1, maxLength: 8 },
)

test('replies arrive whole and in order, however the network cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(replies, fc.integer({ min: 1, max: 40 }), async (sent, cut) => {
      await using server = await node(socket =>
        socket.once('data', async () => {
          const bytes = Buffer.concat([Buffer.from('+OK\r\n-ERR no\r\n'), ...sent.map(encode)])
          for (let at = 0; at < bytes.byteLength; at += cut) await new Promise(done => socket.write(bytes.subarray(at, at + cut), done))
        }),
      )
      const connection = new NodeConnection({ host: '127.0.0.1', port: server.port }, OPEN)
      const [simple, error, ...others] = await Promise.allSettled([0, 0, ...sent].map(() => connection.call('PING')))
      expect(simple).toEqual({ status: 'fulfilled', value: Buffer.from('OK') })
      expect(error).toEqual({ status: 'rejected', reason: new EngineError('ERR no') })
      expect(others).toEqual(sent.map(value => ({ status: 'fulfilled', value })))
      connection.close()
      await connection.ended
    }),
    { numRuns: 40 },
  )
})

test('commands are sent byte for byte', async () => {
  let received = Buffer.alloc(0)
  await using server = await node(socket =>
    socket.on('data', bytes => {
      if (received.byteLength === 0) socket.write('+OK\r\n+OK\r\n')
      received = Buffer.concat([received, bytes])
    }),
  )
  const connection = new NodeConnection({ host: '127.0.0.1', port: server.port }, { ...OPEN, username: 'us', password: 'pä' })
  await connection.call('SET', 'é', Buffer.from([0, 13, 10, 255]), -12.5)
  const sent = Buffer.concat([
    Buffer.from('*3\r\n$4\r\nAUTH\r\n$2\r\nus\r\n$3\r\npä\r\n*4\r\n$3\r\nSET\r\n$2\r\né\r\n$4\r\n'),
    Buffer.from([0, 13, 10, 255]),
    Buffer.from('\r\n$5\r\n-12.5\r\n'),
  ])
  await expect.poll(() => received.equals(sent)).toBe(true)
  connection.close()
  await connection.ended
})

test('what is no node, and a node that hangs up, are errors of the connection', async () => {
  await using website = await node(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const wrong = new NodeConnection({ host: '127.0.0.1', port: website.port }, OPEN)
  const refused: unknown = await wrong.call('PING').catch(error => error)
  expect(String(refused)).toContain('what answers there is neither Valkey nor Redis, or speaks TLS')
  expect(connectionRemedy(refused, 'node:1')).toBe('If it speaks TLS, write rediss:// in MAIL_STORE_URL.')
  const encrypted: unknown = await new NodeConnection({ host: '127.0.0.1', port: website.port }, { ...OPEN, isEncrypted: true })
    .call('PING')
    .catch(error => error)
  expect(connectionRemedy(encrypted, 'node:1')).toBe('If it does not speak TLS, write redis:// in MAIL_STORE_URL.')
  await using ending = await node(socket => socket.once('data', () => socket.destroy()))
  const lost = new NodeConnection({ host: '127.0.0.1', port: ending.port }, OPEN)
  const hungUp: unknown = await lost.call('PING').catch(error => error)
  expect(hungUp).toEqual(new Error('it hung up without a reply'))
  // So does a node whose limit is smaller than its first reply.
  expect(connectionRemedy(hungUp, 'node:1')).toMatch(
    /^If it speaks TLS, write rediss:.* If it runs, raise "client-output-buffer-limit" there/,
  )
  await lost.ended
  await expect(lost.call('PING')).rejects.toThrow('it hung up without a reply')
  const { port } = ending
  await ending[Symbol.asyncDispose]()
  await expect(new NodeConnection({ host: '127.0.0.1', port }, OPEN).call('PING')).rejects.toBeInstanceOf(NotConnected)
})

test('a refusal is told by its cause, with a remedy that can be typed', () => {
  for (const [reply, told] of [
    [
      'WRONGPASS invalid username-password pair or user is disabled.',
      /type "acl setuser default on '>PASSWORD'" there\. If redis-cli is refused too, type "cluster failover" at its replica/,
    ],
    // Redis 7.0 and 7.2, of a command in a script.
    ["ERR The user executing the script can't run this command or subcommand", /this user the rights it needs/],
    ["ERR ACL failure in script: User mayfly has no permissions to run the 'hset' command", /this user the rights it needs/],
  ] as const)
    expect(Object.values(describeRefusal('node:1', new EngineError(reply))).join(' ')).toMatch(told)
})

test('replies that come byte by byte are whole, also nested and empty ones', async () => {
  const replies = '*3\r\n*2\r\n:-7\r\n$2\r\nab\r\n*0\r\n*-1\r\n$-1\r\n*0\r\n*1\r\n-ERR no\r\n+OK\r\n'
  await using server = await node(socket => {
    socket.setNoDelay()
    socket.once('data', () => {
      let at = 0
      const next = () => at < replies.length && socket.write(replies[at++] ?? '', () => setImmediate(next))
      next()
    })
  })
  const connection = new NodeConnection({ host: '127.0.0.1', port: server.port }, OPEN)
  const received = await Promise.all(Array.from({ length: 5 }, () => connection.call('PING')))
  const ab = Buffer.from('ab')
  expect(received).toEqual([[[-7, ab], [], null], null, [], [new EngineError('ERR no')], Buffer.from('OK')])
})

test('a reply without an end, or nested without an end, ends the connection and not the process', async () => {
  const endless = async (start: string, more: Buffer) => {
    await using server = await node(socket => {
      const flood = () => {
        while (!socket.destroyed && socket.write(more));
      }
      socket.once('data', () => {
        socket.write(start)
        socket.on('drain', flood)
        flood()
      })
    })
    const connection = new NodeConnection({ host: '127.0.0.1', port: server.port }, OPEN)
    return await connection.call('PING').catch((error: Error) => error.message)
  }
  for (const [start, more] of [
    ['$99999999999\r\n', Buffer.alloc(1024 * 1024)],
    ['', '*1\r\n'],
    // Each piece is read once: with the whole reply read again for each, this would take hours.
    ['*99999999\r\n', ':1\r\n'],
    ['*99999999\r\n', '*0\r\n'],
    ['+', 'OK'],
    ['$', '0'],
  ] as const)
    expect(await endless(start, typeof more === 'string' ? Buffer.from(more.repeat(10_000)) : more)).toBe(
      'its reply is larger than any of ours',
    )
})

test('a certificate that has expired is named, and a second error of TLS ends no process', async () => {
  const { cert, key } = selfSign('localhost', Date.now() - 50 * 365 * DAY_MS)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  try {
    await using expired = await listen(createTlsServer({ cert, key }).on('tlsClientError', () => undefined))
    // What a node says of a handshake that it does not accept, in the packet of its own part.
    const alert = Buffer.from([21, 3, 3, 0, 2, 2, 50])
    await using complaining = await node(client => {
      const server = connect(expired.port, '127.0.0.1').on('error', () => undefined)
      client.on('data', bytes => server.write(bytes))
      server.on('data', bytes => client.write(Buffer.concat([bytes, alert])))
      server.on('close', () => client.destroy())
    })
    const connection = new NodeConnection({ host: 'localhost', port: complaining.port }, { ...OPEN, isEncrypted: true })
    const refused: unknown = await connection.call('PING').catch(error => error)
    expect(refused).toEqual(new NotConnected('certificate has expired'))
    expect(connectionRemedy(refused, 'node:1')).toBe('Renew the certificate of that server, and restart it.')
    await connection.ended
  } finally {
    setDefaultCACertificates(trusted)
  }
})

test('it says what is waited for: a name that nobody resolves is no silence of a node', async () => {
  const named = new NodeConnection({ host: 'nowhere.invalid', port: 1 }, OPEN)
  expect(named.missing).toBe('address of its name')
  named.close()
  await using server = await node(socket => socket.resume())
  const connection = new NodeConnection({ host: '127.0.0.1', port: server.port }, OPEN)
  expect(connection.missing).toBe('connection')
  const reply = connection.call('PING')
  await expect.poll(() => connection.missing).toBe('reply')
  await expect(reply).rejects.toThrow('no reply within 2500 ms')
})
