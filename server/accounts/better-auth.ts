import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { betterAuth } from 'better-auth/minimal'
import { PASSWORD_CHARS } from '#contract/limits.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import { hashedSessionTokens } from './hashed-session-tokens.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { sessionCookieName } from './session-cookie.ts'

/** A session ends after this long without use. Use after its first day extends it. */
const SESSION_SECONDS = 7 * 86_400
const SESSION_REFRESH_SECONDS = 86_400

export type BetterAuthDeps = { database: Database; secretBox: SecretBox; secret: Uint8Array; hasher: PasswordHasher; publicUrl: string }
export type BetterAuth = ReturnType<typeof createBetterAuth>

const isHttps = (url: string) => url.startsWith('https:')

/**
 * better-auth as a library for credentials and sessions: our routes call `auth.api`; its own routes are never mounted. Importing this file
 * takes half a second and 50 MB, so lazy-better-auth.ts does it at the first request that needs it.
 */
export function createBetterAuth({ database, secretBox, secret, hasher, publicUrl }: BetterAuthDeps) {
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
          name: sessionCookieName(publicUrl),
          attributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps(publicUrl) },
        },
      },
    },
  })
}
