import { createHmac, randomBytes } from 'node:crypto'
import * as hpke from 'hpke'
import { describe, expect, test } from 'vitest'
import {
  aeads,
  derivePrivateKey,
  exportSecret,
  generateKeyPair,
  hmacSha256,
  importPublicKey,
  open,
  seal,
  sealTo,
  setupReceiver,
  setupSender,
  toKeyPair,
} from './hpke.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')

/** RFC 9180 appendix A.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode. */
const vector = {
  info: bytes('4f6465206f6e2061204772656369616e2055726e'),
  ikmE: bytes('7268600d403fce431561aef583ee1613527cff655c1343f29812e66706df3234'),
  pkEm: '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431',
  skEm: '52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736',
  ikmR: bytes('6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037'),
  pkRm: '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d',
  skRm: '4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8',
  key: '4531685d41d65f03dc48f6b8302c05b0',
  baseNonce: '56d890e5accaaf011cff4b7d',
  plaintext: bytes('4265617574792069732074727574682c20747275746820626561757479'),
  sealed: [
    ['436f756e742d30', 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a'],
    ['436f756e742d31', 'af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab251c03d0c22a56b8ca42c2063b84'],
  ],
  exported: [
    ['', '3853fe2b4035195a573ffc53856e77058e15d9ea064de3e59f4961d0095250ee'],
    ['00', '2e8f0b54673c7029649d4eb9d5e33bf1872cf76d623ff164ac185da9e88c21a5'],
    ['54657374436f6e74657874', 'e9e43065102c3836401bed8c3c3c75ae46be1639869391d62c61f1ec7af54931'],
  ],
} as const

describe('RFC 9180 appendix A.1.1', () => {
  const sender = toKeyPair(derivePrivateKey(vector.ikmE))
  const recipient = toKeyPair(derivePrivateKey(vector.ikmR))

  test('DeriveKeyPair', () => {
    expect([hex(sender.publicKey), hex(derivePrivateKey(vector.ikmE))]).toEqual([vector.pkEm, vector.skEm])
    expect([hex(recipient.publicKey), hex(derivePrivateKey(vector.ikmR))]).toEqual([vector.pkRm, vector.skRm])
  })

  test('key schedule and ciphertexts, sender and receiver', () => {
    const to = { publicKey: recipient.publicKey, key: importPublicKey(recipient.publicKey) }
    const sending = setupSender(aeads.Aes128Gcm, to, vector.info, sender)
    expect([hex(sending.enc), hex(sending.key), hex(sending.baseNonce)]).toEqual([vector.pkEm, vector.key, vector.baseNonce])
    const receiving = setupReceiver(aeads.Aes128Gcm, toKeyPair(bytes(vector.skRm)), sending.enc, vector.info)
    vector.sealed.forEach(([aad, expected], sequence) => {
      expect(hex(Buffer.concat(seal(sending, sequence, bytes(aad), vector.plaintext)))).toBe(expected)
      expect(hex(open(receiving, sequence, bytes(aad), bytes(expected)))).toBe(hex(vector.plaintext))
    })
  })

  test('exported secrets, sender and receiver', () => {
    const to = { publicKey: recipient.publicKey, key: importPublicKey(recipient.publicKey) }
    const sending = setupSender(aeads.Aes128Gcm, to, vector.info, sender)
    const receiving = setupReceiver(aeads.Aes128Gcm, recipient, sending.enc, vector.info)
    for (const { exporterSecret } of [sending, receiving]) {
      for (const [context, expected] of vector.exported)
        expect(hex(exportSecret(aeads.Aes128Gcm, exporterSecret(), bytes(context)))).toBe(expected)
    }
  })

  test('the vectors hold for the other implementation too', async () => {
    const suite = new hpke.CipherSuite(hpke.KEM_DHKEM_X25519_HKDF_SHA256, hpke.KDF_HKDF_SHA256, hpke.AEAD_AES_128_GCM)
    const keys = await suite.DeriveKeyPair(vector.ikmR)
    const context = await suite.SetupRecipient(keys, bytes(vector.pkEm), { info: vector.info })
    for (const [exporterContext, expected] of vector.exported) expect(hex(await context.Export(bytes(exporterContext), 32))).toBe(expected)
    for (const [aad, sealed] of vector.sealed) expect(hex(await context.Open(bytes(sealed), bytes(aad)))).toBe(hex(vector.plaintext))
  })
})

describe('AES-256-GCM, against another implementation', () => {
  const suite = new hpke.CipherSuite(hpke.KEM_DHKEM_X25519_HKDF_SHA256, hpke.KDF_HKDF_SHA256, hpke.AEAD_AES_256_GCM)
  const info = Buffer.from('info')
  const aad = Buffer.from('aad')
  const texts = ['', 'a', 'x'.repeat(70_000)].map(text => Buffer.from(text))

  test('the other implementation opens what we seal', async () => {
    const privateBytes = derivePrivateKey(randomBytes(32))
    const recipient = toKeyPair(privateBytes)
    const context = setupSender(aeads.Aes256Gcm, { publicKey: recipient.publicKey, key: importPublicKey(recipient.publicKey) }, info)
    const privateKey = await suite.DeserializePrivateKey(new Uint8Array(privateBytes))
    const publicKey = await suite.DeserializePublicKey(new Uint8Array(recipient.publicKey))
    const receiving = await suite.SetupRecipient({ privateKey, publicKey }, new Uint8Array(context.enc), { info })
    for (const [sequence, text] of texts.entries()) {
      const sealed = Buffer.concat(seal(context, sequence, aad, text))
      expect(Buffer.from(await receiving.Open(new Uint8Array(sealed), aad)).equals(text)).toBe(true)
    }
  })

  test('we open what it seals', async () => {
    const recipient = generateKeyPair()
    const { encapsulatedSecret, ctx } = await suite.SetupSender(await suite.DeserializePublicKey(new Uint8Array(recipient.publicKey)), {
      info,
    })
    const receiving = setupReceiver(aeads.Aes256Gcm, recipient, encapsulatedSecret, info)
    for (const [sequence, text] of texts.entries()) {
      expect(Buffer.from(open(receiving, sequence, aad, await ctx.Seal(text, aad))).equals(text)).toBe(true)
    }
  })

  test('a large plaintext sealed in steps into shared memory gives the same bytes', () => {
    const recipient = generateKeyPair()
    const context = setupSender(aeads.Aes256Gcm, { publicKey: recipient.publicKey, key: importPublicKey(recipient.publicKey) }, info)
    for (const length of [0, 1, 262_144, 1_000_003]) {
      const plaintext = Buffer.alloc(length, 'in steps ')
      const target = Buffer.from(new SharedArrayBuffer(length + 16))
      sealTo(target, context, 1, aad, plaintext)
      expect(target.equals(Buffer.concat(seal(context, 1, aad, plaintext)))).toBe(true)
    }
  })

  test('a changed bit, sequence number, AAD or key opens nothing', () => {
    const recipient = generateKeyPair()
    const context = setupSender(aeads.Aes256Gcm, { publicKey: recipient.publicKey, key: importPublicKey(recipient.publicKey) }, info)
    const sealed = Buffer.concat(seal(context, 1, aad, Buffer.from('text')))
    expect(open(context, 1, aad, sealed).toString()).toBe('text')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => open(context, 1, aad, changed)).toThrow()
    }
    expect(() => open(context, 0, aad, sealed)).toThrow()
    expect(() => open(context, 1, Buffer.from('other'), sealed)).toThrow()
    expect(() => open(setupReceiver(aeads.Aes256Gcm, generateKeyPair(), context.enc, info), 1, aad, sealed)).toThrow()
    for (let length = 0; length < sealed.length; length++) expect(() => open(context, 1, aad, sealed.subarray(0, length))).toThrow()
  })

  test('an encapsulated key that is not a public key is refused', () => {
    expect(() => setupReceiver(aeads.Aes256Gcm, generateKeyPair(), new Uint8Array(32), info)).toThrow()
    expect(() => setupReceiver(aeads.Aes256Gcm, generateKeyPair(), new Uint8Array(31), info)).toThrow()
  })
})

test('an HMAC is that of Node, whatever the one before it was', () => {
  for (const [keyBytes, messageBytes] of [
    [64, 5000],
    [0, 0],
    [32, 959],
    [32, 960],
    [1, 961],
    [32, 100],
  ] as const) {
    const [key, message] = [randomBytes(keyBytes), randomBytes(messageBytes)]
    const pieces = [message.subarray(0, 7), message.subarray(7)]
    expect(hex(hmacSha256(key, pieces))).toBe(createHmac('sha256', key).update(message).digest('hex'))
  }
})
