import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '#server/errors.ts'

type Cost = { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number }

/** OWASP Password Storage: scrypt with N=2^15, r=8, p=3, which takes 32 MiB and some 200 ms in libuv's pool, not on the event loop. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32
/** Hashes at work at once: leaves half of libuv's four threads to the disk (case W24). */
const AT_ONCE_MAX = 2
/** Hashes waiting: about ten seconds of work; whoever comes later is told to come back. */
const WAITING_MAX = 100

const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt)

export type Passwords = { hash(password: string): Promise<string>; verify(attempt: { hash: string; password: string }): Promise<boolean> }

/** Hashing with bounded concurrency. AppError `unavailable` when too many are waiting. A lower `cost` is for tests of what stands around it. */
export function createPasswords(cost: Cost = COST): Passwords {
  const turn = bounded(AT_ONCE_MAX, WAITING_MAX)
  const key = (password: string, salt: Buffer) => turn(() => derive(password.normalize('NFKC'), salt, KEY_BYTES, cost))
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return `scrypt.${salt.toString('base64url')}.${(await key(password, salt)).toString('base64url')}`
    },
    async verify({ hash, password }) {
      const [scheme, salt, expected] = hash.split('.')
      if (scheme !== 'scrypt' || !salt || !expected) return false
      return timingSafeEqual(await key(password, Buffer.from(salt, 'base64url')), Buffer.from(expected, 'base64url'))
    },
  }
}

function bounded(atOnceMax: number, waitingMax: number) {
  let working = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= waitingMax) throw new AppError('unavailable', { retryAfterSeconds: 10 })
    if (working >= atOnceMax) await new Promise<void>(resolve => waiting.push(resolve))
    else working++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working--
    }
  }
}
