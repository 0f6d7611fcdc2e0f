import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import type { Message } from '#contract/mailbox.ts'
import { localStore } from '#web/lib/browser/storage.ts'
import { canTrustSender, useMailChoices, wantSendersPictures } from './mail-choices.ts'

const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' } as const
const shop = {
  from: { name: 'Shop', address: 'hello@shop.example' },
  authentication: { ...none, dkim: 'pass', domain: 'shop.example' },
  verdict: 'vouched',
} as const
const KEY = 'mayfly.picture-senders'

/** Whether the pictures of a mail are shown when it is opened. */
function areShown(token: string, sender: Pick<Message, 'from' | 'authentication' | 'verdict'>): boolean {
  const Opened = () => String(useMailChoices(token, sender as Message).areImagesAllowed)
  return renderToStaticMarkup(createElement(Opened)) === 'true'
}

beforeEach(() => localStore.removeItem(KEY))

test('pictures are shown always for this sender in this mailbox, until the reader changes that', () => {
  expect(areShown('one', shop)).toBe(false)
  wantSendersPictures('one', shop, true)
  expect(areShown('one', shop)).toBe(true)
  expect(areShown('one', { ...shop, from: { name: '', address: 'Hello@SHOP.example' } })).toBe(true)
  expect(areShown('one', { ...shop, from: { name: 'Shop', address: 'other@shop.example' } })).toBe(false)
  wantSendersPictures('one', shop, false)
  expect(areShown('one', shop)).toBe(false)
  expect(localStore.getItem(KEY)).toBeNull()
})

test('pictures are not shown for somebody who only uses the sender’s address', () => {
  wantSendersPictures('one', shop, true)
  expect(areShown('one', { ...shop, authentication: none, verdict: 'unknown' })).toBe(false)
  expect(areShown('one', { ...shop, verdict: 'contradicted' })).toBe(false)
  expect(canTrustSender({ ...shop, verdict: 'contradicted' })).toBe(false)
  expect(canTrustSender({ from: { name: 'Nobody', address: '' }, verdict: 'unknown' })).toBe(false)
})

test('choices are forgotten with the mailbox, and only hashes are stored', () => {
  wantSendersPictures('one', shop, true)
  expect(localStore.getItem(KEY)).not.toMatch(/shop|hello|one"/)
  expect(areShown('two', shop)).toBe(false)
  expect(localStore.getItem(KEY)).toBeNull()
  expect(areShown('one', shop)).toBe(false)
})
