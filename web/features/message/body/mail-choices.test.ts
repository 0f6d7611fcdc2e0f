import { beforeEach, expect, test } from 'vitest'
import { localStore } from '#web/lib/browser/storage.ts'
import { areSendersPicturesWanted, canTrustSender, wantSendersPictures } from './mail-choices.ts'

const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' } as const
const shop = {
  from: { name: 'Shop', address: 'hello@shop.example' },
  authentication: { ...none, dkim: 'pass', domain: 'shop.example' },
} as const
const KEY = 'mayfly.picture-senders'

beforeEach(() => localStore.removeItem(KEY))

test('pictures are shown always for this sender in this mailbox, until the reader changes that', () => {
  expect(areSendersPicturesWanted('one', shop)).toBe(false)
  wantSendersPictures('one', shop, true)
  expect(areSendersPicturesWanted('one', shop)).toBe(true)
  expect(areSendersPicturesWanted('one', { ...shop, from: { name: '', address: 'Hello@SHOP.example' } })).toBe(true)
  expect(areSendersPicturesWanted('one', { ...shop, from: { name: 'Shop', address: 'other@shop.example' } })).toBe(false)
  wantSendersPictures('one', shop, false)
  expect(areSendersPicturesWanted('one', shop)).toBe(false)
  expect(localStore.getItem(KEY)).toBeNull()
})

test('pictures are not shown for somebody who only uses the sender’s address', () => {
  wantSendersPictures('one', shop, true)
  expect(areSendersPicturesWanted('one', { ...shop, authentication: none })).toBe(false)
  expect(areSendersPicturesWanted('one', { ...shop, authentication: { ...shop.authentication, dmarc: 'fail' } })).toBe(false)
  expect(canTrustSender({ from: { name: 'PayPal', address: 'x@evil.example' } })).toBe(false)
  expect(canTrustSender({ from: { name: 'Nobody', address: '' } })).toBe(false)
})

test('choices are forgotten with the mailbox, and only hashes are stored', () => {
  wantSendersPictures('one', shop, true)
  expect(localStore.getItem(KEY)).not.toMatch(/shop|hello|one"/)
  expect(areSendersPicturesWanted('two', shop)).toBe(false)
  expect(localStore.getItem(KEY)).toBeNull()
  expect(areSendersPicturesWanted('one', shop)).toBe(false)
})
