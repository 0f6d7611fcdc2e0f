import { expect, test } from 'vitest'
import type { Authentication } from '#contract/mailbox.ts'
import { senderVerdict } from './sender-verdict.ts'

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
