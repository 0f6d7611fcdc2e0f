import { afterEach, expect, test, vi } from 'vitest'
import type { Language } from '#contract/languages.ts'
import { fetchTexts } from '#web/lib/i18n/i18n.tsx'
import { toastStore } from '#web/lib/notify/toasts.ts'
import { mailbox as english } from '#web/texts/en/core.ts'
import { mailbox as spanish } from '#web/texts/es/core.ts'
import { showNotice } from './notices.ts'

type Notice = Parameters<typeof showNotice>[0]

afterEach(() => {
  vi.unstubAllGlobals()
  // The files of a worker share the store.
  toastStore.set([])
})

/** The toast for a notice, without what every toast has. */
async function say(notice: Notice, language: Language = 'en') {
  vi.stubGlobal('screen', { width: 375, height: 667 })
  vi.stubGlobal('addEventListener', () => undefined)
  await fetchTexts(language, 'notices')
  await showNotice(notice, { language, texts: language === 'en' ? english : spanish, undo: '' })
  const { id, durationMs, ...toast } = toastStore.get().at(-1) ?? { title: '' }
  return toast
}

test('a failed creation is a destructive toast titled Error', async () => {
  expect(await say({ kind: 'failed' })).toEqual({
    variant: 'destructive',
    title: 'Error',
    description: 'Failed to generate email. Please try again.',
  })
})

test.each([
  [true, 'Our server does not answer.'],
  [false, 'You are offline.'],
])('a generation that reached no server says which side is away (online: %s)', async (onLine, note) => {
  vi.stubGlobal('navigator', { onLine })
  expect(await say({ kind: 'unreached' })).toEqual({
    variant: 'destructive',
    title: 'Error',
    description: 'Failed to generate email. Please try again.',
    note,
  })
})

test.each([
  ['script', 'Failed to load reCAPTCHA script'],
  ['token', 'Failed to generate CAPTCHA token. Please try again.'],
  ['verification', 'CAPTCHA verification failed'],
] as const)('a bot check that fails at the %s says so', async (failure, description) => {
  expect(await say({ kind: 'bot_check', failure })).toEqual({ variant: 'destructive', title: 'Security Verification Failed', description })
})

test('the rate limit shows the seconds to wait', async () => {
  expect(await say({ kind: 'rate_limited', seconds: 42 })).toEqual({
    variant: 'destructive',
    title: 'Please wait before generating a new email',
    description: 'Please wait 42 seconds before generating another email.',
  })
})

test('expiry is destructive, drawn as an end, and says what to do', async () => {
  expect(await say({ kind: 'expired' })).toEqual({
    variant: 'destructive',
    isEnding: true,
    title: 'Email address deleted!',
    description: 'Your temporary email has been destroyed. Generate a new one to continue.',
  })
})

test('every text has a Spanish translation', async () => {
  const notices: Notice[] = [
    { kind: 'bot_check', failure: 'script' },
    { kind: 'rate_limited', seconds: 42 },
    { kind: 'expired' },
    { kind: 'deleted' },
    { kind: 'hand_over_refused' },
  ]
  for (const notice of notices) expect((await say(notice, 'es')).title).not.toBe((await say(notice)).title)
})
