/** With text of twice the size on a phone no words lie over other words, a drawing or a button, none are cut, and none are torn. */
import { expect, type Page } from '@playwright/test'

const PHONE_WIDTHS_PX = [320, 375] as const

export async function expectNothingOverlaps(page: Page): Promise<void> {
  const found: Record<string, string[]> = {}
  const before = page.viewportSize()
  for (const width of PHONE_WIDTHS_PX) {
    await page.setViewportSize({ width, height: 740 })
    await page.evaluate(async () => {
      document.documentElement.style.fontSize = '200%'
      scrollTo({ top: 0, behavior: 'instant' })
      // What depends on sizes is drawn in the frame after the next.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      // A toast looks for another place once the screen is at rest (web/components/ui/toast-rows.tsx).
      if (document.querySelector('[data-toasts]')) await new Promise(resolve => setTimeout(resolve, 500))
    })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    const problems = [...(wider > 0 ? [`${wider} px wider than the screen`] : []), ...(await findOverlaps(page))]
    if (problems.length > 0) found[`${width} px`] = problems
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  if (before) await page.setViewportSize(before)
  expect(found).toEqual({})
}

async function findOverlaps(page: Page): Promise<string[]> {
  // What is far below is laid out only when it comes near.
  const style = await page.addStyleTag({ content: '* { content-visibility: visible !important }' })
  const words = await page.evaluateHandle(findWords)
  const shapes = await page.evaluateHandle(findShapes)
  const problems = await page.evaluate(compare, { words, shapes })
  await style.evaluate(element => element.parentNode?.removeChild(element))
  return [...new Set(problems)]
}

type Box = { left: number; top: number; right: number; bottom: number }
type Thing = Box & { element: Element; name: string; isButton?: boolean }

/** Runs in the page: each line of text that is seen, and what is wrong with it by itself. */
function findWords(): { things: Thing[]; problems: string[] } {
  const things: Thing[] = []
  const problems: string[] = []
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const isTorn = (node: Node, element: Element) => {
    // An address may break anywhere.
    if (!element.closest('h1, h2, h3, button') || element.closest('.font-mono, code, bdi, output')) return false
    const range = document.createRange()
    return [...(node.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)].some(({ 0: word, index }) => {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      return new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top))).size > 1
    })
  }
  /** Returns what its ancestors show of a line; `undefined` if it is there for screen readers only. */
  const shownPart = (element: Element, line: Box, name: string): Box | undefined => {
    const box = { ...line }
    for (let around: Element | null = element; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, position, clipPath } = getComputedStyle(around)
      if (position === 'absolute' && (around.clientWidth <= 1 || clipPath === 'inset(50%)')) return undefined
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const frame = around.getBoundingClientRect()
      const isMeant = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || /auto|scroll/.test(overflowX + overflowY)
      const isCut = box.right > frame.right + 2 || box.left < frame.left - 2 || box.bottom > frame.bottom + 4 || box.top < frame.top - 4
      if (isCut && !isMeant) problems.push(`"${name}" is cut`)
      box.left = Math.max(box.left, frame.left)
      box.right = Math.min(box.right, frame.right)
      if (overflowY === 'visible') continue
      box.top = Math.max(box.top, frame.top)
      box.bottom = Math.min(box.bottom, frame.bottom)
    }
    return box.right - box.left > 1 && box.bottom - box.top > 1 ? box : undefined
  }
  const texts = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement
    const name = (node.textContent ?? '').trim().slice(0, 40)
    // A separator of one sign stands in a gap.
    if (!element || name.length < 2 || !isSeen(element) || element.closest('svg, script, style, template, noscript')) continue
    if (isTorn(node, element)) problems.push(`a word of "${name}" is torn`)
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const { left, top, right, bottom } of range.getClientRects()) {
      // Lines stand closer than their fonts are high.
      const inset = (bottom - top) * 0.22
      const box = shownPart(element, { left, right, top: top + inset, bottom: bottom - inset }, name)
      if (box) things.push({ ...box, element, name: `"${name}"` })
    }
  }
  return { things, problems }
}

/** Runs in the page: drawings and buttons. */
function findShapes(): Thing[] {
  const scope = document.querySelector('dialog[open]') ?? document.body
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  // Shore and water are the ground that words stand on; stars are points.
  const drawings = [...scope.querySelectorAll('svg:not(.sky-shore, .sky-water svg, .sky-stars)')].filter(isSeen).flatMap(element => {
    const shapes = [...element.querySelectorAll('path, circle, ellipse, line, rect')].map(shape => shape.getBoundingClientRect())
    if (shapes.length === 0) return []
    const left = Math.min(...shapes.map(shape => shape.left))
    const top = Math.min(...shapes.map(shape => shape.top))
    const right = Math.max(...shapes.map(shape => shape.right))
    // The sun goes down behind the horizon.
    const ground = element.closest('[class*="clip-path"]')?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY
    const bottom = Math.min(ground, Math.max(...shapes.map(shape => shape.bottom)))
    return [{ left, top, right, bottom, element, name: `drawing ${element.getAttribute('class')}` }]
  })
  const buttons = [...scope.querySelectorAll('button, a[class*="min-h-"]')].filter(isSeen).flatMap(element => {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    // The sheet of a phone shows a part of its height.
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(around).overflowY)) continue
      const frame = around.getBoundingClientRect()
      top = Math.max(top, frame.top)
      bottom = Math.min(bottom, frame.bottom)
    }
    const name = (element.textContent || element.getAttribute('aria-label')) ?? ''
    return bottom > top ? [{ left, top, right, bottom, element, name: `button ${name.slice(0, 40)}`, isButton: true }] : []
  })
  return [...drawings, ...buttons]
}

/** Runs in the page. */
function compare({ words, shapes }: { words: { things: Thing[]; problems: string[] }; shapes: Thing[] }): string[] {
  const isSolid = (element: Element) => {
    const colour = getComputedStyle(element).backgroundColor
    const [, alpha = '1'] = /\/ ([\d.]+)\)$|rgba\(.*, ([\d.]+)\)$/.exec(colour)?.filter(part => part !== undefined) ?? []
    return Number(alpha) > 0.9
  }
  /** Something without holes lies between the two, as under a toast. */
  const isCovered = (a: Thing, b: Thing, x: number, y: number) => {
    const before = scrollY
    // What is fixed stays where it is.
    if (y < 0 || y > innerHeight) scrollTo({ top: y - innerHeight / 2, behavior: 'instant' })
    const stack = document.elementsFromPoint(x, y - scrollY)
    scrollTo({ top: before, behavior: 'instant' })
    const depthOf = (thing: Thing) => {
      // What is in a button takes no presses.
      const element = thing.element.closest('button') ?? thing.element
      const at = stack.findIndex(one => element.contains(one))
      return at < 0 ? stack.length : at
    }
    const lower = depthOf(a) > depthOf(b) ? a : b
    return stack.slice(0, depthOf(lower)).some(element => !element.contains(lower.element) && isSolid(element))
  }
  const overlaps = words.things.flatMap((a, index) =>
    [...words.things.slice(index + 1), ...shapes].flatMap(b => {
      const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)]
      const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)]
      if (right - left < 4 || bottom - top < 4 || a.element.contains(b.element) || b.element.contains(a.element)) return []
      // A link may reach over one that leads to the same page.
      const [from, to] = [a, b].map(({ element }) => element.closest('a')?.href)
      if ((from !== undefined && from === to) || isCovered(a, b, (left + right) / 2, (top + bottom) / 2)) return []
      return [`${a.name} and ${b.name}, ${Math.round(right - left)} × ${Math.round(bottom - top)}`]
    }),
  )
  return [...words.problems, ...overlaps]
}
