import { expect, test } from 'vitest'
import { hashDevice, hashText } from './fingerprint.ts'

const device = { userAgent: 'Mozilla/5.0', language: 'es-MX', timezoneOffsetMinutes: 360, screenWidth: 360, screenHeight: 640 }

test('the fingerprint depends on each of its four sources and nothing else', () => {
  const changed = [
    { ...device, userAgent: 'Mozilla/4.0' },
    { ...device, language: 'en' },
    { ...device, timezoneOffsetMinutes: 0 },
    { ...device, screenHeight: 641 },
  ].map(hashDevice)
  expect(new Set([hashDevice(device), ...changed]).size).toBe(5)
  expect(hashDevice({ ...device })).toBe(hashDevice(device))
})

test('a phone that is turned keeps its fingerprint', () => {
  expect(hashDevice({ ...device, screenWidth: 640, screenHeight: 360 })).toBe(hashDevice(device))
})

test('the hash is 64-bit FNV-1a', () => {
  // Test vectors of the FNV reference page (draft-eastlake-fnv).
  expect(hashText('')).toBe('cbf29ce484222325')
  expect(hashText('a')).toBe('af63dc4c8601ec8c')
  expect(hashText('foobar')).toBe('85944171f73967e8')
})
