/** The account API, called by the site's own pages. Schemas first, then routes. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'
import { LANGUAGES } from './languages.ts'
import { API_KEY_NAME_CHARS, EMAIL_CHARS_MAX, PASSWORD_CHARS } from './limits.ts'
import { mailboxCreatedSchema } from './mailbox.ts'
import {
  newPasskeySchema,
  passkeyCreationSchema,
  passkeyRequestSchema,
  passkeySchema,
  passkeysSchema,
  usedPasskeySchema,
} from './passkeys.ts'
import { del, get, post } from './route.ts'
import { routes } from './routes.ts'
import { EMAIL_LOCAL_PART, MAILBOX_TOKEN, ONE_LINE } from './text-patterns.ts'

/** English messages of the form checks. The browser shows its translation by the same key. */
export const credentialErrors = {
  emailInvalid: 'Please enter a valid email address',
  passwordShort: 'Password must be at least 6 characters',
  passwordLong: 'Password must be at most 128 characters',
} as const
export type CredentialErrorKey = keyof typeof credentialErrors

const email = z
  .string()
  .check(z.trim(), z.maxLength(EMAIL_CHARS_MAX, 'emailInvalid'), z.email('emailInvalid'), z.regex(EMAIL_LOCAL_PART, 'emailInvalid'))
const password = z.string().check(z.minLength(PASSWORD_CHARS.min, 'passwordShort'), z.maxLength(PASSWORD_CHARS.max, 'passwordLong'))
const botCheck = z.optional(z.string().check(z.maxLength(8192)))
const language = z.enum(LANGUAGES)
/** 256 random bits in base64url. */
const linkToken = z.string().check(z.regex(/^[\w-]{43}$/))

const mailboxToken = z.string().check(z.regex(MAILBOX_TOKEN))

/** Fields of the sign-in and sign-up forms. Issue messages are keys of `credentialErrors`. */
export const credentialsSchema = z.strictObject({ email, password })
export type Credentials = z.infer<typeof credentialsSchema>

/** `POST /api/auth/sign-up`. `language` is the language of the confirmation mail. */
export const signUpSchema = z.strictObject({ email, password, language, botCheck })
export const signInSchema = credentialsSchema
export const forgotPasswordSchema = z.strictObject({ email, language })
/** `destroyMailboxes` also destroys the live addresses, whose tokens an intruder may have read. */
export const resetPasswordSchema = z.strictObject({ token: linkToken, password, destroyMailboxes: z.optional(z.boolean()) })
export const changePasswordSchema = z.strictObject({ currentPassword: password, password })
/** Needs the password or passkey of this sign-up: otherwise a link could open an account that a stranger signed up for. */
export const confirmSchema = z.union([
  z.strictObject({ token: linkToken, password }),
  z.strictObject({ token: linkToken, passkey: usedPasskeySchema }),
])
export type Confirmation = z.infer<typeof confirmSchema>
/** Asks for the password or a passkey again, so that a borrowed browser cannot delete the account or change its passkeys and keys. */
export const accountProofSchema = z.union([z.strictObject({ password }), z.strictObject({ passkey: usedPasskeySchema })])
export type AccountProof = z.infer<typeof accountProofSchema>

export const signInWithPasskeySchema = z.strictObject({ passkey: usedPasskeySchema })
export const startPasskeySignUpSchema = z.strictObject({ email, botCheck })
/** `mailboxToken`: of a live address that this sign-up keeps. */
export const signUpWithPasskeySchema = z.strictObject({ passkey: newPasskeySchema, language, mailboxToken: z.optional(mailboxToken) })
/** `mailbox`: the address that was kept. Missing if it ended before. */
export const signedUpSchema = z.object({ mailbox: z.optional(mailboxCreatedSchema) })
export const keepMailboxSchema = z.strictObject({ token: mailboxToken })
export const addPasskeySchema = z.strictObject({ passkey: newPasskeySchema })

/** `session` is null, without an error, when nobody is signed in. `isOperator` is there for accounts that OPERATORS names. */
export const sessionSchema = z.object({
  session: z.nullable(z.object({ email: z.string(), expiresAt: z.string(), isOperator: z.optional(z.boolean()) })),
})
export type Session = NonNullable<z.infer<typeof sessionSchema>['session']>

/** A signed-in device. `device` is its browser and system, as far as they are known. The request's own one `isCurrent`. */
export const accountSessionSchema = z.object({
  id: z.string(),
  device: z.optional(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  isCurrent: z.boolean(),
})
export type AccountSession = z.infer<typeof accountSessionSchema>
export const accountSessionsSchema = z.object({ sessions: z.array(accountSessionSchema) })

/** `GET /api/account/mailboxes`: the live addresses of the account with their tokens, so that a second device can open them. */
export const proMailboxesSchema = z.object({ mailboxes: z.array(mailboxCreatedSchema) })

/** `proof` is needed some minutes after the sign-in. */
export const createApiKeySchema = z.strictObject({
  proof: z.optional(accountProofSchema),
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(API_KEY_NAME_CHARS.min),
      z.maxLength(API_KEY_NAME_CHARS.max),
      z.regex(ONE_LINE, 'must have no control characters and no marks that turn the direction of text'),
    ),
})
/** `prefix` is the start of the key, long enough to tell keys apart. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
})
export type ApiKey = z.infer<typeof apiKeySchema>
export const apiKeysSchema = z.object({ keys: z.array(apiKeySchema) })
/** The only response that contains the key itself. */
export const apiKeyCreatedSchema = z.extend(apiKeySchema, { key: z.string() })

export const emailFormSchema = z.strictObject({ email })
export const passwordFormSchema = z.strictObject({ password })
export const newPasswordFormSchema = z.strictObject({ password, destroyMailboxes: z.boolean() })

const signedIn = { auth: 'session', ownPagesOnly: true } as const

export const readSession = get(routes.authSession, { response: sessionSchema })

export const signUp = post(routes.authSignUp, {
  ownPagesOnly: true,
  body: signUpSchema,
  status: 202,
  problems: ['bot_check_failed', 'account_exists', 'email_not_allowed', 'registration_closed', 'rate_limited'],
})

export const confirmEmail = post(routes.authConfirm, {
  ownPagesOnly: true,
  body: confirmSchema,
  problems: [
    'link_expired',
    'credentials_wrong',
    'passkey_refused',
    'passkeys_unavailable',
    'email_not_allowed',
    'registration_closed',
    'rate_limited',
  ],
})

export const signIn = post(routes.authSignIn, {
  ownPagesOnly: true,
  body: signInSchema,
  response: sessionSchema,
  problems: ['credentials_wrong', 'email_not_confirmed', 'account_suspended', 'email_not_allowed', 'registration_closed', 'rate_limited'],
})

export const signOut = post(routes.authSignOut, { ownPagesOnly: true })
export const signOutEverywhere = post(routes.authSignOutEverywhere, { ...signedIn, problems: ['rate_limited'] })
export const listSessions = get(routes.accountSessions, { auth: 'session', response: accountSessionsSchema })
export const endSession = del(routes.accountSession, { ...signedIn, problems: ['not_found', 'rate_limited'] })

export const forgotPassword = post(routes.authForgotPassword, {
  ownPagesOnly: true,
  body: forgotPasswordSchema,
  status: 202,
  problems: ['rate_limited'],
})

export const resetPassword = post(routes.authResetPassword, {
  ownPagesOnly: true,
  body: resetPasswordSchema,
  problems: ['link_expired', 'email_not_allowed', 'registration_closed', 'rate_limited'],
})

export const changePassword = post(routes.authChangePassword, {
  ...signedIn,
  body: changePasswordSchema,
  problems: ['credentials_wrong', 'rate_limited'],
})

export const deleteAccount = post(routes.authDeleteAccount, {
  ...signedIn,
  body: accountProofSchema,
  problems: ['credentials_wrong', 'passkey_refused', 'passkeys_unavailable', 'rate_limited'],
})

export const listProMailboxes = get(routes.accountMailboxes, { auth: 'session', response: proMailboxesSchema })

export const keepMailbox = post(routes.accountMailboxes, {
  ...signedIn,
  body: keepMailboxSchema,
  response: mailboxCreatedSchema,
  problems: ['mailbox_not_found', 'mailboxes_max', 'domain_not_served', 'rate_limited'],
})

export const listApiKeys = get(routes.accountApiKeys, { auth: 'session', response: apiKeysSchema })

export const createApiKey = post(routes.accountApiKeys, {
  ...signedIn,
  body: createApiKeySchema,
  status: 201,
  response: apiKeyCreatedSchema,
  problems: ['proof_required', 'credentials_wrong', 'passkey_refused', 'passkeys_unavailable', 'api_keys_max', 'rate_limited'],
})

export const revokeApiKey = del(routes.accountApiKey, { ...signedIn, problems: ['not_found', 'rate_limited'] })

export const startPasskeyUse = post(routes.authPasskeyOptions, {
  ownPagesOnly: true,
  response: passkeyRequestSchema,
  problems: ['passkeys_unavailable', 'rate_limited'],
})

export const signInWithPasskey = post(routes.authPasskeySignIn, {
  ownPagesOnly: true,
  body: signInWithPasskeySchema,
  response: sessionSchema,
  problems: ['passkey_refused', 'passkeys_unavailable', 'account_suspended', 'rate_limited'],
})

export const startPasskeySignUp = post(routes.authPasskeySignUpOptions, {
  ownPagesOnly: true,
  body: startPasskeySignUpSchema,
  response: passkeyCreationSchema,
  problems: ['passkeys_unavailable', 'bot_check_failed', 'account_exists', 'email_not_allowed', 'registration_closed', 'rate_limited'],
})

export const signUpWithPasskey = post(routes.authPasskeySignUp, {
  ownPagesOnly: true,
  body: signUpWithPasskeySchema,
  status: 202,
  response: signedUpSchema,
  problems: ['passkey_refused', 'passkeys_unavailable', 'account_exists', 'email_not_allowed', 'registration_closed', 'rate_limited'],
})

export const listPasskeys = get(routes.accountPasskeys, { auth: 'session', response: passkeysSchema })

export const startAddingPasskey = post(routes.accountPasskeyOptions, {
  ...signedIn,
  body: accountProofSchema,
  response: passkeyCreationSchema,
  problems: ['credentials_wrong', 'passkey_refused', 'passkeys_unavailable', 'passkeys_max', 'rate_limited'],
})

export const addPasskey = post(routes.accountPasskeys, {
  ...signedIn,
  body: addPasskeySchema,
  status: 201,
  response: passkeySchema,
  problems: ['passkey_refused', 'passkeys_unavailable', 'passkeys_max', 'rate_limited'],
})

export const removePasskey = post(routes.accountPasskeyRemoval, {
  ...signedIn,
  body: accountProofSchema,
  problems: ['not_found', 'credentials_wrong', 'passkey_refused', 'passkeys_unavailable', 'rate_limited'],
})
