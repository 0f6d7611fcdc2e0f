import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MailboxId } from '#server/store/store.ts'
import { createToken, parseToken } from './token.ts'

const TOKEN_BYTES = 48
/** Any bytes, and the starts of other credentials and of what parsers treat apart. */
const tokenBytes = fc.oneof(
  fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES }),
  fc
    .tuple(fc.constantFrom('mfk_', 'MFT_', 'mFk_', '----', '____', 'AAAA', '0x00', 'null'), fc.uint8Array({ minLength: 45, maxLength: 45 }))
    .map(([start, rest]) => Buffer.concat([Buffer.from(start, 'base64url'), rest])),
)

test('a token of any bytes is parsed to what it was created from, and nothing else is a token', () => {
  fc.assert(
    fc.property(tokenBytes, bytes => {
      const [id, secret] = [Buffer.from(bytes.subarray(0, 16)).toString('base64url'), Buffer.from(bytes.subarray(16))]
      const { token } = createToken(id as MailboxId, () => secret)
      const parsed = parseToken(token)
      expect(parsed?.mailboxId).toBe(id)
      expect(secret.equals(parsed?.secret ?? Buffer.alloc(0))).toBe(true)
      const others = [`${token}=`, ` ${token}`, token.slice(1), `${token}\n`, token.replace(/./, '+')]
      expect(others.map(parseToken)).toEqual(others.map(() => undefined))
    }),
  )
})
