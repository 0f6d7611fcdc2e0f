/** An authenticator of WebAuthn in software: it creates passkeys (ES256) and uses them, as a browser returns it to its page. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '#contract/passkeys.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Held = { readonly id: string; readonly userHandle: string; readonly privateKey: KeyObject }
/** What a test gets wrong on purpose. */
type Wrong = { readonly origin?: string; readonly flags?: number; readonly type?: string; readonly attestation?: Buffer }

export class Authenticator {
  readonly #origin: string
  counter = 0
  held: Held | undefined

  constructor(origin: string) {
    this.#origin = origin
  }

  create({ rp, user, challenge }: PasskeyCreation, wrong: Wrong = {}): NewPasskey {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    this.held = { id: id.toString('base64url'), userHandle: user.id, privateKey }
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // COSE (RFC 9053): an EC2 key on P-256, for ES256.
    const key = cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.from([0, id.byteLength])
    const head = this.#head(rp.id, (wrong.flags ?? USER_PRESENT | USER_VERIFIED) | HAS_CREDENTIAL)
    const authData = Buffer.concat([head, Buffer.alloc(16), length, id, key])
    const [format, statement] = wrong.attestation ? ['packed', wrong.attestation] : ['none', cborMap([])]
    const attestation = cborMap([
      [cborText('fmt'), cborText(format)],
      [cborText('attStmt'), statement],
      [cborText('authData'), cborBytes(authData)],
    ])
    const response = {
      clientDataJSON: this.#clientData(wrong.type ?? 'webauthn.create', challenge, wrong),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
    return { id: this.held.id, rawId: this.held.id, type: 'public-key', response }
  }

  use({ rpId, challenge }: PasskeyRequest, wrong: Wrong = {}): UsedPasskey {
    if (!this.held) throw new TypeError('create a passkey first')
    const { id, userHandle, privateKey } = this.held
    this.counter += 1
    const authData = this.#head(rpId, wrong.flags ?? USER_PRESENT | USER_VERIFIED)
    const clientDataJSON = this.#clientData(wrong.type ?? 'webauthn.get', challenge, wrong)
    const signed = Buffer.concat([authData, createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()])
    const signature = sign('sha256', signed, privateKey).toString('base64url')
    const response = { clientDataJSON, authenticatorData: authData.toString('base64url'), signature, userHandle }
    return { id, rawId: id, type: 'public-key', response }
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Wrong): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }
}

/** RFC 8949: a major type with a length or number below 65,536. */
function cborHead(majorType: number, value: number): Buffer {
  const type = majorType << 5
  if (value < 24) return Buffer.from([type | value])
  return value < 256 ? Buffer.from([type | 24, value]) : Buffer.from([type | 25, value >> 8, value & 255])
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Uint8Array) => Buffer.concat([cborHead(2, bytes.byteLength), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])

/** An attestation that names a certificate, whose issuer a verifier might look up. */
export const CERTIFIED = cborMap([
  [cborText('alg'), cborInt(-7)],
  [cborText('sig'), cborBytes(Buffer.from('signature'))],
  [cborText('x5c'), Buffer.concat([cborHead(4, 1), cborBytes(Buffer.from('certificate'))])],
])
