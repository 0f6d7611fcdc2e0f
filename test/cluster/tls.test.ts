/** A cluster that accepts only TLS, with a certificate of a private authority: `rediss://` and NODE_EXTRA_CA_CERTS. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { followStream, listSubjects } from '../harness/clients/mailbox-client.ts'
import { examine, startClusterServer } from '../harness/mayfly/cluster-server.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { connectAsAdmin, type RedisCluster, speaksTls, startRedis, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const CAS = getCACertificates('default')

describe.skipIf(!speaksTls())('a cluster over TLS (needs a redis-server with TLS on this machine)', () => {
  let folder: string
  let cluster: RedisCluster
  const env = () => ({ MAIL_STORE_URL: cluster.url, SECRET: 'one secret for all processes of this test', BOT_CHECK: 'off' })
  const trusting = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-cluster-tls-'))
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const make = (nowMs: number) => selfSign('mayfly.test', nowMs, ['127.0.0.1'])
    // One that ends in two days.
    const lastingMs = new X509Certificate(make(Date.now()).cert).validToDate.getTime() - Date.now()
    const made = make(Date.now() - lastingMs + 2 * DAY_MS)
    writeFileSync(cert, made.cert)
    writeFileSync(key, made.key)
    setDefaultCACertificates([...CAS, made.cert])
    cluster = await startRedisCluster({ tls: { cert, key, ca: cert } })
  })
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]()
    setDefaultCACertificates(CAS)
    rmSync(folder, { recursive: true, force: true })
  })

  test('mail is received, and a stream in another process is notified', async () => {
    await using a = await startClusterServer(cluster.url, trusting())
    await using b = await startClusterServer(cluster.url, trusting())
    expect(cluster.url).toMatch(/^rediss:/)
    const address = await a.create()
    const leaving = new AbortController()
    const followed = followStream(b.httpPort, address, leaving.signal)
    await followed.opened
    expect(await a.send(address, 'encrypted')).toBe('250')
    await expect.poll(() => followed.subjects).toEqual(['encrypted'])
    leaving.abort()
    expect(await listSubjects(b.httpPort, address)).toEqual(['encrypted'])
  })

  test('a certificate that is not trusted, and a URL without TLS, are refused at the start with what to change', async () => {
    await expect(startServerProcess({ env: env() })).rejects.toThrow(
      /No node of the mail store answers: (?:127\.0\.0\.1:\d+(?:, )?){6} \(self-signed certificate\)\. If others .* Else name the file with .* in NODE_EXTRA_CA_CERTS\.$/m,
    )
    await expect(startServerProcess({ env: { ...env(), MAIL_STORE_URL: cluster.url.replaceAll('rediss:', 'redis:') } })).rejects.toThrow(
      /\)\. If it speaks TLS, write rediss:\/\/ in MAIL_STORE_URL\. If it runs, raise "client-output-buffer-limit" there/,
    )
    // What OpenSSL says is on one line. Nodes ask each other for a certificate, on a port of their own.
    const nodePorts = cluster.url.replaceAll(/:(\d+)(?=,|$)/g, (_, port) => `:${Number(port) + 10_000}`)
    await expect(startServerProcess({ env: { ...env(), ...trusting(), MAIL_STORE_URL: nodePorts } })).rejects.toThrow(
      /No node of the mail store answers: (?:127\.0\.0\.1:\d+(?:, )?){6} \([a-z\d ]*alert certificate required\)\. If the port in MAIL_STORE_URL is right, .* config set tls-auth-clients no"/,
    )
    await using alone = await startRedis()
    await expect(startServerProcess({ env: { ...env(), MAIL_STORE_URL: `rediss://127.0.0.1:${alone.port}` } })).rejects.toThrow(
      /: 127\.0\.0\.1:\d+ \(no TLS handshake within 2000 ms\)\. Start Valkey there, or correct MAIL_STORE_URL\.$/m,
    )
  })

  test('the doctor warns of a certificate that expires soon', async () => {
    const day = new Date(new X509Certificate(readFileSync(join(folder, 'cert.pem'))).validTo).toISOString().slice(0, 10)
    expect(await examineCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })).toContainEqual({
      status: 'warning',
      sentence: expect.stringMatching(new RegExp(`^The certificate of 127\\.0\\.0\\.1:\\d+ expires on ${day}: `)),
      remedy: 'Renew it on every node: deploy/cluster/README.md#renew-the-certificate.',
    })
  })

  test('the doctor names the options that redis-cli needs', async () => {
    const atAll = (...words: readonly [string, ...(string | number)[]]) => Promise.all(cluster.nodes.map(node => node.call(...words)))
    await atAll('CLUSTER', 'DELSLOTS', 0)
    const found = await examineCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })
    await cluster.nodes[0]?.call('CLUSTER', 'ADDSLOTS', 0)
    expect(found).toContainEqual(
      expect.objectContaining({ remedy: expect.stringMatching(/"redis-cli --tls --cacert ca\.pem --cluster fix 127\.0\.0\.1:\d+"/) }),
    )
    await until(async () =>
      (await Promise.all(cluster.nodes.map(node => node.call('CLUSTER', 'INFO')))).every(info =>
        String(info).includes('slots_assigned:16384'),
      ),
    )
  })

  test('a node that takes no more connections, or does not let the user in, is named by log and doctor', async () => {
    const full =
      /cannot be asked \(it hung up before the TLS handshake\).* If it runs, it takes no more connections\. Raise "maxclients" there/
    const allowLog = [/cannot be asked \((?:it hung up|tlsv13)/, /it hung up before the TLS handshake/, /"message":"unavailable/]
    await using server = await startClusterServer(cluster.url, { ...trusting(), LOG_LEVEL: 'info' }, allowLog)
    const heard = () => server.output().replaceAll('\\"', '"')
    const [{ host, port } = expect.fail('a cluster has nodes'), ...others] = cluster.nodes
    const administrator = connectAsAdmin({ host, port }, undefined, true)
    await administrator.call('CONFIG', 'SET', 'maxclients', 1)
    await expect.poll(heard, { timeout: 30_000 }).toMatch(full)
    expect(await examine(cluster.url)).toContainEqual(expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${port} ${full.source}`)))
    const end = 'Every node of MAIL_STORE_URL gives this server what it needs again'
    // The same is said once no connection of the server is left.
    await administrator.call('CLIENT', 'KILL', 'TYPE', 'normal')
    await expect.poll(heard, { timeout: 30_000 }).toMatch(new RegExp(`${full.source}[^]*${full.source}`))
    expect(server.output()).not.toMatch(new RegExp(`do not reply|cluster-announce|firewall|${end}`))
    await administrator.call('CONFIG', 'SET', 'maxclients', 1000, 'tls-auth-clients', 'yes')
    await administrator.call('CLIENT', 'KILL', 'TYPE', 'normal')
    await expect
      .poll(heard, { timeout: 30_000 })
      .toMatch(
        /cannot be asked \(tlsv13 alert certificate required\): .* type "redis-cli .* --cert cert\.pem --key key\.pem .* config set tls-auth-clients no"/,
      )
    expect(server.output()).not.toMatch(/do not reply|cluster-announce|firewall/)
    await administrator.call('CONFIG', 'SET', 'tls-auth-clients', 'no')
    await expect.poll(() => server.output(), { timeout: 30_000 }).toContain(end)
    administrator.close()
    const unknown = await examine(cluster.url.replaceAll('rediss://', 'rediss://nobody:wrong@'))
    for (const other of others) {
      expect(unknown).toContainEqual(expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${other.port} does not let us in: WRONGPASS`)))
    }
  })
})
