import { expect, test } from 'vitest'
import { breakable } from './address.tsx'

test.each([
  ['a short domain stays whole', 'label.require.mjnzs9@mayfly.test', ['label.', 'require.', 'mjnzs9', '@mayfly.test']],
  ['a long one may break after its dots', 'ada@mail.a-long-name.example', ['ada', '@mail.', 'a-long-name.', 'example']],
  ['a name without dots is one word', 'as-long_as@mayfly.test', ['as-long_as', '@mayfly.test']],
])('%s', (_, email, parts) => {
  expect(breakable(email).map(part => part.text)).toEqual(parts)
  expect(breakable(email).every(part => email.startsWith(part.text, part.at))).toBe(true)
})
