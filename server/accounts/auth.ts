import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { betterAuth } from 'better-auth/minimal'
import { PASSWORD_CHARS } from '#contract/limits.ts'
import type { SiteDatabase } from '#server/database/database.ts'
import { subkey, type Vault } from '#server/database/secret-box.ts'
import { hashedSessions } from './hashed-sessions.ts'
import type { Passwords } from './password-hash.ts'

/** A session ends after this long without use; any use in its second day or later pushes the end on. */
const SESSION_SECONDS = 7 * 86_400
const SESSION_REFRESH_SECONDS = 86_400

export type AuthParts = { database: SiteDatabase; vault: Vault; secret: Uint8Array; passwords: Passwords; publicUrl: string }
export type Auth = ReturnType<typeof createAuth>

/** `__Host-` binds the cookie to this very host; a browser takes it over https only. */
const sessionCookieName = (publicUrl: string) => (isHttps(publicUrl) ? '__Host-mayfly_session' : 'mayfly_session')
const isHttps = (url: string) => url.startsWith('https:')

/**
 * better-auth as a library of credentials and sessions: our routes call `auth.api`, its own routes are never mounted.
 * Importing this file costs half a second and some 50 MB, so server/accounts/auth-library.ts does it at the first request that needs it.
 */
export function createAuth({ database, vault, secret, passwords, publicUrl }: AuthParts) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: subkey(secret, 'site/session-cookie/v1').toString('base64url'),
    // No transaction of theirs: it stays open across password hashing and makes every other writer fail.
    database: hashedSessions(
      options => kyselyAdapter(database.db, { type: database.dialect, transaction: false })(options),
      token => vault.hash('session', token),
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
    // No cookie cache: it keeps a revoked session alive for whoever holds the cookie.
    session: { modelName: 'sessions', expiresIn: SESSION_SECONDS, updateAge: SESSION_REFRESH_SECONDS, cookieCache: { enabled: false } },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_CHARS.min,
      maxPasswordLength: PASSWORD_CHARS.max,
      password: passwords,
    },
    emailVerification: { sendOnSignUp: false, sendOnSignIn: false },
    databaseHooks: {
      // Which browser at which address: nothing here needs to know.
      session: { create: { before: async session => ({ data: { ...session, ipAddress: '', userAgent: '' } }) } },
    },
    // Our own limits stand before every call, keyed by network prefix.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // It would log e-mail addresses; failures reach our log through the caller.
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
