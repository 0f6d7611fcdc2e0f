/**
 * Signs a mail whose signature fields are written out, right or wrong: `{b}` stands for the signature, `{bad}` for one of other bytes, and
 * `{bh relaxed}` or `{bh simple}` for the hash of the body. Canonicalization is written here again, not taken from the library under test.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type MailTemplate = {
  /** Without the CR LF at their end. */
  readonly fields: readonly string[]
  readonly body: string
  /** The canonicalization where `c=` does not say it. */
  readonly signedAs?: string | undefined
}

const BAD = Buffer.alloc(128, 7).toString('base64')

/** Key pairs by the names that a zone uses: `key1024`, `key2048`, `ed25519`. Made on first use. */
export class TestKeys {
  readonly #pairs = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>()

  #pair(name: string) {
    const known = this.#pairs.get(name)
    if (known) return known
    const bits = Number(/\d+$/.exec(name)?.[0])
    const pair = name.startsWith('ed25519') ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: bits })
    this.#pairs.set(name, pair)
    return pair
  }

  privateKey(name: string): KeyObject {
    return this.#pair(name).privateKey
  }

  /** Replaces the names in braces by keys as records hold them: `{key2048 pkcs1}` is the older form of one. */
  publish(record: string): string {
    return record.replace(/\{(\w+)( pkcs1)?\}/g, (_, name: string, isPkcs1?: string) => {
      const { publicKey } = this.#pair(name)
      if (name.startsWith('ed25519')) return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
      return publicKey.export({ type: isPkcs1 ? 'pkcs1' : 'spki', format: 'der' }).toString('base64')
    })
  }
}

/** `keyOf` names the key for a selector and domain. */
export function signTemplate(
  { fields, body, signedAs }: MailTemplate,
  keys: TestKeys,
  keyOf: (selector: string, domain: string) => string,
): Buffer {
  const signed = fields.map(field =>
    field.replaceAll('{bad}', BAD).replace(/\{bh (simple|relaxed)\}/g, (_, canon: string) => bodyHash(body, canon, field)),
  )
  const put = (at: number, data: string, algorithm: string) => {
    const field = signed[at] ?? ''
    const key = keys.privateKey(keyOf(tagValue(field, 's'), tagValue(field, 'd')))
    const bytes = Buffer.from(data, 'latin1')
    const isEdwards = key.asymmetricKeyType === 'ed25519'
    const value = isEdwards ? sign(null, createHash('sha256').update(bytes).digest(), key) : sign(algorithm, bytes, key)
    signed[at] = field.replace('{b}', value.toString('base64'))
  }
  const hashOf = (field: string) => (/-sha1$/i.test(tagValue(field, 'a')) ? 'sha1' : 'sha256')
  const turn = (field: string) =>
    nameOf(field) === 'dkim-signature' ? 0 : Number(tagValue(field, 'i')) * 2 + Number(nameOf(field) === 'arc-seal')
  const order = signed.map((_, at) => at).filter(at => signed[at]?.includes('{b}'))
  for (const at of order.toSorted((one, other) => turn(signed[one] ?? '') - turn(signed[other] ?? ''))) {
    const field = signed[at] ?? ''
    const isSeal = nameOf(field) === 'arc-seal'
    const canon = signedAs ?? (tagValue(field, 'c').toLowerCase() || 'simple')
    put(at, isSeal ? sealedData(signed, field) : signedData(signed, field, canon.split('/')[0] ?? ''), hashOf(field))
  }
  const text = signed.map(field => `${field}\r\n`).join('')
  return Buffer.from(text === '' && body === '' ? '' : `${text}\r\n${body}`, 'latin1')
}

const nameOf = (field: string) => field.slice(0, field.indexOf(':')).trim().toLowerCase()

function tagValue(field: string, tag: string): string {
  const segments = field.slice(field.indexOf(':') + 1).split(';')
  const found = segments.find(segment => segment.slice(0, segment.indexOf('=')).trim().toLowerCase() === tag)
  return found === undefined ? '' : found.slice(found.indexOf('=') + 1).replace(/\s+/g, '')
}

/** RFC 6376 section 3.4.2. */
function relaxed(field: string): string {
  const value = field.slice(field.indexOf(':') + 1).replace(/\r\n/g, '')
  return `${nameOf(field)}:${value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')}`
}

function withoutSignature(field: string): string {
  const at = field.indexOf(':') + 1
  const segments = field.slice(at).split(';')
  return field.slice(0, at) + segments.map(each => (/^\s*b\s*=/i.test(each) ? each.slice(0, each.indexOf('=') + 1) : each)).join(';')
}

/** RFC 6376 sections 3.4.3 and 3.4.4, and the length of 3.4.5. */
function bodyHash(body: string, canon: string, field: string): string {
  const spaced = canon === 'relaxed' ? body.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n|$)/g, '') : body
  const ended = spaced.replace(/(?:\r\n)+$/, '')
  const whole = ended === '' && canon === 'relaxed' ? '' : `${ended}\r\n`
  const length = tagValue(field, 'l')
  const hash = createHash(/-sha1$/i.test(tagValue(field, 'a')) ? 'sha1' : 'sha256')
  return hash.update(length === '' ? whole : whole.slice(0, Number(length)), 'latin1').digest('base64')
}

/** RFC 6376 section 3.7: the last field of a name is signed first. */
function signedData(fields: readonly string[], signature: string, canon: string): string {
  const canonical = (field: string) => (canon === 'simple' ? field : relaxed(field))
  const left = [...fields]
  let data = ''
  for (const name of tagValue(signature, 'h').toLowerCase().split(':')) {
    const at = left.findLastIndex(field => nameOf(field) === name)
    if (at >= 0) data += left.splice(at, 1).map(field => `${canonical(field)}\r\n`)[0] ?? ''
  }
  return data + canonical(withoutSignature(signature))
}

/** RFC 8617 section 5.1.1. */
function sealedData(fields: readonly string[], seal: string): string {
  const last = Number(tagValue(seal, 'i'))
  let data = ''
  for (let i = 1; i <= last; i++) {
    for (const name of ['arc-authentication-results', 'arc-message-signature', 'arc-seal']) {
      const isSeal = name === 'arc-seal' && i === last
      const field = fields.find(each => nameOf(each) === name && Number(tagValue(each, 'i')) === i)
      if (isSeal) data += relaxed(withoutSignature(seal))
      else if (field !== undefined) data += `${relaxed(field)}\r\n`
    }
  }
  return data
}
