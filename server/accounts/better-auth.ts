import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth'
import { betterAuth } from 'better-auth/minimal'
import { PASSWORD_CHARS } from '#contract/limits.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** A session ends after this long without use. Use after its first day extends it. */
const SESSION_SECONDS = 7 * 86_400
const SESSION_REFRESH_SECONDS = 86_400

export type BetterAuthDeps = {
  database: Database
  secretBox: SecretBox
  secret: Uint8Array
  hasher: PasswordHasher
  publicUrl: string
  cookieName: string
}
export type BetterAuth = ReturnType<typeof createBetterAuth>

const isHttps = (url: string) => url.startsWith('https:')

/**
 * better-auth as a library for credentials and sessions: our routes call `auth.api`; its own routes are never mounted. Importing this file
 * takes half a second and 50 MB, so `LazyBetterAuth` does it at the first request that needs it.
 */
export function createBetterAuth({ database, secretBox, secret, hasher, publicUrl, cookieName }: BetterAuthDeps) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: deriveSubkey(secret, 'mayfly/site/session-cookie/v1').toString('base64url'),
    // Its own transaction would stay open while a password is hashed, and every other writer would fail.
    database: hashedSessionTokens(
      options => kyselyAdapter(database.db, { type: database.dialect, transaction: false })(options),
      token => secretBox.hash('session', token),
    ),
    user: {
      modelName: 'users',
      additionalFields: {
        language: { type: 'string', required: true },
        emailKey: { type: 'string', required: true, unique: true, returned: false },
      },
    },
    account: { modelName: 'credentials' },
    verification: { modelName: 'verifications' },
    // No cookie cache: it would keep a revoked session alive for whoever has the cookie.
    session: { modelName: 'sessions', expiresIn: SESSION_SECONDS, updateAge: SESSION_REFRESH_SECONDS, cookieCache: { enabled: false } },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_CHARS.min,
      maxPasswordLength: PASSWORD_CHARS.max,
      password: hasher,
    },
    emailVerification: { sendOnSignUp: false, sendOnSignIn: false },
    databaseHooks: {
      // Nothing needs to know which browser signed in from which address.
      session: { create: { before: async session => ({ data: { ...session, ipAddress: '', userAgent: '' } }) } },
    },
    // Our own limits, keyed by network prefix, run before every call.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its logger would log e-mail addresses. Failures reach our log through the caller.
    logger: { disabled: true },
    advanced: {
      useSecureCookies: false,
      ipAddress: { disableIpTracking: true },
      cookies: {
        session_token: {
          name: cookieName,
          attributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps(publicUrl) },
        },
      },
    },
  })
}

/** What the `database` option of better-auth accepts besides a connection. */
type CreateAdapter = (options: BetterAuthOptions) => DBAdapter

/**
 * better-auth stores session tokens as they are. This wrapper stores their hash, so that a copy of the database opens no session. When
 * better-auth reads a row back, it gets the token it asked for.
 */
function hashedSessionTokens(createAdapter: CreateAdapter, hash: (token: string) => string): CreateAdapter {
  return options => {
    const adapter = createAdapter(options)
    const verbs = overrides(adapter, hash)
    return { ...adapter, ...verbs, transaction: callback => callback({ ...adapter, ...verbs } satisfies DBTransactionAdapter) }
  }
}

type Overrides = Pick<
  DBAdapter,
  'create' | 'findOne' | 'findMany' | 'count' | 'update' | 'updateMany' | 'delete' | 'deleteMany' | 'consumeOne'
>

function overrides(adapter: DBAdapter, hash: (token: string) => string): Overrides {
  const closed = <Query extends { model: string; where?: Where[] | undefined }>(query: Query): Query =>
    query.model === 'session' && query.where ? { ...query, where: query.where.map(condition => hashCondition(condition, hash)) } : query

  return {
    async create<T extends Record<string, unknown>, R = T>(query: Parameters<typeof adapter.create<T, R>>[0]): Promise<R> {
      const token = query.model === 'session' ? tokenIn(query.data) : undefined
      if (token === undefined) return adapter.create<T, R>(query)
      const created = await adapter.create<T, R>({ ...query, data: { ...query.data, token: hash(token) } })
      return { ...created, token }
    },
    findOne: async <T>(query: Parameters<typeof adapter.findOne>[0]) => restored(await adapter.findOne<T>(closed(query)), query),
    findMany: query => adapter.findMany(closed(query)),
    count: query => adapter.count(closed(query)),
    update: async <T>(query: Parameters<typeof adapter.update>[0]) => restored(await adapter.update<T>(closed(query)), query),
    updateMany: query => adapter.updateMany(closed(query)),
    delete: query => adapter.delete(closed(query)),
    deleteMany: query => adapter.deleteMany(closed(query)),
    consumeOne: query => adapter.consumeOne(closed(query)),
  }
}

function hashCondition(condition: Where, hash: (token: string) => string): Where {
  if (condition.field !== 'token') return condition
  const { value } = condition
  if (typeof value === 'string') return { ...condition, value: hash(value) }
  if (Array.isArray(value)) return { ...condition, value: value.map(token => hash(String(token))) }
  return condition
}

function restored<T>(row: T | null, query: { model: string; where: Where[] }): T | null {
  const token = query.model === 'session' ? query.where.find(condition => condition.field === 'token')?.value : undefined
  return row && typeof token === 'string' ? { ...row, token } : row
}

function tokenIn(data: object): string | undefined {
  return 'token' in data && typeof data.token === 'string' ? data.token : undefined
}
