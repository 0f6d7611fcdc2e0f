/** A process whose clock is wrong must not refuse the mail of living addresses for good, nor end them for the others. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { StoreFinding } from '#server/store/store.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { listSubjects } from '../harness/clients/mailbox-client.ts'
import { examine, startClusterServer } from '../harness/mayfly/cluster-server.ts'
import { findRedis, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const AHEAD_SECONDS = 3600
const SAID = new RegExp(
  `"msg":"The clock of this machine is ${AHEAD_SECONDS} s ahead of those of MAIL_STORE_URL: .*Set it: timedatectl set-ntp true"`,
)
const DENIED = /127\.0\.0\.1:\d+ does not give this user the rights it needs: \+hset/
const allowLog = [
  SAID,
  DENIED,
  /"msg":"The mail store does not take mail: /,
  /"msg":"(?:A message could not be received|Mail could not be taken|Request failed)"/,
]

test.skipIf(!findRedis())('a process an hour ahead says so and takes nothing (needs redis-server)', async () => {
  const folder = newFolder()
  const clock = join(folder, 'clock.mjs')
  writeFileSync(clock, `const now = Date.now\nDate.now = () => now() + ${AHEAD_SECONDS * 1000}\n`)
  await using cluster = await startRedisCluster({ replicas: 0 })
  await using right = await startClusterServer(cluster.url, { MAIL_STORE_REPLICAS: '0' }, [DENIED])
  const address = await right.create()
  const env = { MAIL_STORE_REPLICAS: '0', NODE_OPTIONS: `--import=${clock}` }
  await using wrong = await startClusterServer(cluster.url, env, allowLog)
  const status = async (path: string) =>
    (await fetch(`http://127.0.0.1:${wrong.httpPort}${path}`, { headers: { authorization: `Bearer ${address.token}` } })).status
  expect([await status(routes.readyz), await status(routes.messages)]).toEqual([503, 503])
  const detail = 'The clock of this machine is not that of the mail store.'
  expect(await wrong.readiness()).toMatchObject({ detail })
  expect([await wrong.send(address), await right.send(address, 'still here')]).toEqual(['451', '250'])
  expect(await listSubjects(right.httpPort, address)).toEqual(['still here'])
  await expect.poll(() => wrong.output()).toMatch(SAID)
  expect(examineElsewhere(cluster.url, clock)).toEqual([
    `The clock of this machine is ${AHEAD_SECONDS} s ahead of those of MAIL_STORE_URL. Addresses would end at the wrong time, ` +
      'so senders get 451 and readers 503 until it is right. Set it: timedatectl set-ntp true.',
  ])
  // One shard of three that refuses it would leave it ready.
  await cluster.nodes[0]?.call('ACL', 'SETUSER', 'default', '-hset')
  await expect.poll(() => wrong.output()).toMatch(DENIED)
  await expect.poll(right.readiness).toMatchObject({ shards: { denied: 1 } })
  expect(await wrong.readiness()).toMatchObject({ detail })
})

/** What a doctor calls a failure whose clock is that of `clock`. */
function examineElsewhere(url: string, clock: string): string[] {
  const program = `
    import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
    const found = await examineCluster({ urls: ${JSON.stringify(url.split(','))}, replicas: 0, isSynced: false })
    console.log(JSON.stringify(found))`
  const printed = execFileSync(process.execPath, [`--import=${clock}`, '--input-type=module', '--eval', program], { encoding: 'utf8' })
  const found: readonly StoreFinding[] = JSON.parse(printed)
  return found.filter(({ status }) => status === 'failure').map(({ sentence, remedy }) => `${sentence} ${remedy}`)
}

const hasCompiler = spawnSync('cc', ['--version']).status === 0
/** Loaded into a Redis: its clock is ahead by a minute. */
const AHEAD = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = ((int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday"))(now, zone);
  now->tv_sec += 60;
  return result;
}`

const CLOCKS = [
  { node: 'master', replicas: 0, effect: 'its mailboxes end' },
  { node: 'replica', replicas: 1, effect: 'once it is a master, mailboxes end' },
]
test.skipIf(!findRedis() || !hasCompiler).each(CLOCKS)(
  'a $node a minute ahead is told (needs redis-server and cc)',
  async ({ replicas, effect }) => {
    const folder = newFolder()
    const library = join(folder, 'ahead.so')
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, '-x', 'c', '-'], { input: AHEAD })
    const program = join(folder, 'ahead')
    writeFileSync(program, `#!/bin/sh\nLD_PRELOAD=${library} exec ${findRedis()} "$@"\n`, { mode: 0o755 })
    const at = (run: string) => ({ host: '127.0.0.1', reachedAt: '127.0.0.1', run: (named: string) => run || named })
    await using cluster = await startRedisCluster({
      replicas,
      places: [...Array(replicas * 3).fill(at('')), at(program), at(''), at('')],
    })
    const allowed = [/"msg":"The clock of 127\.0\.0\.1:\d+ is \d+ s ahead of those of most masters of MAIL_STORE_URL: /]
    await using server = await startClusterServer(cluster.url, { MAIL_STORE_REPLICAS: '0' }, allowed)
    await expect.poll(server.readiness).toEqual({ status: 'degraded', clock: 'wrong' })
    const node = cluster.nodes[replicas * 3]
    // The way of a reply may be seconds of it.
    const fact = `The clock of 127\\.0\\.0\\.1:${node?.port} is (?:5\\d|60) s ahead of those of most masters of MAIL_STORE_URL`
    const remedy = `${effect} at the wrong time\\. Set it there: timedatectl set-ntp true`
    await expect.poll(() => server.output()).toMatch(new RegExp(`"msg":"${fact}: ${remedy}"`))
    expect(await examine(cluster.url, 'failure', { replicas: 0 })).toEqual([
      expect.stringMatching(new RegExp(`^${fact}\\. ${remedy}\\.$`, 'i')),
    ])
  },
)
