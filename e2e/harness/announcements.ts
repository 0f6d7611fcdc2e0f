/** What a screen reader would say by itself, without a key being pressed: the texts of the page's live regions as they change. */
import type { Page } from '@playwright/test'

/** From now on, and only what has not the focus: the way of the focus is announced anyway. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const REGION = '[aria-live], [role=status], [role=alert], output'
    const heard: string[] = []
    Object.assign(window, { heard })
    const isLive = (region: Element) => {
      const dialog = document.querySelector('dialog[open]')
      return region.getAttribute('aria-live') !== 'off' && region.isConnected && (dialog === null || dialog.contains(region))
    }
    const textOf = (region: Element) => {
      const copy = region.cloneNode(true) as Element
      for (const silent of copy.querySelectorAll('[aria-hidden=true]')) silent.remove()
      // As words that stand apart, also where they are in elements of their own.
      const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
      const words: string[] = []
      while (walker.nextNode()) words.push(walker.currentNode.nodeValue?.trim() ?? '')
      return words.filter(word => word !== '').join(' ')
    }
    new MutationObserver(changes => {
      const regions = new Set<Element>()
      for (const { type, target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const around = element?.closest(REGION)
        if (around && (type === 'characterData' || addedNodes.length > 0)) regions.add(around)
        // One that comes with its text: alerts are announced, and some screen readers announce the others too.
        for (const node of addedNodes) {
          if (!(node instanceof Element) || around) continue
          for (const region of node.matches(REGION) ? [node] : node.querySelectorAll(REGION)) regions.add(region)
        }
      }
      const texts = [...regions].filter(isLive).map(textOf)
      heard.push(...texts.filter(text => text !== ''))
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

/** What was said so far, in order. */
export const announcements = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'heard'))
