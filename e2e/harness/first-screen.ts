import { expect, type Page } from '@playwright/test'
import { addressOn } from './test-mail.ts'

/** Before anything is scrolled the page is no wider than the window, and nothing lies over what is in it, nor over the address. */
export async function expectFirstScreen(page: Page): Promise<void> {
  await addressOn(page)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const found = await page.evaluate(() => {
    const address = document.querySelector('[data-testid=address]')
    const isOnTop = (element: Element) => {
      const box = element.getBoundingClientRect()
      return (element.closest('button') ?? element).contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
    }
    const inSight = [...document.querySelectorAll('a[href], button, h1')].filter(element => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return element.checkVisibility() && right - left > 4 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
    })
    const covered = inSight.filter(element => !isOnTop(element)).map(({ textContent }) => textContent)
    const { scrollWidth } = document.documentElement
    address?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    return { scrollWidth, covered, isEmpty: inSight.length === 0, isAddressOnTop: address !== null && isOnTop(address) }
  })
  expect(found, `${width} × ${height}`).toEqual({ scrollWidth: width, covered: [], isEmpty: false, isAddressOnTop: true })
}
