import { afterEach, expect, test, vi } from 'vitest'
import { notices as englishNotices } from '#web/texts/en/mailbox.ts'
import { notices as spanishNotices } from '#web/texts/es/mailbox.ts'
import { noticeToast } from './notices.ts'

type Notice = Parameters<typeof noticeToast>[0]
const say = (notice: Notice) => noticeToast(notice, englishNotices)

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

test('every text has a Spanish translation', () => {
  const notices: Notice[] = [
    { kind: 'bot_check', failure: 'script' },
    { kind: 'rate_limited', seconds: 42 },
    { kind: 'expired' },
    { kind: 'deleted' },
    { kind: 'hand_over_refused' },
  ]
  for (const notice of notices) expect(noticeToast(notice, spanishNotices).title).not.toBe(say(notice).title)
})
