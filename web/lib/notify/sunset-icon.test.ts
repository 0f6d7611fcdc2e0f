import { expect, onTestFinished, test, vi } from 'vitest'
import { DAY, LAST_SECONDS, showSunsetIcon } from './sunset-icon.ts'

const sunAt = (icon: string) => Number(/cy="([\d.]+)"/.exec(icon)?.[1])
const LINE = new RegExp(`M4 23\\.5h([\\d.]+)" stroke="(?:${DAY.sun}|${LAST_SECONDS.sun})"`)
const readLine = (icon: string) => Number(LINE.exec(icon)?.[1])

test('the sun in the tab’s icon sinks with the remaining time and is under water at the end', () => {
  const link = { href: '/favicon.svg' }
  vi.stubGlobal('document', { querySelector: () => link })
  onTestFinished(() => void vi.unstubAllGlobals())
  const icons = [0.9, 0.5, 0].map(left => {
    showSunsetIcon(left, left === 0)
    return decodeURIComponent(link.href)
  })
  expect(icons.map(readLine)).toEqual([21.6, 12, 0])
  expect(icons.map(sunAt)).toEqual([11, 19, 29])
  showSunsetIcon(1, false)
  expect(link.href).toBe('/favicon.svg')
})
