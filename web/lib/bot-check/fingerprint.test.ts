import { afterEach, expect, test, vi } from 'vitest'
import { deviceFingerprint } from './fingerprint.ts'

const phone = { userAgent: 'Mozilla/5.0', language: 'es-MX', timezoneOffset: 360, width: 360, height: 640 }

function fingerprintOf({ userAgent, language, timezoneOffset, width, height }: typeof phone): string {
  vi.stubGlobal('navigator', { userAgent, language })
  vi.stubGlobal('screen', { width, height })
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(timezoneOffset)
  return deviceFingerprint()
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the fingerprint depends on each of its four sources and nothing else', () => {
  const changes = [{ userAgent: 'Mozilla/4.0' }, { language: 'en' }, { timezoneOffset: 0 }, { height: 641 }]
  expect(new Set([{}, ...changes].map(change => fingerprintOf({ ...phone, ...change }))).size).toBe(5)
  expect(fingerprintOf({ ...phone })).toBe(fingerprintOf(phone))
})

test('a phone that is turned keeps its fingerprint', () => {
  expect(fingerprintOf({ ...phone, width: 640, height: 360 })).toBe(fingerprintOf(phone))
})
