/** The icon in the browser's toolbar: a sun that sinks with the minutes, their number, and the code that has come. */
import { WARNING_SECONDS } from '#contract/limits.ts'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { DAY, LAST_SECONDS, type SunsetColours } from '#web/lib/notify/sunset-icon.ts'
import type { ExtensionState } from './addresses.ts'
import { browser } from './browser.ts'

const IDLE = { path: { 128: 'icon-128.png' } } as const
/** For screens of one and two pixels per dot. */
const SIZES = [16, 32, 48] as const

const INK = '#221508'
const GLOW = '#f3a055'
const PAPER = '#ffffff'

/** At least one minute while there is a second left; hours where the minutes have three digits. */
function timeLeft(seconds: number): { count: string; isHours: boolean } {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const isHours = minutes >= 100
  return { count: String(isHours ? Math.floor(minutes / 60) : minutes), isHours }
}

/** The code in at most two lines of four characters, or nothing if it is too long to be read on an icon. */
function iconLines(code: string): string[] {
  const characters = code.replace(/[\s-]/g, '')
  if (characters.length > 8) return []
  const half = Math.ceil(characters.length / 2)
  return characters.length <= 3 ? [characters] : [characters.slice(0, half), characters.slice(half)]
}

/** `now` and the ends of addresses are times of `Date.now()`. */
export async function showOnIcon({ addresses: [newest], waiting }: ExtensionState, now: number): Promise<void> {
  const seconds = newest ? (newest.endsAtMs - now) / 1000 : 0
  const { count, isHours } = timeLeft(seconds)
  const isLast = seconds <= WARNING_SECONDS
  const lines = waiting ? iconLines(waiting.code) : []
  if (!newest) {
    await Promise.all([
      browser.action.setIcon(IDLE),
      browser.action.setBadgeText({ text: '' }),
      browser.action.setTitle({ title: browser.i18n.getMessage('actionTitle') }),
    ])
    return
  }
  const title = waiting
    ? browser.i18n.getMessage('codeTitle', [groupCode(waiting.code), waiting.from])
    : browser.i18n.getMessage(isHours ? 'liveTitleHours' : 'liveTitle', [newest.email, count])
  const draw = lines.length > 0 ? drawCode(lines) : drawSky(Math.min(1, seconds / newest.lifetimeSeconds), isLast ? LAST_SECONDS : DAY)
  await Promise.all([
    browser.action.setIcon({ imageData: Object.fromEntries(SIZES.map(size => [size, picture(size, draw)])) }),
    // Over the code it would hide a part of it.
    browser.action.setBadgeText({ text: waiting ? (lines.length > 0 ? '' : '1') : `${count}${isHours ? 'h' : ''}` }),
    browser.action.setBadgeBackgroundColor({ color: isLast ? LAST_SECONDS.sun : INK }),
    browser.action.setBadgeTextColor({ color: PAPER }),
    browser.action.setTitle({ title }),
  ])
}

type Draw = (canvas: OffscreenCanvasRenderingContext2D) => void

/** Drawn on a field of 32 by 32. */
function picture(size: number, draw: Draw): ImageData {
  const canvas = new OffscreenCanvas(size, size).getContext('2d')
  if (!canvas) throw new Error('No canvas to draw the icon on')
  canvas.scale(size / 32, size / 32)
  draw(canvas)
  return canvas.getImageData(0, 0, size, size)
}

/** `left` goes from 1 to 0. The same picture as the page's own icon (web/lib/notify/sunset-icon.ts). */
const drawSky =
  (left: number, { sky, sun, rest }: SunsetColours): Draw =>
  canvas => {
    background(canvas, sky)
    canvas.save()
    canvas.beginPath()
    canvas.rect(0, 0, 32, 22)
    canvas.clip()
    canvas.fillStyle = sun
    canvas.beginPath()
    canvas.arc(16, 9 + (1 - left) * 20, 7, 0, 2 * Math.PI)
    canvas.fill()
    canvas.restore()
    canvas.fillStyle = rest
    canvas.fillRect(4, 22, 24, 3)
    canvas.fillStyle = sun
    canvas.fillRect(4, 22, 24 * left, 3)
  }

const drawCode =
  (lines: readonly string[]): Draw =>
  canvas => {
    background(canvas, GLOW)
    canvas.fillStyle = INK
    canvas.textAlign = 'center'
    canvas.textBaseline = 'middle'
    canvas.font = `bold ${lines.some(line => line.length > 3) ? 13 : 16}px ui-sans-serif, system-ui, Arial, sans-serif`
    for (const [index, line] of lines.entries()) canvas.fillText(line, 16, lines.length === 1 ? 17 : 10 + index * 14, 30)
  }

function background(canvas: OffscreenCanvasRenderingContext2D, colour: string): void {
  canvas.fillStyle = colour
  canvas.beginPath()
  canvas.roundRect(0, 0, 32, 32, 7)
  canvas.fill()
}
