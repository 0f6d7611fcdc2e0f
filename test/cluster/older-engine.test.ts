/** Engines that are too old, in their real versions: a start on one is refused, and mail where one joins a cluster that runs. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { type Address, listSubjects } from '../harness/clients/mailbox-client.ts'
import { CLUSTER_PAUSED } from '../harness/heard-log.ts'
import { examine, startClusterServer } from '../harness/mayfly/cluster-server.ts'
import { canRunOtherEngines, installEngine } from '../harness/servers/other-engines.ts'
import { findRedis, type RedisNode, startRedis, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const SOON_MS = 60_000
/** New addresses of which some would be in the slots that join. */
const ADDRESSES = 40
/** The third master has these. */
const SLOTS = Array.from({ length: 5000 }, (_, i) => 16_383 - i)
const SETTINGS = ['--maxmemory', '100mb', '--appendfsync', 'always']

const AGES = [
  {
    title: 'Redis 6.2 in a cluster of Redis 7.0',
    install: async () => ({ bin: undefined, older: await installEngine('Redis 6.2.14') }),
    replicas: 'auto',
    fact: 'runs Redis 6.2.14, which is too old for a mail store',
    remedy: 'Upgrade it to Redis 7.0 or later, or to Valkey',
  },
  {
    title: 'Redis 7.0 in a cluster of Valkey 9.1 with +sync',
    install: async () => ({ bin: await installEngine('Valkey 9.1.2'), older: findRedis() }),
    replicas: 'auto+sync',
    fact: 'runs Redis 7.0.15, which cannot say when a write is on disk',
    remedy: 'Upgrade it to Redis 7.2 or later, or to Valkey; or take +sync out of MAIL_STORE_REPLICAS',
  },
]

describe.skipIf(!findRedis() || !canRunOtherEngines)(
  'an engine that is too old (needs redis-server, and Linux on x64 with python3)',
  () => {
    // A set-up may take longer than a test, as an installation does on a busy machine.
    beforeAll(() => Promise.all(AGES.map(({ install }) => install())))

    test('no server starts on a Redis before 7.0', async () => {
      await using old = await startRedis({ bin: await installEngine('Redis 6.2.14'), clusterSettings: [] })
      const opened = openCluster({ urls: [`redis://127.0.0.1:${old.port}`], replicas: 'auto', isSynced: false })
      await expect(opened).rejects.toThrow(
        `127.0.0.1:${old.port} runs Redis 6.2.14, which is too old for a mail store. Upgrade it to Redis 7.0 or later, or to Valkey.`,
      )
    })

    test.each(AGES)('$title: log, readiness and doctor tell, and its shard gets no mail', async age => {
      const { bin, older } = await age.install()
      await using cluster = await startRedisCluster({ bin, settings: SETTINGS })
      await using joining = await startRedis({ bin: older, clusterSettings: SETTINGS })
      const name = `${joining.host}:${joining.port}`
      // Without a replica its shard is told of for that too.
      const told = [/"msg":"1 of 4 shards of MAIL_STORE_URL have too few replicas /, new RegExp(`${name} ${age.fact}`), REFUSED]
      await using server = await startClusterServer(cluster.url, { MAIL_STORE_REPLICAS: age.replicas }, [CLUSTER_PAUSED, ...told])
      await vi.waitFor(async () => expect(await server.readiness()).toEqual({ status: 'ready' }), SOON_MS)
      const send = (address: Address) => server.send(address, 'for one')
      const mails: { readonly address: Address; readonly reply: string }[] = []
      const sendToNew = async () => {
        const address = await server.create()
        mails.push({ address, reply: await send(address) })
      }

      await giveSlots(cluster.nodes, joining)
      const sentence = `${name} ${age.fact}: senders to the mailboxes of its shard get 451, new addresses are on the others. ${age.remedy}`
      await vi.waitFor(async () => {
        await sendToNew()
        expect(server.output()).toContain(sentence)
      }, SOON_MS)
      await expect.poll(server.readiness).toMatchObject({ status: 'degraded', shards: { total: 4, away: 0, unsafe: 1 } })
      for (const { address } of mails.slice()) mails.push({ address, reply: await send(address) })
      const before = mails.length
      for (let i = 0; i < ADDRESSES; i++) await sendToNew()
      expect(mails.slice(before).filter(({ reply }) => reply !== '250')).toEqual([])
      expect(mails.filter(({ reply }) => !['250', '451'].includes(reply))).toEqual([])
      for (const { address, reply } of mails) if (reply === '250') expect(await listSubjects(server.httpPort, address)).toContain('for one')

      const failures = () => examine(cluster.url, 'failure', { isSynced: age.replicas === 'auto+sync' })
      await expect.poll(failures).toEqual([expect.stringContaining(`${name} ${age.fact}. ${age.remedy}`)])
    })

    test('a replica that cannot read what its master sends: log, readiness and doctor tell, and mail goes on', async () => {
      await using cluster = await startRedisCluster({ settings: SETTINGS })
      const [master] = cluster.nodes
      await using joining = await startRedis({ bin: await installEngine('Redis 6.2.14'), clusterSettings: SETTINGS })
      const [name, its] = [`${joining.host}:${joining.port}`, `${master?.host}:${master?.port}`]
      const fact = `${name} has copied nothing of its master ${its}: it runs Redis 6.2.14, and older engines cannot read what Redis 7.0.15 sends`
      await using server = await startClusterServer(cluster.url, {}, [CLUSTER_PAUSED, new RegExp(fact)])
      await vi.waitFor(async () => expect(await server.readiness()).toEqual({ status: 'ready' }), SOON_MS)

      await joining.call('CLUSTER', 'MEET', '127.0.0.1', master?.port ?? 0)
      const id = String(await master?.call('CLUSTER', 'MYID'))
      await until(async () => String(await joining.call('CLUSTER', 'REPLICATE', id)) === 'OK')
      await vi.waitFor(() => expect(server.output()).toContain(fact), SOON_MS)
      const shards = { total: 3, away: 0, full: 0, alone: 0, unsafe: 0, outdated: 1, denied: 0, unlinked: 0, unserved: 0 }
      await expect.poll(server.readiness).toEqual({ status: 'degraded', shards })
      expect(await server.sendToAll(await server.createMany())).toEqual(new Set(['250']))
      expect(await examine(cluster.url)).toContainEqual(expect.stringContaining(`${fact}.`))

      const itself = String(await joining.call('CLUSTER', 'MYID'))
      await joining.kill9()
      for (const node of cluster.nodes) await node.call('CLUSTER', 'FORGET', itself)
      await vi.waitFor(async () => expect(await server.readiness()).toEqual({ status: 'ready' }), SOON_MS)
    })
  },
)

const REFUSED = /"msg":"(?:A message could not be received|Mail could not be taken|Request failed|The mail store does not take mail)/

/** As an administrator does who adds a shard, when no slot has a key yet. */
async function giveSlots(nodes: readonly RedisNode[], joining: RedisNode): Promise<void> {
  const [first, , from] = nodes
  const ownerAt = async (node: RedisNode) => {
    const ranges = (await node.call('CLUSTER', 'SLOTS')) as [number, number, [Buffer, number]][]
    return ranges.find(([, last]) => last === SLOTS[0])?.[2][1]
  }
  await joining.call('CLUSTER', 'MEET', '127.0.0.1', first?.port ?? 0)
  await until(async () => (await ownerAt(joining)) === from?.port)
  await from?.call('CLUSTER', 'DELSLOTS', ...SLOTS)
  await joining.call('CLUSTER', 'DELSLOTS', ...SLOTS)
  await joining.call('CLUSTER', 'ADDSLOTS', ...SLOTS)
  await joining.call('CLUSTER', 'BUMPEPOCH')
  await until(async () => (await Promise.all(nodes.map(ownerAt))).every(port => port === joining.port))
}
