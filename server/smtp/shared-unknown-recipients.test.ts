/** Unknown recipients that two processes count together, on a real cluster. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Clients } from '#server/platform/limits/clients.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { createValkeyLimits } from '#server/store/valkey/valkey-limiter.ts'
import { findRedis } from '#test/harness/servers/redis-cluster.ts'
import { sharedCluster } from '#test/harness/servers/shared-cluster.ts'
import { UnknownRecipientQuota } from './sender-quotas.ts'

test.skipIf(!findRedis())('attempts at two processes count together (needs redis-server)', async () => {
  await using cluster = await openCluster({ urls: (await sharedCluster()).split(','), replicas: 'auto', isSynced: false })
  const secret = randomBytes(32).toString('hex')
  const [one, other] = [1, 2].map(() => {
    const sharedLimits = createValkeyLimits({ cluster, secret, clock: Date.now })
    return new UnknownRecipientQuota(sharedLimits, () => performance.now())
  }) as [UnknownRecipientQuota, UnknownRecipientQuota]
  const harvester = new Clients([]).identify('192.0.2.1')
  for (const quota of [one, other]) for (let named = 0; named < 550; named++) quota.countUnknown(harvester)
  expect([one.mayNameMore(harvester), other.mayNameMore(harvester)]).toEqual([true, true])
  // A process learns of the others with the next unknown recipient that it counts.
  await expect
    .poll(() => {
      one.countUnknown(harvester)
      other.countUnknown(harvester)
      return [one.mayNameMore(harvester), other.mayNameMore(harvester)]
    })
    .toEqual([false, false])
  one.countDelivery(harvester, ['jane'])
  other.countDelivery(harvester, ['jane'])
  await expect.poll(() => one.mayNameMore(harvester) || other.mayNameMore(harvester)).toBe(true)
})
