/** Everything that a cluster stores about mail: every key, every value and every file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { openValkeyStore } from '#server/store/valkey/valkey-store.ts'
import { envelope, listMessages, mime, receive, startMail } from '../harness/mayfly/start-mail.ts'
import { findRedis, type RedisCluster, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

describe.skipIf(!findRedis())('nothing readable in a cluster (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  let folder: string
  beforeAll(async () => {
    // In a compressed snapshot a word could not be found.
    cluster = await startRedisCluster({ settings: ['--rdbcompression', 'no'] })
    folder = mkdtempSync(join(tmpdir(), 'mayfly-at-rest-'))
  })
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('neither address, sender, subject, body, file name nor token is in any key, value, snapshot or log', async () => {
    await using mail = await startMail(folder, { store: await openStore(cluster) })
    const { email, token } = await mail.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await mail.mail.openMailbox(token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    const large = mime('Unmistakable large subject', 'Bring the periwinkle umbrella. '.repeat(20_000))
    for (const raw of [mime('Unmistakable subject'), large]) expect(await receive(mail.mail, envelope(email), raw)).toMatchObject({})
    expect((await listMessages(mail.mail, mailbox))?.messages).toHaveLength(2)
    await Promise.all(cluster.nodes.map(node => node.call('SET', 'canary', 'canary in a coal mine').catch(() => undefined)))
    const dumped = await dumpKeys(cluster)
    const written = readFiles(cluster.folder)
    await writeSnapshots(cluster)

    const words = [
      email,
      email.split('@')[0] ?? '',
      'jane@sender.test',
      'bounce@sender.test',
      'Unmistakable',
      'periwinkle',
      'data.bin',
      token,
    ]
    expect(words.filter(word => dumped.includes(word))).toEqual([])
    const files = [...written, ...readFiles(cluster.folder)]
    expect(words.flatMap(word => files.filter(({ bytes }) => bytes.includes(word)).map(({ name }) => `${name}: ${word}`))).toEqual([])
    // The search does find readable text.
    for (const suffix of ['.rdb', '.aof']) {
      expect(files.some(({ name, bytes }) => name.endsWith(suffix) && bytes.includes('canary in a coal mine'))).toBe(true)
    }
    expect(dumped.includes('canary in a coal mine')).toBe(true)
  })

  test('a destroyed mailbox leaves only a hashed name, and nothing in the log after the next rewrite', async () => {
    await using mail = await startMail(folder, { store: await openStore(cluster) })
    const { email, token } = await mail.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await mail.mail.openMailbox(token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    await receive(mail.mail, envelope(email), mime('large', 'x'.repeat(400_000)))
    const key = `mayfly:{${mailbox.mailboxId}}`
    const sealedAddress = Buffer.from((await mail.store.findMailbox(mailbox.mailboxId))?.sealedAddress ?? [])
    const inFiles = () => readFiles(cluster.folder).filter(({ bytes }) => bytes.includes(sealedAddress)).length
    expect(inFiles()).toBeGreaterThan(0)
    await mail.mail.destroyMailbox(mailbox)
    const keys = await readKeys(cluster)
    expect(keys.filter(name => name.startsWith(key))).toEqual([key])
    await writeSnapshots(cluster)
    await until(async () => inFiles() === 0)
  })
})

async function openStore({ url }: RedisCluster) {
  const cluster = await openCluster({ urls: url.split(','), replicas: 1, isSynced: false })
  // The clock of these tests is in the past, so keys expire after the remaining time, not at the absolute time.
  return await openValkeyStore({ cluster, clock: () => Date.UTC(2026, 0, 1), keyCheck: 'one' })
}

async function readKeys({ nodes }: RedisCluster): Promise<string[]> {
  const masters = await Promise.all(nodes.map(async node => ({ node, role: String(await node.call('INFO', 'replication')) })))
  const keys = await Promise.all(masters.filter(({ role }) => role.includes('role:master')).map(({ node }) => node.call('KEYS', '*')))
  return (keys.flat() as Buffer[]).map(String)
}

/** Names and values of every key, as the engine serialises them. */
async function dumpKeys(cluster: RedisCluster): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (const node of cluster.nodes.slice(0, 3)) {
    for (const key of (await node.call('KEYS', '*')) as Buffer[]) chunks.push(key, (await node.call('DUMP', String(key))) as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Rewrites the append-only file and writes a snapshot. */
async function writeSnapshots({ nodes }: RedisCluster): Promise<void> {
  for (const node of nodes) {
    const isIdle = async () =>
      /rdb_bgsave_in_progress:0[\s\S]*aof_rewrite_in_progress:0/.test(String(await node.call('INFO', 'persistence')))
    await until(async () => (await isIdle()) && Boolean(await node.call('BGREWRITEAOF')))
    await until(async () => (await isIdle()) && Boolean(await node.call('BGSAVE')))
    await until(isIdle)
  }
}

function readFiles(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => ({ name: join(entry.parentPath, entry.name), bytes: readFileSync(join(entry.parentPath, entry.name)) }))
}
