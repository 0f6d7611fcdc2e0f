/** "On this device" on `/privacy`: what the page keeps in this browser, and the button that clears it. */
import { expect, test } from '../harness/fixtures.ts'

test('privacy shows the address and what was logged in this browser, and clears all of it', async ({ page, noise }) => {
  // The server knows no address of the deletion that is owed.
  noise.allow(/401/)
  await page.goto('/?lang=en')
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeEnabled()
  const email = await page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').email)
  await page.evaluate(() => {
    const at = (secondsAgo: number) => Date.now() - secondsAgo * 1000
    const event = (type: string, secondsAgo: number) => ({ type, timestamp: at(secondsAgo), details: {}, userIdentifier: 'x' })
    const events = [
      ...Array.from({ length: 10 }, () => event('captcha_success', 4000)),
      event('rate_limit_hit', 60),
      event('captcha_failure', 1),
    ]
    localStorage.setItem('mayfly.security-log', JSON.stringify(events))
    localStorage.setItem('mayfly.keep', JSON.stringify('a@in.example.com'))
    localStorage.setItem('mayfly.deletions', JSON.stringify(['x'.repeat(43)]))
  })

  await page.goto('/privacy?lang=en')
  const section = page.getByRole('region', { name: 'On this device' })
  await expect(section.getByText(email)).toBeVisible()
  await expect(section.getByText('Deleted addresses')).toBeVisible()
  await expect(section.getByText('Address to keep')).toBeVisible()
  await expect(section.getByText('In the last hour: 0 checks passed, 1 failed, limit reached 1 time')).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveCount(10)
  await expect(section.getByRole('listitem').first()).toContainText('Bot check failed')

  await section.getByRole('button', { name: 'Clear all of this' }).click()
  await expect(section.getByRole('status')).toContainText(`will forget the key of ${email}`)
  await section.getByRole('button', { name: 'Clear it now' }).click()
  await expect(section.getByRole('status')).toHaveText('Cleared. Nothing of this is kept here now.')
  await expect(section.getByRole('listitem')).toHaveCount(0)
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('mayfly.')))).toEqual([])
})
