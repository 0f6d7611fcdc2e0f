/** While the cluster that keeps mail is unreachable, the page says so, and recovers by itself. */

import { CLUSTER_AWAY, OWN_ACCOUNTS } from '#test/harness/heard-log.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '#test/harness/servers/redis-cluster.ts'
import { test as base, expect } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

const test = base.extend<{ cluster: RedisCluster }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  cluster: async ({}, use) => {
    await using cluster = await startRedisCluster()
    await use(cluster)
  },
  server: async ({ cluster }, use) => {
    const env = { MAIL_STORE_URL: cluster.url, BOT_CHECK: 'off', DNS_SERVERS: 'off', TRUST_PROXY: '127.0.0.1' }
    await using server = await startServerProcess({ env, allowLog: [...CLUSTER_AWAY, OWN_ACCOUNTS] })
    await use(server)
  },
})
test.skip(!findRedis(), 'needs redis-server on this machine')

function signal({ nodes }: RedisCluster, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of nodes) process.kill(pid, name)
}

test('while the mail store is down a visitor is told, and gets an address and mail later without a click', async ({
  page,
  cluster,
  noise,
  sendMail,
}) => {
  noise.allow(/503/)
  const { notices } = await loadWords('es')
  signal(cluster, 'SIGSTOP')
  try {
    await page.goto('/?lang=es')
    await expect(page.locator('[data-toast=destructive]')).toContainText(notices.awayText, { timeout: 30_000 })
  } finally {
    signal(cluster, 'SIGCONT')
  }
  const to = await addressOn(page)
  await sendMail({ to, subject: 'After the pause', text: 'Hello.' })
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await expect(page.getByTestId('messages').getByText('After the pause')).toBeVisible()
})
