/** The rest of the site: header, contact form, and what stands where a page does not. */
import { expect } from '../harness/fixtures.ts'
import { anywhere, closeAbove, expectToast, onOwnPage, type Scene, type Stage, visit, visitHome } from './scene.ts'

async function fillContact({ page, words }: Stage): Promise<void> {
  await page.getByLabel(words.contact.name).fill('Ada Lovelace')
  await page.getByLabel(words.contact.email).fill('ada@example.com')
  await page.getByLabel(words.contact.subject).fill('A question about attachments')
  await page.getByLabel(words.contact.message).fill('Which attachments can I receive, and how large may they be?')
  await page.getByRole('button', { name: words.contact.send }).click()
}

export const siteScenes: readonly Scene[] = [
  {
    name: 'language-menu',
    begin: visitHome,
    async arrange(stage) {
      await stage.page.getByRole('button', { name: new RegExp(`^${stage.words.layout.language}:`) }).click()
      await expect(stage.page.getByRole('menu')).toBeVisible()
    },
    leave: closeAbove,
  },
  {
    name: 'blog-with-address',
    async arrange(stage) {
      await visitHome(stage)
      await visit(stage, '/blog')
      await expect(stage.page.getByTestId('live-address')).toBeAttached()
      await expect(stage.page.getByRole('link', { name: stage.words.blog.callToAction.live.button })).toBeVisible()
    },
  },
  onOwnPage({
    name: 'contact-errors',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/contact')
      await page.getByLabel(words.contact.message).fill('x'.repeat(1001))
      await page.getByRole('button', { name: words.contact.send }).click()
      await expect(page.getByText(words.contact.errors.messageLong)).toBeVisible()
      await expect(page.getByText(words.contact.errors.emailInvalid)).toBeVisible()
    },
  }),
  {
    name: 'contact-sent',
    isBrief: true,
    async arrange(stage) {
      // Two seconds later the home page comes; the picture is taken before.
      await stage.page.clock.install()
      await visit(stage, '/contact')
      await stage.page.clock.pauseAt((await stage.page.evaluate(() => Date.now())) + 1000)
      await fillContact(stage)
      await expectToast(stage, stage.words.contact.sent)
    },
  },
  {
    name: 'contact-failed',
    begin: anywhere,
    async arrange(stage) {
      await visit(stage, '/contact')
      await stage.page.route('**/api/contact', route => route.abort())
      await fillContact(stage)
      await expectToast(stage, stage.words.contact.failed)
    },
    noise: [/ERR_FAILED/],
  },
  {
    name: 'offline',
    needsServiceWorker: true,
    async arrange(stage) {
      const { page, words, language } = stage
      await visit(stage, '/contact')
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready
        if (!navigator.serviceWorker.controller) {
          await new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
        }
      })
      await page.context().setOffline(true)
      await page.goto(`/blog?lang=${language}`)
      await expect(page.getByRole('heading', { name: words.notFound.offlineTitle })).toBeVisible()
    },
    noise: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/],
  },
  {
    name: 'offline-notice',
    async arrange(stage) {
      await visitHome(stage)
      await stage.page.context().setOffline(true)
      await expect(stage.page.getByText(stage.words.layout.offline)).toBeVisible()
      await expect(stage.page.getByTestId('connection-state')).not.toHaveText(stage.words.inbox.state.live)
    },
    noise: [/ERR_|ProblemError|Failed to fetch/],
  },
  {
    name: 'page-failed',
    async arrange(stage) {
      const { page, words } = stage
      // A worker would answer from its cache, and requests it makes itself cannot be stopped from here.
      await page.addInitScript(() => {
        ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('none for this picture'))
      })
      await visit(stage, '/')
      await page.route(/\/assets\/contact-.*\.js/, route => route.abort())
      await page.getByRole('contentinfo').getByRole('link', { name: words.layout.contact, exact: true }).click()
      await expect(page.getByRole('heading', { name: words.layout.pageFailed.title })).toBeVisible()
    },
    noise: [/ERR_FAILED|Failed to fetch dynamically imported module/],
  },
]
