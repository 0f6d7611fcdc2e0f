import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MailboxId } from '#server/store/store.ts'
import { importSealingKey, sealOne } from './seal.ts'
import { createToken, deriveMailboxKeys, openAddress, sealAddress } from './token.ts'

const mailboxId = randomBytes(16).toString('base64url') as MailboxId
const token = createToken(mailboxId, size => randomBytes(size))
const keys = () => deriveMailboxKeys(token)
const noKeys = () => expect.fail()
const EMAIL = 'calm.otter.123456789@mayfly.test'

test('the token opens the address without the key pair', () => {
  expect(openAddress(token, noKeys, sealAddress(token, EMAIL))).toBe(EMAIL)
})

test('another token, another mailbox or a changed bit does not open the address', () => {
  const sealed = sealAddress(token, EMAIL)
  expect(() =>
    openAddress(
      createToken(mailboxId, size => randomBytes(size)),
      keys,
      sealed,
    ),
  ).toThrow()
  const other = randomBytes(16).toString('base64url') as MailboxId
  expect(() => openAddress({ ...token, mailboxId: other }, keys, sealed)).toThrow()
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => openAddress(token, keys, changed)).toThrow()
  }
  expect(Buffer.from(sealed).includes('otter')).toBe(false)
})

test('an address that an earlier build sealed to the public key is opened with the key pair', () => {
  const sealingKey = importSealingKey(keys().publicKey)
  const sealed = Buffer.concat(sealOne(sealingKey, 'address', { mailboxId, messageId: '' }, Buffer.from(EMAIL)))
  expect(openAddress(token, keys, sealed)).toBe(EMAIL)
})
