/** WebAuthn: a browser creates or uses a passkey and answers a challenge of ours, once and within minutes. */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import type { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '#contract/passkeys.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { AppError } from '#server/errors.ts'

/** Time to find a phone or a security key. */
const CHALLENGE_MS = 300_000
const CHALLENGE_BYTES = 32
/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), which every runtime of ours can verify. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey as it is stored. Key and id are base64url. `counter`: how often it was used, as far as its authenticator counts; else 0. */
export const credentialSchema = z.object({
  credentialId: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()),
})
export type Credential = z.infer<typeof credentialSchema>

/** For whom a passkey is created: an account, or a sign-up whose account will have this id. */
const subjectSchema = z.object({ userId: z.string(), email: z.string(), isSignUp: z.boolean() })
type PasskeySubject = z.infer<typeof subjectSchema>

type CeremoniesDeps = DatabaseAccess & { readonly publicUrl: string; readonly siteName: string }

export class Ceremonies {
  readonly #deps: CeremoniesDeps

  constructor(deps: CeremoniesDeps) {
    this.#deps = deps
  }

  /** Asks for any passkey of this site. AppError `passkeys_unavailable`. */
  async offerUse(): Promise<PasskeyRequest> {
    const { id: rpId } = relyingParty(this.#deps.publicUrl)
    return { rpId, challenge: await this.#challenge('use', undefined), timeout: CHALLENGE_MS, userVerification: 'required' }
  }

  /** Asks for a new one. `others`: those that the account has, so that no device creates a second. AppError `passkeys_unavailable`. */
  async offerCreation(subject: PasskeySubject, others: readonly Credential[] = []): Promise<PasskeyCreation> {
    const rp = { id: relyingParty(this.#deps.publicUrl).id, name: this.#deps.siteName }
    const { userId, email } = subject
    return {
      rp,
      user: { id: userHandle(userId), name: email, displayName: email },
      challenge: await this.#challenge('create', subject),
      pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_MS,
      excludeCredentials: others.map(({ credentialId: id, transports }) => ({ id, type: 'public-key', transports })),
      // It has to be found without a name, and to know its user by a fingerprint or a PIN.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    }
  }

  /** AppError `passkey_refused`. */
  async verifyCreation(passkey: NewPasskey): Promise<{ subject: PasskeySubject; credential: Credential }> {
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty(this.#deps.publicUrl)
    const { challenge, subject } = await this.#answered('create', passkey.response.clientDataJSON)
    if (!subject) throw new AppError('passkey_refused')
    const { decodeAttestationObject, verifyRegistrationResponse } = await library()
    const { registrationInfo } = await refuseFaults(() => {
      // No attestation was asked for. The library would follow the addresses in the certificates of another one.
      const attestation = decodeAttestationObject(Buffer.from(passkey.response.attestationObject, 'base64url'))
      if (!['none', 'packed'].includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c')) throw new Error('an attestation')
      const response = { ...passkey, response: { ...passkey.response, transports: [] }, clientExtensionResults: {} }
      return verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin,
        expectedRPID,
        supportedAlgorithmIDs: ALGORITHMS,
      })
    })
    if (!registrationInfo) throw new AppError('passkey_refused')
    const { id: credentialId, publicKey, counter } = registrationInfo.credential
    const { transports = [] } = passkey.response
    return { subject, credential: { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports } }
  }

  /** Resolves to its new counter. AppError `passkey_refused`, also for one that was copied: its counter is behind. */
  async verifyUse(passkey: UsedPasskey, userId: string, credential: Credential): Promise<number> {
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty(this.#deps.publicUrl)
    const { challenge } = await this.#answered('use', passkey.response.clientDataJSON)
    const { verifyAuthenticationResponse } = await library()
    const { credentialId: id, counter } = credential
    const { verified, authenticationInfo } = await refuseFaults(async () => {
      const { userHandle: owner, ...response } = passkey.response
      if (id !== passkey.id || (owner !== undefined && owner !== userHandle(userId))) throw new Error('a passkey of somebody else')
      return await verifyAuthenticationResponse({
        response: { ...passkey, response, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin,
        expectedRPID,
        credential: { id, publicKey: Buffer.from(credential.publicKey, 'base64url'), counter },
      })
    })
    if (!verified) throw new AppError('passkey_refused')
    return authenticationInfo.newCounter
  }

  async #challenge(kind: 'use' | 'create', subject: PasskeySubject | undefined): Promise<string> {
    const { db, clock, secretBox } = this.#deps
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
    const row = { challenge_hash: secretBox.hash('passkey-challenge', challenge), kind, subject: JSON.stringify(subject ?? null) }
    await db
      .insertInto('passkey_challenges')
      .values({ ...row, expires_at: clock() + CHALLENGE_MS })
      .execute()
    return challenge
  }

  /** Uses up the challenge that the browser answered, whatever the answer is worth. */
  async #answered(kind: 'use' | 'create', clientDataJSON: string): Promise<{ challenge: string; subject: PasskeySubject | undefined }> {
    const { db, clock, secretBox } = this.#deps
    const { challenge } = await refuseFaults(async () =>
      clientDataSchema.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())),
    )
    const own = db.deleteFrom('passkey_challenges').where('challenge_hash', '=', secretBox.hash('passkey-challenge', challenge))
    const live = own.where('kind', '=', kind).where('expires_at', '>', clock())
    const row = await live.returning('subject').executeTakeFirst()
    if (!row) throw new AppError('passkey_refused')
    return { challenge, subject: subjectSchema.safeParse(JSON.parse(row.subject)).data }
  }
}

/** At its first use: most processes verify no passkey for hours. Its polyfill comes first, since a bundle evaluates it too late. */
async function library() {
  await import('reflect-metadata')
  const [server, helpers] = await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
  return { ...server, ...helpers }
}

const clientDataSchema = z.object({ challenge: z.string() })

/** Says nothing about the account. */
const userHandle = (userId: string) => Buffer.from(userId).toString('base64url')

async function refuseFaults<T>(verify: () => T | Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw new AppError('passkey_refused', { cause })
  }
}

const NO_NAME = 'Passkeys need a host name, and the site is at an IP address. The operator sets PUBLIC_URL to a name.'
const NO_HTTPS = 'Passkeys need https, except at localhost. The operator sets PUBLIC_URL to an https address.'

/** Who the passkeys are for: WebAuthn binds them to a host name. AppError `passkeys_unavailable`. */
function relyingParty(publicUrl: string): { id: string; origin: string } {
  const { hostname: id, origin, protocol } = new URL(publicUrl)
  if (isIP(id) || id.startsWith('[')) throw new AppError('passkeys_unavailable', { detail: NO_NAME })
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) throw new AppError('passkeys_unavailable', { detail: NO_HTTPS })
  return { id, origin }
}

const signUpPasskeySchema = z.extend(credentialSchema, { userId: z.string(), device: z.optional(z.string()) })
/** The passkey of a sign-up that waits for confirmation, and the id of the account that it will open. */
export type SignUpPasskey = z.infer<typeof signUpPasskeySchema>

export const readSignUpPasskey = (text: string): SignUpPasskey => signUpPasskeySchema.parse(JSON.parse(text))
