import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MailboxId } from '#server/store/store.ts'
import { createToken, openAddress, sealAddress } from './token.ts'

const mailboxId = randomBytes(16).toString('base64url') as MailboxId
const token = createToken(mailboxId)
const EMAIL = 'calm.otter.123456789@mayfly.test'

test('the token opens the address', () => {
  expect(openAddress(token, sealAddress(token, EMAIL))).toBe(EMAIL)
})

test('another token, another mailbox or a changed bit does not open the address', () => {
  const sealed = sealAddress(token, EMAIL)
  expect(() => openAddress(createToken(mailboxId), sealed)).toThrow()
  const other = randomBytes(16).toString('base64url') as MailboxId
  expect(() => openAddress({ ...token, mailboxId: other }, sealed)).toThrow()
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => openAddress(token, changed)).toThrow()
  }
  expect(Buffer.from(sealed).includes('otter')).toBe(false)
})
