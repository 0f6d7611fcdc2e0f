/**
 * Rate limits that all processes share, counted on the cluster that keeps the mail. Each step is one script on one key that expires by
 * itself. They use the engine's clock, so the clocks of the processes do not matter. While the shard of a key is away or full, each process
 * counts windows and marks alone, from zero: a shard must not lock out the visitors whose keys it has. The callers of buckets keep a count
 * of their own.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { AppError } from '#server/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import {
  type Allowance,
  type Bucket,
  createMemoryLimits,
  type Limit,
  type LocalCountReason,
  type SharedLimits,
} from '#server/platform/limits/limiter.ts'
import type { Cluster } from './client/cluster.ts'
import { defineScript, type Script } from './client/node-connection.ts'

/** Counts all, or none if fewer are left. Returns what was counted before, and the milliseconds until the window ends. */
const TAKE = defineScript({ isRepeatable: false, isReplicated: false })(`
  local count = tonumber(redis.call('GET', KEYS[1]) or '0')
  local wanted = tonumber(ARGV[3])
  if count + wanted <= tonumber(ARGV[1]) then
    if count == 0 then
      redis.call('SET', KEYS[1], wanted, 'PX', ARGV[2])
    else
      redis.call('INCRBY', KEYS[1], wanted)
    end
  end
  return {count, redis.call('PTTL', KEYS[1])}`)

const PEEK = defineScript({ isRepeatable: false, isReplicated: false })(
  `return {tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1])}`,
)

/** The value tells a repeated call of the first caller from a call of another. */
const ONCE = defineScript({ isRepeatable: true, isReplicated: true })(`
  if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
  return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0`)

/** A full bucket needs no key. Numbers are returned as text, because numbers from a script lose their fraction. */
const TAKE_TOKENS = defineScript({ isRepeatable: false, isReplicated: false })(`
  local capacity, per_second, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local held = redis.call('HMGET', KEYS[1], 'left', 'at')
  local left = capacity
  if held[1] then left = math.min(capacity, tonumber(held[1]) + math.max(0, now - tonumber(held[2])) / 1000 * per_second) end
  left = math.min(capacity, left - tokens)
  if left >= capacity then
    redis.call('DEL', KEYS[1])
  else
    redis.call('HSET', KEYS[1], 'left', tostring(math.max(0, left)), 'at', tostring(now))
    redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - math.max(0, left)) / per_second * 1000))
  end
  return tostring(left)`)

/** A request waits at most this long for a shard that does not reply, and not again while that shard counts as away. */
const PATIENCE_MS = 500
/** Longer than a `WAIT`, so that a slow replica does not let a mark be used twice. */
const ONCE_PATIENCE_MS = 1500

type ValkeyLimitsOptions = {
  readonly cluster: Pick<Cluster, 'run'>
  readonly secret: string
  readonly clock: Clock
  readonly countedLocally?: (reason: LocalCountReason) => void
}

/** Keys are hashed under one derived from the secret, so that the cluster contains no visitor's address. */
export function createValkeyLimits({ cluster, secret, clock, countedLocally = () => undefined }: ValkeyLimitsOptions): SharedLimits {
  const local = createMemoryLimits(clock)
  const orLocally = async <T>(shared: Promise<T>, count: () => Promise<T>): Promise<T> => {
    try {
      return await shared
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      countedLocally(error.code === 'storage_full' ? 'full' : 'away')
      return await count()
    }
  }
  const hashKey = deriveSubkey(secret, 'mayfly limits v1')
  const hash = (...parts: string[]) =>
    `mayfly:limit:${createHmac('sha256', hashKey).update(parts.join('\0')).digest().subarray(0, 16).toString('base64url')}`
  const run = async (script: Script, limit: Limit, key: string, count: number) => {
    const args = [limit.max, limit.windowSeconds * 1000, count]
    const [counted, leftMs] = (await cluster.run(script, hash('window', limit.name, key), args, { patienceMs: PATIENCE_MS })) as [
      number,
      number,
    ]
    return { counted, leftMs }
  }

  return {
    secret,
    take(limit, key, count = 1) {
      const shared = run(TAKE, limit, key, count).then(({ counted, leftMs }) =>
        counted + count > limit.max ? undefined : allowance(limit, counted + count, leftMs, 1),
      )
      return orLocally(shared, () => local.take(limit, key, count))
    },
    peek(limit, key, count = 1) {
      const shared = run(PEEK, limit, key, count).then(({ counted, leftMs }) => allowance(limit, counted, leftMs, count))
      return orLocally(shared, () => local.peek(limit, key, count))
    },
    async once(name, key, lifetimeMs) {
      if (lifetimeMs <= 0) return false
      const args = [randomBytes(12).toString('base64url'), Math.ceil(lifetimeMs)]
      const reply = cluster.run(ONCE, hash('once', name, key), args, { patienceMs: ONCE_PATIENCE_MS })
      const shared = reply.then(mark => mark === 1)
      return await orLocally(shared, () => local.once(name, key, lifetimeMs))
    },
    async takeTokens({ name, capacity, perSecond }: Bucket, key, tokens) {
      return Number(String(await cluster.run(TAKE_TOKENS, hash('bucket', name, key), [capacity, perSecond, tokens])))
    },
  }
}

function allowance(limit: Limit, counted: number, leftMs: number, count: number): Allowance {
  const remaining = Math.max(0, limit.max - counted)
  return { remaining, retryAfterSeconds: remaining < count ? Math.max(1, Math.ceil(leftMs / 1000)) : 0 }
}
