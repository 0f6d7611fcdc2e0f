import { afterEach, expect, test, vi } from 'vitest'
import { mailbox as english } from '#web/texts/en/core.ts'
import { notices as englishNotices } from '#web/texts/en/mailbox.ts'
import { mailbox as spanish } from '#web/texts/es/core.ts'
import { notices as spanishNotices } from '#web/texts/es/mailbox.ts'
import { type MailboxNotice, noticeToast } from './notices.ts'

const say = (notice: MailboxNotice) => noticeToast(notice, englishNotices, english.notices)

test('a failed creation is a destructive toast titled Error', () => {
  expect(say({ kind: 'failed' })).toEqual({
    variant: 'destructive',
    title: 'Error',
    description: 'Failed to generate email. Please try again.',
  })
})

afterEach(() => vi.unstubAllGlobals())

test.each([
  [true, 'Our server does not answer. Failed to generate email. Please try again.'],
  [false, 'You are offline. Failed to generate email. Please try again.'],
])('a generation that reached no server says which side is away (online: %s)', (onLine, description) => {
  vi.stubGlobal('navigator', { onLine })
  expect(say({ kind: 'unreached' })).toEqual({ variant: 'destructive', title: 'Error', description })
})

test.each([
  ['script', 'Failed to load reCAPTCHA script'],
  ['token', 'Failed to generate CAPTCHA token. Please try again.'],
  ['verification', 'CAPTCHA verification failed'],
] as const)('a bot check that fails at the %s says so', (failure, description) => {
  expect(say({ kind: 'bot_check', failure })).toEqual({ variant: 'destructive', title: 'Security Verification Failed', description })
})

test('the rate limit shows the seconds to wait', () => {
  expect(say({ kind: 'rate_limited', seconds: 42 })).toEqual({
    variant: 'destructive',
    title: 'Please wait before generating a new email',
    description: 'Please wait 42 seconds before generating another email.',
  })
})

test('expiry is destructive, drawn as an end, and says what to do', () => {
  expect(say({ kind: 'expired' })).toEqual({
    variant: 'destructive',
    isEnding: true,
    title: 'Email address deleted!',
    description: 'Your temporary email has been destroyed. Generate a new one to continue.',
  })
})

test('a new address is announced with its lifetime, a deleted one briefly', () => {
  expect(say({ kind: 'generated', lifetimeSeconds: 600 })).toEqual({
    variant: 'default',
    title: 'New temporary email generated!',
    description: 'Your email will be active for 10 minutes.',
  })
  expect(say({ kind: 'generated', lifetimeSeconds: 3600 }).description).toBe('Your email will be active for 1 hour.')
  expect(say({ kind: 'generated', lifetimeSeconds: 86_400 }).description).toBe('Your email will be active for 24 hours.')
  expect(say({ kind: 'generated', lifetimeSeconds: 604_800 }).description).toBe('Your email will be active for 7 days.')
  expect(say({ kind: 'generated', lifetimeSeconds: 599 }).description).toBe('Your email will be active for 599 seconds.')
  expect(say({ kind: 'deleted' })).toEqual({ variant: 'default', title: 'Email address deleted!' })
})

test('every text has a Spanish translation', () => {
  const notices: MailboxNotice[] = [
    { kind: 'bot_check', failure: 'script' },
    { kind: 'rate_limited', seconds: 42 },
    { kind: 'expired' },
    { kind: 'generated', lifetimeSeconds: 600 },
    { kind: 'deleted' },
    { kind: 'hand_over_refused' },
  ]
  for (const notice of notices) expect(noticeToast(notice, spanishNotices, spanish.notices).title).not.toBe(say(notice).title)
  expect(noticeToast({ kind: 'generated', lifetimeSeconds: 600 }, spanishNotices, spanish.notices).description).toBe(
    'Estará activa durante 10 minutos.',
  )
})
