import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { findRedis } from '#test/harness/servers/redis-cluster.ts'
import { sharedCluster } from '#test/harness/servers/shared-cluster.ts'
import { mailStoreSuite } from '#test/suites/mail-store-suite.ts'
import { openCluster } from './client/open-cluster.ts'
import { openValkeyStore } from './valkey-store.ts'

describe.skipIf(!findRedis())('on a cluster of three masters and three replicas (needs redis-server on this machine)', () => {
  mailStoreSuite('valkey', openStore, { removal: 'by itself', readsRaw: false })
})

/** The cluster is every test's; a prefix of its own makes the store empty. */
async function openStore(clock: () => number) {
  const cluster = await openCluster({ urls: (await sharedCluster()).split(','), replicas: 1, isSynced: false })
  return await openValkeyStore({ cluster, clock, keyCheck: 'one', prefix: `${randomBytes(6).toString('hex')}:`, countEveryMs: 0 })
}
