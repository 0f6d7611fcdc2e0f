/** The disk of one master is full: it stays and refuses all writes, which its replica could take. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { mime, receive } from '../harness/mayfly/start-mail.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisNode, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'
import { canMount, mountSmallDisk } from '../harness/small-disk.ts'

const DISK_BYTES = 4_000_000
const SAID = /"msg":"The disk of a master of MAIL_STORE_URL takes no writes \(127\.0\.0\.1:\d+\): /
/** As a replica, the full node ends. */
const REPLICA_ENDED = /"msg":"1 of 3 shards of MAIL_STORE_URL have too few replicas /

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
  { timeout: 90_000 },
  async () => {
    // No replica is promoted while its master restarts.
    await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '30000', '--maxmemory', '100mb'] })
    const [master, , , replica] = cluster.nodes
    if (!master || !replica) return expect.fail('a cluster has six nodes')
    using _disk = await moveToSmallDisk(master)
    await until(async () => String(await replica.call('INFO', 'replication')).includes('master_link_status:up'))
    await using server = await startTestServer({
      env: { MAIL_STORE_URL: cluster.url, SECRET: 'x'.repeat(32) },
      allowLog: [OWN_ACCOUNTS, SAID, REPLICA_ENDED],
      isClockRunning: true,
    })
    const readiness = async () => (await fetch(server.url(routes.readyz))).json()
    const expectSoon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000 })
    const isReady = () => expectSoon(async () => expect(await readiness()).toEqual({ status: 'ready' }))
    const outcomes = async (emails: readonly string[]) =>
      new Set(
        await Promise.all(
          emails.map(email => {
            const envelope = {
              from: 'ann@sender.test',
              recipients: [email],
              clientAddress: '127.0.0.1',
              helo: 'sender.test',
              isEncrypted: false,
            }
            return receive(server.app.mail, envelope, mime('for all'))
          }),
        ),
      )
    await isReady()
    // So many that some are on each shard.
    const emails: string[] = []
    for (let i = 0; i < 20; i++) emails.push((await server.createMailbox()).email)
    expect(await outcomes(emails)).toEqual(new Set(['delivered']))

    const filler = join(master.folder, 'filler')
    const fill = async () => {
      try {
        writeFileSync(filler, Buffer.alloc(DISK_BYTES))
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
      // It finds out at the first write that does not fit.
      await until(async () => {
        await outcomes(emails)
        return String(await master.call('INFO', 'persistence')).includes('aof_last_write_status:err')
      })
    }
    await fill()
    expect(await outcomes(emails)).toEqual(new Set(['delivered', 'storage_full']))
    await expectSoon(async () => expect(await readiness()).toMatchObject({ shards: { total: 3, away: 0, full: 1, alone: 0 } }))
    expect(await (await fetch(server.url(routes.metrics))).text()).toContain('mayfly_store_shards{state="full"} 1')
    const remedy = `Make room there, or type \\"cluster failover\\" at 127.0.0.1:${replica.port}: docs/scaling.md#when-something-fails`
    await expectSoon(async () =>
      expect(server.heardLog.warnings.join()).toContain(`(127.0.0.1:${master.port}): senders to its mailboxes get 452`),
    )
    expect(server.heardLog.warnings.join()).toContain(remedy)
    const found = (await examineCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })).filter(
      ({ status }) => status !== 'ok',
    )
    expect(found).toEqual([
      {
        status: 'failure',
        sentence: `The disk of a master of MAIL_STORE_URL takes no writes (127.0.0.1:${master.port}).`,
        remedy: expect.stringContaining('Make room there, or type "cluster failover" at '),
      },
    ])

    rmSync(filler)
    await isReady()
    expect(await outcomes(emails)).toEqual(new Set(['delivered']))

    await fill()
    expect(await outcomes(emails)).toEqual(new Set(['delivered', 'storage_full']))
    await replica.call('CLUSTER', 'FAILOVER')
    await expectSoon(async () => expect(await outcomes(emails)).toEqual(new Set(['delivered'])))
  },
)
