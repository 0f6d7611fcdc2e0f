/** A user with fewer rights: every command that is sent is in the table, the table is enough on a real engine, and each rule is needed. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { aclRules, isForMail } from '#server/store/valkey/client/rights.ts'
import { keySlot } from '#server/store/valkey/client/topology.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { tryDelivery } from '../harness/clients/smtp-client.ts'
import { OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { bearer, startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisCluster, type RedisNode, startRedisCluster } from '../harness/servers/redis-cluster.ts'

/** Stored in pieces. */
const LARGE = `${'x'.repeat(76)}\r\n`.repeat(2000)
const ALL_TAKEN = ['250', '250', '250', '250']

const root = resolve(import.meta.dirname, '../..')

test('every command that the mail store sends is in the table of rights, and no other', () => {
  const sources = globSync('server/store/valkey/**/*.ts', {
    cwd: root,
    exclude: path => path.endsWith('.test.ts') || path.endsWith('rights.ts'),
  })
  const text = sources.map(path => readFileSync(resolve(root, path), 'utf8')).join('\n')
  const sent = new Set(
    [...text.matchAll(/(?:call|ask|callMaster)\((?:[\w.#]+, )?'([A-Z]+)'(?:, '(LOAD|SLOTS|INFO|NODES|SHARDNUMSUB)')?/g)].map(
      ([, name = '', sub]) => (sub && name !== 'INFO' ? `${name}|${sub}` : name).toLowerCase(),
    ),
  )
  // AUTH needs no right, and what CONFIG says is a hint of the doctor's alone.
  for (const name of ['auth', 'config']) sent.delete(name)
  const granted = aclRules(true).flatMap(rule => (rule.startsWith('+') ? [rule.slice(1)] : []))
  expect([...sent].toSorted()).toEqual(granted.toSorted())
})

describe.skipIf(!findRedis())('a user with these rights alone (needs redis-server)', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster({ settings: ['--maxmemory', '100mb'] })
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  const setUser = (name: string, rules: readonly string[], nodes = cluster.nodes) =>
    Promise.all(nodes.map(node => node.call('ACL', 'SETUSER', name, 'reset', 'on', '>right', ...rules)))
  const urlsOf = (name: string) => cluster.url.replaceAll('redis://', `redis://${name}:right@`).split(',')
  const open = async (name: string) => {
    await using _ = await openCluster({ urls: urlsOf(name), replicas: 'auto', isSynced: false })
  }

  test('creates, receives, waits, streams, counts and deletes', async () => {
    await setUser('enough', aclRules(false))
    await using server = await startTestServer({
      env: { MAIL_STORE_URL: urlsOf('enough').join(), SECRET: 'x'.repeat(32), DNS_SERVERS: 'off' },
      allowLog: [OWN_ACCOUNTS, /does not give this user the rights it needs: &mayfly/],
      isClockRunning: true,
    })
    const { email, token } = await server.createMailbox()
    const waiting = fetch(server.url(`${routes.wait}?timeoutSeconds=20`), { headers: bearer(token) })
    await server.deliverRaw(email, Buffer.from('Subject: rights\r\n\r\nThe code is 481516.\r\n'))
    const waited = await waiting
    expect([waited.status, await waited.json()]).toEqual([200, expect.objectContaining({ subject: 'rights' })])
    expect((await (await fetch(server.url(routes.readyz))).json()).status).toBe('ready')
    // Without the right to its channel a wait hears of nothing, but looks once more at its end.
    await setUser(
      'enough',
      aclRules(false).filter(rule => !rule.startsWith('&')),
    )
    const unheard = fetch(server.url(`${routes.wait}?timeoutSeconds=3&subject=unheard`), { headers: bearer(token) })
    await sleep(1000)
    await server.deliverRaw(email, Buffer.from('Subject: unheard\r\n\r\nHello.\r\n'))
    expect((await unheard).status).toBe(200)
    expect((await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
  })

  /** A server as this user, and what senders get for mails to one of its addresses. */
  const startFor = async (name: string) => {
    await setUser(name, aclRules(false))
    const server = await startTestServer({
      env: { MAIL_STORE_URL: urlsOf(name).join(), SECRET: 'x'.repeat(32), DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '100000' },
      allowLog: [OWN_ACCOUNTS, /does not give this user the rights|The mail store|mail store at|MAIL_STORE_URL|rate limits|unavailable/],
      isClockRunning: true,
    })
    const { email } = await server.createMailbox()
    // Copies at once: the pieces of all but one of them are removed.
    const send = (subject: string) =>
      Promise.all(
        ['', LARGE, LARGE, LARGE].map(body => tryDelivery(server.app.smtpPort, email, `Subject: ${subject}\r\n\r\nHello.\r\n${body}`)),
      )
    return { server, send }
  }
  const isCommand = (rule: string) => rule.startsWith('+')

  test('small, large and repeated mails are taken without each right that is told as not needed for them, and without no other', async () => {
    const { server, send } = await startFor('mailing')
    await using _ = server
    expect(await send('all')).toEqual(ALL_TAKEN)
    // Scripts that were loaded run on, and only a slot that moves needs `asking`.
    const tried = aclRules(false).filter(rule => isCommand(rule) && !['+script|load', '+asking'].includes(rule))
    const refused: string[] = []
    for (const rule of tried) {
      await setUser('mailing', [...aclRules(false), rule.replace('+', '-')])
      const replies = [...(await send(rule)), ...(await send(rule))]
      if (replies.some(reply => reply !== '250')) refused.push(rule)
      await setUser('mailing', aclRules(false))
      await expect.poll(() => send(`after ${rule}`), { timeout: 30_000 }).toEqual(ALL_TAKEN)
    }
    expect(refused).toEqual(tried.filter(isForMail))
  })

  test('mails to a slot that moves need the right to ask for it at its next master, and are told to', async () => {
    const { server, send } = await startFor('moving')
    await using _ = server
    expect(await send('before')).toEqual(ALL_TAKEN)
    const masters = cluster.nodes.slice(0, 3)
    const kept = await Promise.all(masters.map(async node => ((await node.call('KEYS', 'mayfly:{*')) as Buffer[]).map(String)))
    const keys = kept.flat().filter(key => /\}$/.test(key))
    for (const key of keys) {
      const from = masters[kept.findIndex(own => own.includes(key))]
      const to = masters.find(node => node !== from)
      if (!from || !to) return expect.fail('a cluster has masters')
      const slot = keySlot(key)
      await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(await from.call('CLUSTER', 'MYID')))
      await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(await to.call('CLUSTER', 'MYID')))
      for (const moved of kept.flat().filter(other => keySlot(other) === slot)) await from.call('MIGRATE', to.host, to.port, moved, 0, 5000)
    }
    expect(await send('moving')).toEqual(ALL_TAKEN)
    await setUser('moving', [...aclRules(false), '-asking'])
    expect(await send('without')).toEqual(ALL_TAKEN.map(() => '451'))
    expect(isForMail('+asking')).toBe(true)
    await setUser('moving', aclRules(false))
    await expect.poll(() => send('after'), { timeout: 30_000 }).toEqual(ALL_TAKEN)
  })

  test('each rule is missed by its name, at the start and by the doctor, also at one node alone', async () => {
    const rules = aclRules(false)
    await setUser('all', rules)
    await expect(open('all')).resolves.toBeUndefined()
    for (const [index, rule] of rules.entries()) {
      if (rule.includes('pubsub')) continue
      const name = `without${index}`
      await setUser(name, rules.toSpliced(index, 1))
      const words = rule.startsWith('+') ? rule.slice(1).split('|')[0] : rule
      await expect(open(name), rule).rejects.toThrow(
        new RegExp(`does not give this user the rights it needs: .*${words?.replace('*', '\\*')}`, 'i'),
      )
    }
    const lacking = async (nodes: readonly RedisNode[]) => {
      await setUser('almost', rules)
      await setUser(
        'almost',
        rules.filter(rule => rule !== '+spublish'),
        nodes,
      )
      const found = await examineCluster({ urls: urlsOf('almost'), replicas: 'auto', isSynced: false })
      return found.flatMap(({ sentence, remedy = '' }) => {
        const text = `${sentence} ${remedy}`
        return text.includes('+spublish') ? [Number(/127\.0\.0\.1:(\d+) does not give .*mail-store-rights/.exec(text)?.[1])] : []
      })
    }
    const portsOf = (nodes: readonly RedisNode[]) => nodes.map(({ port }) => port).toSorted()
    for (const nodes of [cluster.nodes.slice(1, 3), cluster.nodes.slice(3), cluster.nodes]) {
      expect((await lacking(nodes)).toSorted()).toEqual(portsOf(nodes))
      // A start is refused only where no shard can be used.
      if (nodes === cluster.nodes) await expect(open('almost')).rejects.toThrow('does not give this user the rights it needs: +spublish.')
      else await expect(open('almost')).resolves.toBeUndefined()
    }
  })
})
