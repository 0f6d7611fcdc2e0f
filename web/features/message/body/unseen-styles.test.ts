import { expect, test } from 'vitest'
import { isClippedAway, isMaskedAway, isMovedAway, isTooFaint, opacityOf } from './unseen-styles.ts'

const size = { width: 200, height: 100 }

test.each([
  ['none', false],
  ['circle(0px at 50% 50%)', true],
  ['circle(40%)', false],
  ['circle(at 50% 50%)', false],
  ['ellipse(0px 50%)', true],
  ['ellipse(40% 30%)', false],
  ['inset(100%)', true],
  ['inset(0px 0px 99.9%)', true],
  ['inset(10px 20px round 4px)', false],
  ['inset(calc(50% - 1px))', false],
  ['polygon(0px 0px, 0px 0px, 0px 0px)', true],
  ['polygon(50% 0px, 100% 100%, 0px 100%)', false],
  ['polygon(evenodd, 0% 0%, 1% 0%, 1% 100%)', true],
  ['path("M 0 0")', false],
])('clip-path %s leaves nothing of 200 by 100: %s', (clipPath, isAway) => {
  expect(isClippedAway(clipPath, size)).toBe(isAway)
})

test.each([
  ['none', false],
  ['linear-gradient(rgba(0, 0, 0, 0), rgba(0, 0, 0, 0))', true],
  ['linear-gradient(rgb(0, 0, 0), rgba(0, 0, 0, 0))', false],
  ['radial-gradient(color(srgb 0 0 0))', false],
])('mask-image %s leaves nothing: %s', (maskImage, isAway) => {
  expect(isMaskedAway(maskImage)).toBe(isAway)
})

test.each([
  ['50% 50%', false],
  ['-9999px 0px', true],
  ['-120px -40px', false],
  ['0px 0px', false],
  ['200px 0px', true],
  ['0px 150px', true],
])('a picture at %s is outside its box: %s', (position, isAway) => {
  expect(isMovedAway(position, size)).toBe(isAway)
})

test.each([
  ['1', 'none', false],
  ['0.01', 'none', true],
  ['1', 'opacity(0)', true],
  ['0.2', 'blur(2px) opacity(20%)', true],
  ['0.6', 'drop-shadow(rgb(0, 0, 0) 1px 1px 0px)', false],
])('opacity %s with filter %s cannot be seen: %s', (opacity, filter, isFaint) => {
  expect(isTooFaint(opacityOf({ opacity, filter }))).toBe(isFaint)
})
