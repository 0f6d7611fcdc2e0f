/** The messages between browser and server about a passkey, in the JSON of WebAuthn Level 3, bytes in base64url. Additions are ignored. */
import * as z from 'zod/mini'

/** No authenticator sends more: an attestation is not asked for. */
const BYTES_CHARS_MAX = 8192
const bytes = z.string().check(z.maxLength(BYTES_CHARS_MAX), z.regex(/^[\w-]+$/))
const credentialId = z.string().check(z.maxLength(1400), z.regex(/^[\w-]+$/))
const answerHead = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** What the browser returns after it created a passkey. */
export const newPasskeySchema = z.object({
  ...answerHead,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8))),
  }),
})
export type NewPasskey = z.infer<typeof newPasskeySchema>
/** What it returns after a passkey was used. */
export const usedPasskeySchema = z.object({
  ...answerHead,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: z.optional(bytes) }),
})
export type UsedPasskey = z.infer<typeof usedPasskeySchema>

const knownPasskeySchema = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })
/** For `navigator.credentials.create()`. */
export const passkeyCreationSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(knownPasskeySchema),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof passkeyCreationSchema>
/** For `navigator.credentials.get()`. The visitor chooses among the passkeys that the device has for this site. */
export const passkeyRequestSchema = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.infer<typeof passkeyRequestSchema>

/** `device`: browser and system where it was created, as far as they are known. */
export const passkeySchema = z.object({
  id: z.string(),
  device: z.optional(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
})
export type Passkey = z.infer<typeof passkeySchema>
export const passkeysSchema = z.object({ passkeys: z.array(passkeySchema) })
