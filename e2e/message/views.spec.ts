/** A mail designed for another screen, other colours or another language stays readable. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { expectFrameText, hearParsing, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

const newsletter = readFileSync(join(resolve(import.meta.dirname, '../..'), 'test/fixtures/html/newsletter.html'), 'utf8')

test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })

test.beforeEach(({ noise }) => hearParsing(noise))

test('a table of 600 px fits a phone, and content that does not is scaled or scrolls in its own box', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const cells = (count: number) => `<tr>${'<td><div style="width:110px">1,234</div></td>'.repeat(count)}</tr>`
  await sendMail({ to, subject: 'Fluid', html: `<table width="600" style="width:600px"><tr><td>${'words '.repeat(80)}</td></tr></table>` })
  await sendMail({ to, subject: 'Wide', html: `<table>${cells(5)}</table>` })
  await sendMail({ to, subject: 'Vast', html: `<table>${cells(20)}</table>` })
  for (const [subject, text, zooms, scrolls] of [
    ['Fluid', 'words', false, false],
    ['Wide', '1,234', true, false],
    ['Vast', '1,234', false, false],
  ] as const) {
    const dialog = await openMail(page, subject)
    await showTab(page, 'Original')
    await expectFrameText(page, text)
    const fit = () =>
      inFrame(
        page,
        ({ body, documentElement: root }) => ({
          zooms: Number(body.style.zoom || 1) < 1,
          scrolls: root.scrollWidth > root.clientWidth + 1,
        }),
        undefined,
      )
    await expect.poll(fit).toEqual({ zooms, scrolls })
    const zoom = dialog.getByRole('button', { name: 'Full size' })
    await expect(zoom).toHaveCount(zooms ? 1 : 0)
    if (zooms) {
      await zoom.click()
      await expect.poll(fit).toEqual({ zooms: false, scrolls: true })
      await dialog.getByRole('button', { name: 'Fit to width' }).click()
      await expect.poll(fit).toEqual({ zooms, scrolls })
    }
    expect(await page.evaluate(() => document.querySelectorAll('dialog > div')[0]?.scrollWidth)).toBeLessThanOrEqual(360)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test('the simple view has the font of the site, which the original layout cannot use, and marks the words of pictures', async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  const fontFace =
    '<style>@font-face { font-family: "Instrument Sans"; src: url("/assets/x.woff2") } p { font-family: "Instrument Sans" }</style>'
  await sendMail({ to, subject: 'Letters', html: `${fontFace}<p>Words <img alt="Roses" src="https://a.example/roses.jpg"></p>` })
  const policies: string[] = []
  page.on('response', response => {
    if (response.url().endsWith('/mail-frame')) policies.push(response.headers()['content-security-policy'] ?? '')
  })
  await openMail(page, 'Letters')
  await showTab(page, 'Simple')
  await expectFrameText(page, 'Words')
  const fonts = () => inFrame(page, mail => Array.from(mail.fonts, ({ family, status }) => `${family} ${status}`), undefined)
  await expect.poll(fonts).toEqual([expect.stringMatching(/^"?Instrument Sans"? loaded$/)])
  const label = await inFrame(
    page,
    mail => {
      const words = mail.querySelector('[data-picture]')
      return words && [words.textContent, getComputedStyle(words, '::before').content]
    },
    undefined,
  )
  expect(label).toEqual(['Roses', '"Image: "'])
  await showTab(page, 'Original')
  await expectFrameText(page, 'Words')
  await expect.poll(fonts).toEqual([])
  expect(policies[0]).toContain("default-src 'none'")
  expect(policies.join()).not.toContain('font-src')
})

test('the simple view starts with the first word and has dark colours', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'By night', html: newsletter })
  await openMail(page, 'By night')
  await expectFrameText(page, 'Rivers remember')
  const looks = await inFrame(
    page,
    mail => {
      const heading = mail.querySelector('h1')
      const lightness = (element: Element | null) => (element ? Number(/\d+/.exec(getComputedStyle(element).color)?.[0]) : 0)
      return {
        top: heading?.getBoundingClientRect().top ?? Number.NaN,
        lightest: Math.min(lightness(heading), ...Array.from(mail.querySelectorAll('p, div, b'), lightness)),
        isOnWhite: mail.documentElement.matches('[data-on-white]'),
      }
    },
    undefined,
  )
  expect(looks.top).toBeLessThan(60)
  // The mail's own grey, which can be read by night.
  expect(looks.lightest).toBe(0x7b)
  expect(looks.isOnWhite).toBe(false)
  await showTab(page, 'Original')
  // Designed for white, without a dark mode: it keeps its white background.
  await expect.poll(() => inFrame(page, mail => mail.querySelector('html[data-on-white]') !== null, undefined)).toBe(true)
})

test('no empty frame is seen before a mail is in it: by night it would flash in white', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'By night', html: newsletter })
  await page.evaluate(() => {
    const look = () => {
      const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
      const isSeen = frame?.checkVisibility({ visibilityProperty: true }) ?? false
      const { body } = frame?.contentDocument ?? {}
      if (isSeen && !body?.firstChild) document.body.toggleAttribute('data-flashed', true)
      requestAnimationFrame(look)
    }
    look()
  })
  const isAsked = Promise.withResolvers<void>()
  const isLate = Promise.withResolvers<void>()
  await page.route('**/mail-frame', async route => {
    isAsked.resolve()
    await isLate.promise
    await route.continue()
  })
  const dialog = await openMail(page, 'By night')
  await isAsked.promise
  await expect(dialog.locator('iframe')).toBeHidden()
  isLate.resolve()
  await expectFrameText(page, 'Rivers remember')
  await expect(dialog.locator('iframe')).toBeVisible()
  await expect(page.locator('[data-flashed]')).toHaveCount(0)
})

const HEAVY = {
  en: {
    some: 'Some of its styles are too heavy and are left out.',
    all: 'Its styles are too heavy and are left out.',
    original: 'Original',
    simple: 'Simple',
    source: 'Source',
    open: /Open/,
  },
  es: {
    some: 'Algunos de sus estilos pesan demasiado y se omiten.',
    all: 'Sus estilos pesan demasiado y se omiten.',
    original: 'Original',
    simple: 'Sencilla',
    source: 'Código fuente',
    open: /Abrir/,
  },
} as const

for (const language of ['en', 'es'] as const)
  test(
    `${language}: a mail whose styles are too heavy says so, and its source is a click away`,
    quickInEnglish(language),
    async ({ page, sendMail }) => {
      const texts = HEAVY[language]
      const to = await openHome(page, language)
      const light = '<style>p { color: #123456 }</style>'
      const heavy = `<style>${':has(~ i)'.repeat(20)} { color: red }</style>${'<i>x</i>'.repeat(1500)}`
      const mails = {
        none: `${light}<p>Words</p>`,
        some: `${light}<p>Words</p>${heavy}`,
        all: `${light}${'<div>'.repeat(101)}<p style="color: red">Words</p>`,
      }
      for (const [subject, html] of Object.entries(mails)) await sendMail({ to, subject: `Mail ${subject}`, html })
      const color = () =>
        inFrame(page, mail => mail.querySelector('p') && getComputedStyle(mail.querySelector('p') as Element).color, undefined)
      const dialog = page.getByRole('dialog')
      const note = dialog.getByTestId('heavy-styles')
      for (const kind of ['none', 'some', 'all'] as const) {
        await page
          .locator('[data-message]')
          .filter({ hasText: `Mail ${kind}` })
          .getByRole('button', { name: texts.open })
          .click()
        await dialog.getByRole('tab', { name: texts.simple }).click()
        await expectFrameText(page, 'Words')
        await expect(note).toHaveCount(0)
        await dialog.getByRole('tab', { name: texts.original }).click()
        await expectFrameText(page, 'Words')
        if (kind === 'all') await expect.poll(color).not.toBe('rgb(255, 0, 0)')
        else await expect.poll(color).toBe('rgb(18, 52, 86)')
        await expect(note).toHaveText(kind === 'none' ? [] : [texts[kind]])
        if (kind !== 'none') {
          await dialog.getByRole('button', { name: texts.source }).click()
          await expect(dialog.getByRole('tab', { name: texts.source })).toHaveAttribute('aria-selected', 'true')
          await expect(dialog.getByTestId('raw')).toContainText('#123456')
        }
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
    },
  )

test('the last chosen view is the first for the next mail, also after a reload', { tag: '@long' }, async ({ page, sendMail }) => {
  const to = await openHome(page)
  for (const subject of ['One', 'Two']) await sendMail({ to, subject, html: `<p>${subject}</p>` })
  const dialog = await openMail(page, 'One')
  await expect(dialog.getByRole('tab', { name: 'Simple' })).toHaveAttribute('aria-selected', 'true')
  await showTab(page, 'Original')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await openMail(page, 'Two')
  await expect(dialog.getByRole('tab', { name: 'Original' })).toHaveAttribute('aria-selected', 'true')
})

test('keys and buttons lead to the neighbouring mails, and the menu to the other views repeatedly', async ({ page, sendMail }) => {
  const to = await openHome(page)
  for (const subject of ['Older', 'Newer'])
    await sendMail({ to, subject, html: `<p>${subject} text</p>`, attachments: [{ filename: `${subject}.txt`, content: 'x' }] })
  await expect(page.locator('[data-message]')).toHaveCount(2)
  const dialog = await openMail(page, 'Newer')
  await expect(dialog.getByRole('button', { name: 'Previous message' })).toBeDisabled()
  for (const round of [1, 2]) {
    await showTab(page, 'Headers')
    await expect(dialog.getByTestId('headers'), `round ${round}`).toBeVisible()
    await showTab(page, 'Simple')
    await expect(dialog.getByTestId('headers')).toHaveCount(0)
  }
  await page.keyboard.press('j')
  await expect(dialog.getByRole('heading', { name: 'Older' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Download Older.txt' })).toBeVisible()
  await expect(dialog.getByRole('tab')).toHaveText(['Simple', 'Original'])
  await dialog.getByRole('button', { name: 'Previous message' }).click()
  await expect(dialog.getByRole('heading', { name: 'Newer' })).toBeVisible()
  // Playwright's own step waits for a document to load, which Firefox does not tell of here.
  await page.evaluate(() => history.back())
  await expect(dialog, 'one step back closes it, however many were read').toHaveCount(0)
})

test('those who send a mail see what programs make of it, and nothing of it is requested', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = `<style>p { display: grid }</style><p>Hello <a href="https://shop.example/a">Roses</a> <a href="https://shop.example/unsubscribe">Unsubscribe</a></p>
<img src="https://shop.example/wide.webp"><img alt="" src="cid:missing">`
  await sendMail({ to, subject: 'Roses', html })
  const elsewhere: string[] = []
  page.on('request', request => new URL(request.url()).hostname.endsWith('.example') && elsewhere.push(request.url()))
  const dialog = await openMail(page, 'Roses')
  await showTab(page, 'Check this mail')
  await expect(dialog.getByRole('tab', { name: 'Check' })).toHaveAttribute('aria-selected', 'true')
  const check = dialog.getByTestId('check')
  await expect(check.getByRole('listitem')).toHaveText([
    '1 image names a part that the mail does not have',
    '1 image has no alternative text',
    'There is no plain text beside the HTML',
    'This looks like bulk mail and has no List-Unsubscribe header',
    'Nothing says “color-scheme”: programs may invert the colours in dark mode',
  ])
  await expect(check.locator('dl > div', { hasText: 'display:grid' })).toHaveText('display:gridOutlook (Windows)')
  await expect(check.getByRole('heading')).toHaveText(['To fix', 'HTML and CSS that some programs do not support', '2 links', '2 images'])
  await expect(check.getByRole('link')).toHaveCount(0)
  expect(elsewhere).toEqual([])
})

test('those who send a mail see which rules it breaks, where they stand, and what to do', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const raw = `From: app@shop.example\r\nSubject: Rules\r\nBcc: ${to}\r\nDate: Sat, 28 Nov 2026 20:00:00 +0000\r\n\r\nHello\r\n`
  await sendMail({ envelope: { from: 'app@shop.example', to }, raw })
  const dialog = await openMail(page, 'Rules')
  await showTab(page, 'Check this mail')
  await expect(dialog.getByTestId('check').getByRole('listitem')).toHaveText([
    'Every recipient can read who is in Bcc: name them in the envelope onlyRFC 5322 3.6.3',
    'The mail has no name of its own: add Message-IDRFC 5322 3.6.4',
  ])
})

test('of a very long mail the beginning is checked, and the check says so', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = `<p style="opacity: 1">Roses</p>${'<p>More roses of every kind</p>'.repeat(8000)}<p style="display: grid">Thorns</p>`
  await sendMail({ to, subject: 'All roses', html })
  const dialog = await openMail(page, 'All roses')
  await showTab(page, 'Check this mail')
  const check = dialog.getByTestId('check')
  await expect(check.locator('dt', { hasText: 'opacity:' })).toBeVisible()
  await expect(check.locator('dt', { hasText: 'display:grid' })).toHaveCount(0)
  await expect(check.getByText('This message is very long: only its beginning was checked.')).toBeVisible()
})
