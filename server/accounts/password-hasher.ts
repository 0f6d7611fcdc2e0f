import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { MIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { describeShare, networksServed } from '#server/platform/limits/clients.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'

type Cost = { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number }

/**
 * OWASP Password Storage: scrypt with N=2^15, r=8, p=3, which takes 32 MiB and about 200 ms in libuv's thread pool, not on the event loop.
 */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * MIB }
const KEY_BYTES = 32
export const SALT_BYTES = 16
/** Hashes computed at once: half of libuv's four threads stay free for the disk. */
const CONCURRENT_MAX = 2
/** Waiting hashes: about ten seconds of work. */
const WAITING_MAX = 100
/** A class signs in at once from behind one address. */
const WAITING_PER_NETWORK_MAX = 25
const RETRY_SECONDS = 10

const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt)

export type PasswordHasher = {
  /** `salt` is random unless passed in. A salt passed in must be secret and used for one person only. */
  hash(password: string, salt?: Buffer): Promise<string>
  /** The index of the hash that matches the password, or -1. Hashes with the same salt cost one computation together, whichever matches. */
  indexOf(password: string, hashes: readonly string[]): Promise<number>
  verify(attempt: { hash: string; password: string }): Promise<boolean>
}

/**
 * Hashes passwords, for clients in turn: see `PasswordTurns`. A turn lasts as long as the hash and no longer, since what a request waits
 * for afterwards may be in the hands of somebody else. A lower `cost` is for tests.
 */
export function createPasswordHasher(cost: Cost = COST): PasswordHasher {
  const turns = new PasswordTurns()
  const key = (password: string, salt: Buffer) => derive(password.normalize('NFKC'), salt, KEY_BYTES, cost)

  async function indexOf(password: string, hashes: readonly string[]): Promise<number> {
    if (hashes.length === 0) return -1
    using _turn = await turns.take()
    const keys = new Map<string, Buffer>()
    let found = -1
    for (const [i, hash] of hashes.entries()) {
      const [scheme, salt, expected] = hash.split('.')
      if (scheme !== 'scrypt' || !salt || !expected) continue
      const own = keys.get(salt) ?? (await key(password, Buffer.from(salt, 'base64url')))
      keys.set(salt, own)
      if (timingSafeEqual(own, Buffer.from(expected, 'base64url')) && found === -1) found = i
    }
    // An account with a passkey alone takes as long as any other.
    if (keys.size === 0) await key(password, randomBytes(SALT_BYTES))
    return found
  }

  return {
    async hash(password, salt = randomBytes(SALT_BYTES)) {
      using _turn = await turns.take()
      return `scrypt.${salt.toString('base64url')}.${(await key(password, salt)).toString('base64url')}`
    },
    indexOf,
    verify: async ({ hash, password }) => (await indexOf(password, [hash])) === 0,
  }
}

/**
 * Turns for hashing passwords, which the networks of the clients who are served take. What waits is bounded, and one network has only a
 * share of it: AppError `rate_limited` beyond that, `unavailable` if too many of all networks wait.
 */
class PasswordTurns {
  readonly #places = new ShareBudget({ ...equalShares(CONCURRENT_MAX + WAITING_MAX, 1), perHolderMax: WAITING_PER_NETWORK_MAX })
  readonly #turns = new ShareBudget({ total: CONCURRENT_MAX })

  /** A turn for the client who is served, until it is disposed of. */
  async take(): Promise<Disposable> {
    const networks = networksServed()
    using taken = new DisposableStack()
    if (!taken.use(this.#places.acquire(networks, 1))) {
      const fullShare = this.#places.fullShare(networks, 1)
      const detail = `Too many passwords of ${describeShare(fullShare)} are being checked.`
      throw new AppError(fullShare === undefined ? 'unavailable' : 'rate_limited', { retryAfterSeconds: RETRY_SECONDS, detail })
    }
    taken.use(await this.#turns.wait(networks, 1))
    return taken.move()
  }
}
