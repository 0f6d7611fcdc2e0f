import { expect, test } from 'vitest'
import { drawSunsetIcon } from './sunset-icon.ts'

const sunAt = (icon: string) => Number(/cy="([\d.]+)"/.exec(icon)?.[1])
const readLine = (icon: string) => Number(/M4 23\.5h([\d.]+)" stroke="#(?:dd6d2c|e5484d)"/.exec(icon)?.[1])

test('the sun in the tab’s icon sinks with the remaining time and is under water at the end', () => {
  const [full, half, end] = [1, 0.5, 0].map(left => drawSunsetIcon(left, left === 0))
  expect([full, half, end].map(icon => readLine(icon ?? ''))).toEqual([24, 12, 0])
  expect([full, half, end].map(icon => sunAt(icon ?? ''))).toEqual([9, 19, 29])
})
