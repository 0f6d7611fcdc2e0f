/** Rules for every page and every state of the site, on any device. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, type Request } from '@playwright/test'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/**
 * Speech control presses a button by the words on it, so its name has them in their order (WCAG 2.5.3). Axe calls the rule experimental.
 */
const SPOKEN_AS_SEEN = { 'label-content-name-mismatch': { enabled: true } }

/** The smallest phone, a common one, a laptop at 200 % zoom (half its 1,280 px), a tablet, a laptop, a large screen. */
const WIDTHS_PX = [320, 360, 640, 768, 1280, 2560] as const

/** Waits until fonts are loaded, nothing moves, and the lazy sections have been scrolled past and are hydrated. */
export async function settle(page: Page): Promise<void> {
  const fetching = new Set<Request>()
  const onRequest = (request: Request) => void (request.resourceType() === 'script' && fetching.add(request))
  const onEnd = (request: Request) => void fetching.delete(request)
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd)
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      // A section notices in the first frame that it is near, and requests its code before the second.
      await frame()
      await frame()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
  })
  await expect.poll(() => fetching.size, { intervals: [20, 50, 100] }).toBe(0)
  page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd)
  // The home page's event stream never ends, so the network is never idle. Instead, this waits until nothing moves.
  await rest(page)
}

/** Waits until the last change is drawn and every transition that it started has ended, including those that these started. */
export const rest = (page: Page) =>
  page.evaluate(async () => {
    for (;;) {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      const ending = document
        .getAnimations()
        .filter(({ effect, playState }) => effect?.getTiming().iterations === 1 && playState === 'running')
      if (ending.length === 0) return
      await Promise.allSettled(ending.map(animation => animation.finished))
    }
  })

/** Runs axe at WCAG 2.2 AA in light colours, and only its contrast rule in dark ones, because nothing else differs. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await rest(page)
  // Legacy mode without frames, because no script may run in the mail's frame. Only violations are described, which is faster.
  const options = { resultTypes: ['violations' as const], selectors: false, iframes: false, rules: SPOKEN_AS_SEEN }
  const run = (runOnly: readonly string[]) =>
    page.evaluate(chosen => Reflect.get(window, 'axe').run(document, chosen), { ...options, runOnly: [...runOnly] })
  // It has half a megabyte, and stays on the page for the next time.
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ ...options, runOnly: WCAG_22_AA })
  expect(complaints(await (isThere ? run(WCAG_22_AA) : axe.analyze())), 'by day').toEqual([])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await rest(page)
  expect(complaints(await run(['color-contrast'])), 'by night').toEqual([])
}

function complaints({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] {
  return violations.map(violation => `${violation.id}: ${violation.nodes.map(node => node.html).join('\n')}`)
}

/** Neither the page nor an open dialog scrolls sideways at any width (WCAG 1.4.10), nor with text of twice the size (WCAG 1.4.4). */
export async function expectNothingSideways(page: Page): Promise<void> {
  const views = [...WIDTHS_PX.map(width => ({ width, text: '' })), { width: 768, text: '200%' }, { width: 1280, text: '200%' }]
  for (const { width, text } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(size => {
      document.documentElement.style.fontSize = size
    }, text)
    const overflow = () =>
      page.evaluate(() => {
        // Elements that scroll on their own, such as a row of tabs, may do so. Containers of text may not.
        const holders = [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] > div')]
        return Math.max(...holders.map(holder => holder.scrollWidth - holder.clientWidth))
      })
    await expect.poll(overflow, { message: `${width} px ${text}`, intervals: [20, 100, 500] }).toBe(0)
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
}

/** Everything that can be tapped is 44 px high and wide. Links inside a sentence are as high as their line. */
export async function expectRoomForFingers(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const small = await page.evaluate(() => {
    const PRESSED =
      'button, summary, select, input:not([type=checkbox]), textarea, [role=tab], [role=menuitemradio], nav a, a[class*="min-h-"]'
    const scope = document.querySelector('dialog[open]') ?? document
    return [...scope.querySelectorAll<HTMLElement>(PRESSED)].flatMap(element => {
      const { width, height } = element.getBoundingClientRect()
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || width <= 1) return []
      const reach = getComputedStyle(element, '::before')
      // A row's button covers the whole row.
      if (reach.position === 'absolute' && reach.inset === '0px') return []
      return width < 43.5 || height < 43.5
        ? [`${Math.round(width)} × ${Math.round(height)}: ${element.innerText} ${element.outerHTML.slice(0, 160)}`]
        : []
    })
  })
  // With its session the page is no touch screen any more.
  await session.detach()
  expect(small).toEqual([])
}

/**
 * In forced colours (Windows high contrast), which remove backgrounds: buttons have a border or text, and the focused element has an
 * outline.
 */
export async function expectSeenInForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const filled = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a')].flatMap(element => {
      if (!/(?:^|\s)bg-(?:dusk|ember)(?:\s|$)/.test(element.className) || !element.checkVisibility()) return []
      return Number.parseFloat(getComputedStyle(element).borderTopWidth) >= 1 ? [] : [element.outerHTML.slice(0, 160)]
    }),
  )
  expect(filled, 'a button whose ground is all there is').toEqual([])
  const outlines: string[] = []
  for (let stop = 0; stop < 12; stop++) {
    await page.keyboard.press('Tab')
    outlines.push(await page.evaluate(describeFocus))
  }
  expect(outlines.filter(outline => outline.startsWith('none'))).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

/** The outline of the focused element, its own or that of its row; 'page' if the focus has left the document. */
function describeFocus(): string {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body || element.tagName === 'IFRAME' || element.tagName === 'DIALOG')
    return 'page'
  const seen = [getComputedStyle(element), getComputedStyle(element, '::before')]
  const isOutlined = seen.some(style => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2)
  return `${isOutlined ? 'outlined' : 'none'} ${element.outerHTML.slice(0, 160)}`
}

/** With reduced motion nothing moves: remaining animations have no duration, or are marked fades, and what changes begins no transition. */
export async function expectStillness(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = await page.evaluate(() => {
    const root = document.documentElement
    root.style.fontSize = '120%'
    root.getBoundingClientRect()
    const animations = document.getAnimations()
    root.style.removeProperty('font-size')
    return animations.flatMap(animation => {
      const effect = animation.effect
      if (!(effect instanceof KeyframeEffect) || effect.target?.closest('[data-fades]')) return []
      const { duration = 0, iterations = 1 } = effect.getComputedTiming()
      const isMoving = animation instanceof CSSTransition || Number(duration) > 1 || iterations > 1
      return isMoving ? [`${duration} ms: ${effect.target?.outerHTML.slice(0, 160)}`] : []
    })
  })
  expect(moving).toEqual([])
}
