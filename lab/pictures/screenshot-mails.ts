/**
 * Screenshots of opened mails × language × width × theme in screenshots/mail/, for review: `npm run lab -- screenshot-mails`, or with
 * part of a name, e.g. `npm run lab -- screenshot-mails newsletter-layout-en-375`. With a folder of .html and .eml files as second
 * argument, those are used instead.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { LANGUAGES } from '../../contract/languages.ts'
import { launchOptions } from '../../scripts/chromium.ts'
import { startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'screenshots/mail')
const VIEWPORTS = [
  { width: 375, height: 740 },
  { width: 1280, height: 860 },
]
/** The second tab shows the mail's HTML, if it has any. */
const TABS = { simple: 0, layout: 1 }
const [wanted = '', htmlFolder] = process.argv.slice(2)

type Shown = { name: string; mail: SendMailOptions; tabs: readonly (keyof typeof TABS)[] }
const shown = htmlFolder ? await fromFolder(htmlFolder) : await ownMails()

await mkdir(folder, { recursive: true })
await using server = await startServerProcess({ env: { TRUST_PROXY: '127.0.0.1' } })
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const smtp = { host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } }
const transport = stack.adopt(createTransport(smtp), open => open.close())

let visitors = 0
let count = 0
for (const language of LANGUAGES)
  for (const viewport of VIEWPORTS)
    for (const theme of ['light', 'dark'] as const) {
      const setting = `${language}-${viewport.width}-${theme}`
      const pictured = shown.flatMap(({ name, mail, tabs }) => {
        const shots = tabs.map(tab => ({ tab, file: `${name}-${tab}-${setting}` })).filter(({ file }) => file.includes(wanted))
        return shots.length > 0 ? [{ mail, shots }] : []
      })
      if (pictured.length === 0) continue
      visitors += 1
      const headers = { 'x-forwarded-for': `10.2.${visitors >> 8}.${visitors & 255}` }
      const page = await browser.newPage({
        viewport,
        colorScheme: theme,
        extraHTTPHeaders: headers,
        isMobile: viewport.width < 600,
        hasTouch: viewport.width < 600,
      })
      await page.goto(`http://127.0.0.1:${server.httpPort}/?lang=${language}`)
      const address = page.getByTestId('address')
      await page.waitForFunction(() => document.querySelector('[data-testid=address]')?.getAttribute('aria-label')?.includes('@'))
      const to = (await address.getAttribute('aria-label')) ?? ''
      for (const [at, { mail, shots }] of pictured.entries()) {
        const envelope = { from: 'ada@sender.test', to }
        await transport.sendMail({ from: 'Ada Lovelace <ada@sender.test>', to, envelope, ...mail })
        await page.waitForFunction(rows => document.querySelectorAll('[data-message]').length === rows, at + 1)
        await page.locator('[data-message] button').first().click()
        for (const { tab, file } of shots) {
          const tabs = page.getByRole('dialog').getByRole('tab')
          await page.getByRole('dialog').getByRole('article').waitFor()
          // A mail without HTML has one form and no tabs.
          if ((await tabs.count()) > 0) await tabs.nth(TABS[tab]).click()
          else if (tab === 'layout') continue
          await settle(page)
          await page.screenshot({ path: join(folder, `${file}.png`) })
          count += 1
        }
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.close()
    }
console.log(`${count} mails pictured in ${folder}`)

async function settle(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('article').waitFor()
  // Waits for the frame's page, its images and its height; no event says when the last of them is done.
  await page.waitForTimeout(700)
}

async function fromFolder(path: string): Promise<Shown[]> {
  const files = (await readdir(path, { recursive: true })).filter(name => /\.(?:html|eml)$/.test(name)).sort()
  return Promise.all(
    files.map(async (file): Promise<Shown> => {
      const name = file.replace(/\W+/g, '-').replace(/-(?:html|eml)$/, '')
      const bytes = await readFile(join(path, file))
      const tabs = ['simple', 'layout'] as const
      return file.endsWith('.eml')
        ? { name, mail: { raw: bytes }, tabs }
        : { name, mail: { subject: name, html: bytes.toString('utf8') }, tabs }
    }),
  )
}

async function ownMails(): Promise<Shown[]> {
  const fixture = (name: string) => readFile(join(root, 'test/fixtures/html', name), 'utf8')
  const long = 'Your order number 4711-0815 has been received and will be shipped as soon as every single part of it is in our warehouse '
  return [
    {
      name: 'newsletter',
      mail: { subject: 'Rivers remember their old beds', html: await fixture('newsletter.html') },
      tabs: ['simple', 'layout'],
    },
    { name: 'receipt', mail: { subject: 'Your receipt', html: await fixture('receipt.html') }, tabs: ['simple', 'layout'] },
    {
      name: 'code',
      mail: {
        subject: 'Your verification code',
        text: 'Hi,\n\nyour verification code is 481516. It is valid for ten minutes.\n\nIf you did not ask for it, confirm here that it was not you:\nhttps://accounts.example/confirm?token=9c1e77\n\nThe accounts team',
      },
      tabs: ['simple'],
    },
    {
      name: 'attachments',
      mail: {
        subject: 'The papers for Friday',
        text: 'All of it is attached.\n\n> Could you send me\n> the drawings, the sums\n> and the film?\n> Thank you!\n\nAda',
        attachments: [
          {
            filename: 'Ausführliche Rechnung über alle Positionen des Jahres 2026 (endgültig, unterschrieben).pdf',
            content: Buffer.alloc(1_234_567),
          },
          { filename: 'sums.xlsx', content: Buffer.alloc(40_000) },
          { filename: 'drawings.zip', content: Buffer.alloc(900) },
          { filename: 'bridge.png', content: Buffer.alloc(5000) },
          { filename: 'film.mp4', content: Buffer.alloc(3_000_000) },
        ],
      },
      tabs: ['simple'],
    },
    {
      name: 'hostile',
      mail: {
        from: '"Bank of Example, security@bank.example" <x7@evil.example>',
        subject: 'URGENT: your account is closed in 24 hours',
        html: `<h2>Dear customer</h2><p>Sign in at <a href="https://evil.example/login">https://bank.example/login</a> or <a href="https://bank.example@evil.example/">here</a>,
          or at <a href="https://xn--80ak6aa92e.com/">apple.com</a>.</p><form action="https://evil.example"><input type="password"><button>Sign in</button></form>
          <img src="https://evil.example/a.png" width="300" height="80" alt="Logo"><img src="https://evil.example/b.png"><img src="https://evil.example/c.png"><img src="https://evil.example/p.gif" width="1" height="1">`,
      },
      tabs: ['simple', 'layout'],
    },
    { name: 'empty', mail: { subject: 'Nothing inside', text: '' }, tabs: ['simple'] },
    { name: 'bare', mail: { from: 'a@b.test', subject: '', text: 'No subject.' }, tabs: ['simple'] },
    {
      name: 'long',
      mail: {
        from: `"${'Customer Relations Department of '.repeat(5)}" <${'a'.repeat(60)}@${'long-'.repeat(10)}name.example>`,
        subject: long.repeat(6),
        text: 'x'.repeat(400),
      },
      tabs: ['simple'],
    },
    {
      name: 'answer',
      mail: {
        subject: 'Re: Lunch',
        html: `<div dir="ltr">Yes, at two.<br><br>Ada</div><br><div class="gmail_quote"><div dir="ltr">On Fri, Nov 20, 2026 Grace wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"><p>Shall we have lunch?</p><p>One o'clock, or two?</p><blockquote><p>I am in town on Friday.</p></blockquote></blockquote></div>`,
      },
      tabs: ['simple', 'layout'],
    },
    {
      name: 'arabic',
      mail: { subject: 'رمز التحقق الخاص بك', text: 'مرحبا،\n\nرمز التحقق الخاص بك هو 481516.\n\nشكرا' },
      tabs: ['simple'],
    },
  ]
}
