/** The mail that the mailbox tests send, and the address they send it to. */
import { expect, type Page } from '@playwright/test'
import type { Noise } from './fixtures.ts'

export const SUBJECT = 'Über uns: ¡señal 481516!'
export const BODY_WORD = 'zanahoriaviolinist'
export const ATTACHMENT = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256))

export async function addressOn(page: Page): Promise<string> {
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@/)
  return (await page.getByTestId('address').getAttribute('aria-label')) ?? ''
}

export function mailTo(to: string, subject = SUBJECT) {
  return {
    to,
    subject,
    text: `Your verification code is 481516. ${BODY_WORD}`,
    html: `<p>Your verification code is <b>481516</b>. ${BODY_WORD}</p>`,
    attachments: [{ filename: 'résumé.bin', content: ATTACHMENT }],
  }
}

/** Closes the toast that offers to undo, so that the action is carried out at once. */
export async function waiveUndo(page: Page): Promise<void> {
  const toast = page.locator('[data-toast]').filter({ has: page.getByRole('button', { name: 'Undo' }) })
  await toast.getByRole('button', { name: 'Dismiss' }).click()
}

/** Ends the address by the page's clock, which the test has installed, and which a server within reach would set right. */
export async function outlive(page: Page, lifetimeSeconds: number, noise: Noise): Promise<void> {
  noise.allow(/ERR_/, /ProblemError/)
  await page.route('**/api/**', route => route.abort('connectionrefused'))
  await page.clock.fastForward(lifetimeSeconds * 1000)
  await expect(page.locator('[data-mailbox=destroying], [data-mailbox=expired]')).toHaveCount(1)
  await page.unroute('**/api/**')
}
