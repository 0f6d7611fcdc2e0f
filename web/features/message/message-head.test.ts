import { expect, test } from 'vitest'
import type { Authentication } from '#contract/mailbox.ts'
import { hasLinks, mailingList, senderVerdict } from './message-head.tsx'

const none: Authentication = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' }

test.each<[Partial<Authentication> | undefined, object]>([
  [undefined, { kind: 'pending' }],
  [{}, { kind: 'unverified' }],
  [
    { dkim: 'pass', dmarc: 'pass', domain: 'shop.example' },
    { kind: 'signed', domain: 'shop.example' },
  ],
  [
    { dkim: 'pass', dmarc: 'none', domain: 'mailer.example' },
    { kind: 'signed', domain: 'mailer.example' },
  ],
  [
    { spf: 'pass', domain: 'shop.example' },
    { kind: 'server', domain: 'shop.example' },
  ],
  [
    { spf: 'pass', dkim: 'pass', dmarc: 'fail', domain: 'evil.example' },
    { kind: 'forged', domain: 'bank.example' },
  ],
  [{ dkim: 'temperror' }, { kind: 'unverified' }],
])('%j is shown as %j', (authentication, verdict) => {
  expect(senderVerdict(authentication && { ...none, ...authentication }, 'info@bank.example')).toEqual(verdict)
})

test.each([
  [{ links: [] }, false],
  [{ links: [], text: 'Your code is 481516.', html: '<p>Your code is 481516.</p>' }, false],
  [{ links: [{ url: 'https://shop.example/', label: 'Confirm' }] }, true],
  [{ links: [], text: 'Read HTTP://shop.example' }, true],
  [{ links: [], html: '<a class="x" HREF = "https://shop.example">Read</a>' }, true],
])('%j has links: %s', (message, expected) => {
  expect(hasLinks(message)).toBe(expected)
})

test('links are found in linear time', () => {
  const started = performance.now()
  expect(hasLinks({ links: [], html: '<a href'.repeat(300_000), text: 'http'.repeat(500_000) })).toBe(false)
  expect(performance.now() - started).toBeLessThan(1000)
})

const read = (value: string) => mailingList([{ name: 'List-Unsubscribe', value }])

test.each([
  ['<https://list.example/leave?u=1>', { url: 'https://list.example/leave?u=1' }],
  ['<mailto:leave@list.example?subject=x>, <https://list.example/leave>', { url: 'https://list.example/leave' }],
  ['<mailto:leave%2Bme@list.example?subject=unsubscribe>', { address: 'leave+me@list.example' }],
  ['(comment) <https://list.example/a\r\n b>', { url: 'https://list.example/ab' }],
  ['<javascript:alert(1)>', undefined],
  ['<ftp://list.example/leave>', undefined],
  ['</api/mailbox>', undefined],
  ['https://list.example/leave', undefined],
  ['<mailto:%E0%A4%A>', { address: '%E0%A4%A' }],
  ['', undefined],
])('%s', (value, list) => {
  expect(read(value)).toEqual(list)
})

test('a mail without the field is from no list, and a hostile field is read in linear time', () => {
  expect(mailingList([])).toBeUndefined()
  expect(mailingList([{ name: 'list-unsubscribe', value: '<https://a.example/>' }])).toEqual({ url: 'https://a.example/' })
  expect(read('<'.repeat(1_000_000))).toBeUndefined()
})
