/** A replica is made master by force while its master has a mail that nobody acknowledged: its sender repeats it, and it is told once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAddress, followStream } from '../harness/clients/mailbox-client.ts'
import { deliver } from '../harness/clients/smtp-client.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisNode, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const RETRY_MS = 100
/** Nothing fails over by itself meanwhile. */
const NODE_TIMEOUT_MS = 20_000

const signal = ({ pid }: RedisNode, name: NodeJS.Signals) => process.kill(pid, name)
const isMaster = async (node: RedisNode) => String(await node.call('INFO', 'replication')).includes('role:master')

test.skipIf(!findRedis())('a stream tells of a mail once it is acknowledged, and once (needs redis-server)', async () => {
  await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', String(NODE_TIMEOUT_MS)] })
  await using server = await startTestServer({
    env: { MAIL_STORE_URL: cluster.url },
    isClockRunning: true,
    allowLog: [...CLUSTER_AWAY, OWN_ACCOUNTS],
  })
  const { httpPort, smtpPort } = server.app
  const address = await createAddress(httpPort)
  const leaving = new AbortController()
  const followed = followStream(httpPort, address, leaving.signal)
  await followed.opened
  const masters = cluster.nodes.slice(0, 3)
  const keys = await Promise.all(masters.map(async node => ((await node.call('KEYS', 'mayfly:{*}')) as Buffer[]).map(String)))
  const shard = keys.findIndex(([key]) => key)
  const [master, replica, key = ''] = [cluster.nodes[shard] as RedisNode, cluster.nodes[shard + 3] as RedisNode, keys[shard]?.[0]]

  const mail = (subject: string) => `Subject: ${subject}\r\n\r\nhello`
  const sendUntilTaken = async (subject: string) => {
    while (!(await deliver(smtpPort, address.email, mail(subject)).catch(String)).startsWith('250')) await sleep(RETRY_MS)
  }
  await sendUntilTaken('first')
  await until(async () => followed.subjects.includes('first'))

  // The master writes what its replica never gets.
  signal(replica, 'SIGSTOP')
  await master.call('CLIENT', 'KILL', 'TYPE', 'replica')
  expect(await deliver(smtpPort, address.email, mail('second'))).toMatch(/^451/)
  expect(Number(await master.call('HGET', key, 'n'))).toBe(2)
  expect(followed.subjects).toEqual(['first'])

  signal(master, 'SIGSTOP')
  const failover = replica.call('CLUSTER', 'FAILOVER', 'FORCE')
  signal(replica, 'SIGCONT')
  await failover
  await until(() => isMaster(replica))
  signal(master, 'SIGCONT')
  expect(Number(await replica.call('HGET', key, 'n'))).toBe(1)

  await sendUntilTaken('second')
  await sendUntilTaken('third')
  await until(async () => followed.subjects.includes('third'))
  expect(followed.subjects).toEqual(['first', 'second', 'third'])
  leaving.abort()
})
