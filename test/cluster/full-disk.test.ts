/** The disk of one master is full: it stays and refuses all writes, which its replica could take. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { envelope, mime, receive } from '../harness/mayfly/start-mail.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisNode, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'
import { canMount, mountSmallDisk } from '../harness/small-disk.ts'

const DISK_BYTES = 4_000_000
const SAID = /"msg":"The disk of a master of MAIL_STORE_URL takes no writes \(127\.0\.0\.1:\d+\): /
/** A busy machine takes much longer than a quiet one. */
const SOON_MS = 60_000

/** Restarts the node on a disk of its own. */
async function moveToSmallDisk(node: RedisNode): Promise<Disposable> {
  await node.kill9()
  renameSync(node.folder, `${node.folder}.before`)
  const disk = mountSmallDisk(node.folder, DISK_BYTES)
  cpSync(`${node.folder}.before`, node.folder, { recursive: true })
  await node.start()
  return disk
}

test.skipIf(!findRedis() || !canMount)(
  'a full disk is told with both ways out (needs redis-server and root)',
  { timeout: 4 * SOON_MS },
  async () => {
    // No replica is promoted while its master restarts.
    await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '30000', '--maxmemory', '100mb'] })
    const [master, , , replica] = cluster.nodes
    if (!master || !replica) return expect.fail('a cluster has six nodes')
    using _disk = await moveToSmallDisk(master)
    // Whoever was restarted lists a replica only after hearing from it, which takes up to half of the node timeout.
    const isListed = (slots: unknown) => String(slots).split(',').includes(String(replica.port))
    await until(async () => (await Promise.all(cluster.nodes.map(({ call }) => call('CLUSTER', 'SLOTS')))).every(isListed), SOON_MS)
    await using server = await startTestServer({
      env: { MAIL_STORE_URL: cluster.url, SECRET: 'x'.repeat(32) },
      // The full node ends as a replica.
      allowLog: [OWN_ACCOUNTS, SAID, ...CLUSTER_AWAY],
      isClockRunning: true,
    })
    const readiness = async () => (await fetch(server.url(routes.readyz))).json()
    const expectSoon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: SOON_MS })
    const isReady = () => expectSoon(async () => expect(await readiness()).toEqual({ status: 'ready' }))
    const outcomes = async () => new Set(await Promise.all(emails.map(email => receive(server.app.mail, envelope(email), mime('for all')))))
    const expectOutcomes = (...all: readonly string[]) => expectSoon(async () => expect(await outcomes()).toEqual(new Set(all)))
    await isReady()
    // So many that some are on each shard.
    const emails: string[] = []
    for (let i = 0; i < 20; i++) emails.push((await server.createMailbox()).email)
    await expectOutcomes('delivered')

    const filler = join(master.folder, 'filler')
    const fill = async () => {
      try {
        writeFileSync(filler, Buffer.alloc(DISK_BYTES))
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
      // It finds out at the first write that does not fit.
      await until(async () => {
        await outcomes()
        return String(await master.call('INFO', 'persistence')).includes('aof_last_write_status:err')
      }, SOON_MS)
    }
    await fill()
    await expectOutcomes('delivered', 'storage_full')
    await expectSoon(async () =>
      expect(await readiness()).toMatchObject({ shards: { total: 3, away: 0, full: 1, alone: 0 }, mail: 'refused' }),
    )
    await expectSoon(async () =>
      expect(await (await fetch(server.url(routes.metrics))).text()).toContain('mayfly_store_shards{state="full"} 1'),
    )
    const remedy = `Make room there, or type \\"cluster failover\\" at 127.0.0.1:${replica.port}: docs/scaling.md#when-something-fails`
    await expectSoon(async () =>
      expect(server.heardLog.warnings.join()).toContain(`(127.0.0.1:${master.port}): senders to its mailboxes get 452`),
    )
    expect(server.heardLog.warnings.join()).toContain(remedy)
    const examine = () => examineCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })
    // On a busy machine a node may be silent for so long that this is found beside it.
    await expectSoon(async () =>
      expect((await examine()).filter(({ status }) => status !== 'ok')).toEqual([
        {
          status: 'failure',
          sentence: `The disk of a master of MAIL_STORE_URL takes no writes (127.0.0.1:${master.port}).`,
          remedy: expect.stringContaining('Make room there, or type "cluster failover" at '),
        },
      ]),
    )

    rmSync(filler)
    await isReady()
    await expectOutcomes('delivered')

    await fill()
    await expectOutcomes('delivered', 'storage_full')
    // It may be given up after five seconds.
    const isMaster = async () => String(await replica.call('ROLE')).startsWith('master')
    await until(async () => {
      if (await isMaster()) return true
      await replica.call('CLUSTER', 'FAILOVER')
      await until(isMaster, 5000)
      return true
    }, SOON_MS)
    await expectOutcomes('delivered')
  },
)
