import { afterEach, expect, test, vi } from 'vitest'
import { track } from './analytics.ts'

afterEach(() => void Reflect.deleteProperty(globalThis, 'gtag'))

test('without an analytics function nothing is sent and nothing fails', () => {
  track('email_generated')
  expect(Reflect.has(globalThis, 'gtag')).toBe(false)
  Reflect.set(globalThis, 'gtag', 'not a function')
  track('logout')
  expect(Reflect.get(globalThis, 'gtag')).toBe('not a function')
})

test('with one, the event is sent with its value', () => {
  const sent: unknown[][] = []
  Reflect.set(globalThis, 'gtag', (...event: unknown[]) => void sent.push(event))
  track('email_received', { value: 3 })
  track('login', { method: 'email' })
  track('email_expired')
  expect(sent).toEqual([
    ['event', 'email_received', { value: 3 }],
    ['event', 'login', { method: 'email' }],
    ['event', 'email_expired', {}],
  ])
})

test('one that throws is logged to the console', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  Reflect.set(globalThis, 'gtag', () => {
    throw new Error('no consent')
  })
  track('email_copied')
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})
