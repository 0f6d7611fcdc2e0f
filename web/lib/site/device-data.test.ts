import { globSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { readDeviceData } from './device-data.ts'

/** They name no stored value, such as a channel between tabs, or one that lasts only as long as its tab. */
const NOT_KEPT = ['mayfly.changes', 'mayfly.first-address', 'mayfly.generate', 'mayfly.hand-off', 'mayfly.probe']

test('"On this device" has a name for every key that the site keeps in local storage', () => {
  const sources = globSync('web/**/*.{ts,tsx}').filter(path => !path.includes('.test.') && !path.endsWith('device-data.ts'))
  const keys = new Set(sources.flatMap(path => readFileSync(path, 'utf8').match(/(?<=')mayfly\.(?!svg')[a-z][a-z.-]*(?=')/g) ?? []))
  vi.stubGlobal('screen', { width: 1, height: 1 })
  const unnamed = [...keys].filter(key => {
    vi.stubGlobal('localStorage', { [key]: '' })
    const { kept, settings } = readDeviceData()
    return kept.size + settings.size === 0
  })
  expect(keys.size).toBeGreaterThan(15)
  expect(unnamed.toSorted()).toEqual(NOT_KEPT)
})
