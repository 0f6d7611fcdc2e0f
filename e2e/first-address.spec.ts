/** A small script of its own requests the first address before the application has loaded. */
import { expect, test, WITH_BOT_CHECK } from './fixtures.ts'
import { liveAddress } from './reading.ts'

test.use({ serverEnv: WITH_BOT_CHECK })

test('the first address exists before the application has loaded', async ({ page }) => {
  const posts: string[] = []
  page.on('request', request => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  const application = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async route => {
    await application.promise
    await route.continue()
  })
  const created = page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  const { email } = await (await created).json()
  await expect(page.locator('[data-mailbox=restoring]')).toBeVisible()
  application.resolve()
  expect(await liveAddress(page)).toBe(email)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  expect(posts).toEqual(['/api/mailboxes'])
  // It counts as an attempt like any other.
  await expect(page.getByRole('region', { name: 'Security status' })).toContainText('4')
  await page.reload()
  expect(await liveAddress(page)).toBe(email)
  expect(posts).toEqual(['/api/mailboxes'])
})

test('only the home page requests an address, and tabs opened together request one', async ({ context }) => {
  const posts: string[] = []
  context.on('request', request => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  const blog = await context.newPage()
  await blog.goto('/blog?lang=en')
  await blog.waitForLoadState('networkidle')
  expect(posts).not.toContain('/api/mailboxes')
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()])
  await Promise.all(tabs.map(tab => tab.goto('/?lang=en')))
  const addresses = await Promise.all(tabs.map(tab => liveAddress(tab)))
  expect(new Set(addresses).size).toBe(1)
  expect(posts.filter(path => path === '/api/mailboxes')).toHaveLength(1)
})
