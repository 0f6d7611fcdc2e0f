/** The wire of accounts: credentials, session, Pro addresses, API keys. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'
import { LANGUAGES } from './languages.ts'
import { API_KEY_NAME_CHARS, EMAIL_CHARS_MAX, PASSWORD_CHARS } from './limits.ts'
import { mailboxCreatedSchema } from './mailbox.ts'

/** The messages are the specification's own (5.07, 5.08); the browser shows their translation by the same key. */
export const credentialErrors = {
  emailInvalid: 'Please enter a valid email address',
  passwordShort: 'Password must be at least 6 characters',
  passwordLong: 'Password must be at most 128 characters',
} as const
export type CredentialErrorKey = keyof typeof credentialErrors

const email = z.string().check(z.trim(), z.maxLength(EMAIL_CHARS_MAX, 'emailInvalid'), z.email('emailInvalid'))
const password = z.string().check(z.minLength(PASSWORD_CHARS.min, 'passwordShort'), z.maxLength(PASSWORD_CHARS.max, 'passwordLong'))
const botCheck = z.optional(z.string().check(z.maxLength(8192)))
const language = z.enum(LANGUAGES)
/** 256 random bits in base64url. */
const linkToken = z.string().check(z.regex(/^[\w-]{43}$/))

/** What the sign-in and sign-up forms hold; issue messages are keys of `credentialErrors`. */
export const credentialsSchema = z.strictObject({ email, password })
export type Credentials = z.infer<typeof credentialsSchema>

/** `POST /api/auth/sign-up`; `language` is the one the mail is written in. */
export const signUpSchema = z.strictObject({ email, password, language, botCheck })
export const signInSchema = credentialsSchema
export const forgotPasswordSchema = z.strictObject({ email, language })
/** `destroyMailboxes` also destroys the live addresses, whose tokens an intruder may have read. */
export const resetPasswordSchema = z.strictObject({ token: linkToken, password, destroyMailboxes: z.optional(z.boolean()) })
/** With the password that this very sign-up chose: a link alone could open an account that a stranger signed up for. */
export const confirmSchema = z.strictObject({ token: linkToken, password })
/** The password again, so that a borrowed browser cannot delete an account. */
export const deleteAccountSchema = z.strictObject({ password })

/** `session` is null when nobody is signed in: not an error. */
export const sessionSchema = z.object({ session: z.nullable(z.object({ email: z.string(), expiresAt: z.string() })) })
export type Session = NonNullable<z.infer<typeof sessionSchema>['session']>

/** `GET /api/account/mailboxes`: the live addresses of the account with their tokens, so that a second device opens them. */
export const proMailboxesSchema = z.object({ mailboxes: z.array(mailboxCreatedSchema) })

export const createApiKeySchema = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(API_KEY_NAME_CHARS.min), z.maxLength(API_KEY_NAME_CHARS.max)),
})
/** `prefix` is the start of the key, enough to tell keys apart. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
})
export type ApiKey = z.infer<typeof apiKeySchema>
export const apiKeysSchema = z.object({ keys: z.array(apiKeySchema) })
/** The only time the key itself is ever shown. */
export const apiKeyCreatedSchema = z.extend(apiKeySchema, { key: z.string() })

/** The forms that do not ask for both an address and a password. */
export const emailFormSchema = z.strictObject({ email })
export const passwordFormSchema = z.strictObject({ password })
export const newPasswordFormSchema = z.strictObject({ password, destroyMailboxes: z.boolean() })
