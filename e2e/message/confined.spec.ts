/** A mail stays in its frame: it covers nothing, overwrites nothing, does not grow endlessly, and does not trap the keyboard. */
import { expect, test } from '../harness/fixtures.ts'
import { chooseMore, expectFrameText, hearParsing, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => hearParsing(noise))

test('X07 a mail that covers everything covers nothing outside its frame', async ({ page, sendMail }) => {
  const cover = 'position:fixed!important;inset:0;z-index:2147483647;background:#f00;width:9999px;height:9999px'
  const html = `<style>.a{position:/**/fixed;inset:0;z-index:99999} :root{font-size:4000px!important;transform:scale(50)} body{margin:-5000px}</style>
    <div class="a">A</div><div style="${cover}">B</div><div style="margin:-9000px 0 0 -9000px;position:absolute">C</div>
    <div style="transform:translateY(-4000px)">D</div><p style="font-size:3000px">E</p>`
  const to = await openHome(page)
  // Between two others, so that both buttons to a neighbour are enabled. A disabled button gets no touch events.
  for (const [subject, body] of [
    ['Earlier', '<p>Hello</p>'],
    ['Cover all', html],
    ['Later', '<p>Hello</p>'],
  ] as const) {
    await sendMail({ to, subject, html: body })
    await expect(page.locator('[data-message]').filter({ hasText: subject })).toBeVisible()
  }
  const dialog = await openMail(page, 'Cover all')
  await showTab(page, 'Original')
  await expectFrameText(page, 'E')
  for (const name of ['Previous message', 'Next message']) await expect(dialog.getByRole('button', { name })).toBeEnabled()
  await dialog.getByRole('button', { name: 'More actions' }).click()
  await expect(dialog.getByRole('menu')).toBeVisible()
  const boxes = await page.evaluate(() => {
    const frame = document.querySelector('dialog iframe')?.getBoundingClientRect()
    const outer = document.querySelector('dialog')?.getBoundingClientRect()
    const buttons = Array.from(document.querySelectorAll<HTMLElement>('dialog header button, dialog [role=tab], dialog [role=menuitem]'))
    const covered = buttons.filter(button => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
    return {
      covered: covered.length,
      buttons: buttons.length,
      isInside: !!frame && !!outer && frame.left >= outer.left && frame.right <= outer.right + 1,
      height: frame?.height,
    }
  })
  expect(boxes).toMatchObject({ covered: 0, isInside: true })
  expect(boxes.buttons).toBeGreaterThanOrEqual(12)
  expect(boxes.height).toBeLessThanOrEqual(20_000)
  await dialog.getByRole('menuitem', { name: 'Delete message' }).click()
  await expect(page.locator('[data-message]').filter({ hasText: 'Cover all' })).toHaveCount(0)
  await expect(page.locator('[data-message]')).toHaveCount(2)
})

test('X07 a mail that hides itself can be read as text', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Hidden', text: 'plainly here', html: '<style>html,body{display:none!important}</style><p>gone</p>' })
  await openMail(page, 'Hidden')
  await showTab(page, 'Original')
  await showTab(page, 'Text')
  await expect(page.getByTestId('text')).toContainText('plainly here')
})

test('X09 names in a mail do not overwrite anything of the page', { tag: '@long' }, async ({ page, sendMail }) => {
  const names = ['root', 'main', 'inbox', 'email-generator', '__NEXT_DATA__', 'body', 'attributes', 'clobber']
  const html = `<form id="clobber" name="clobber"><input name="attributes"><input name="parentNode"></form><img name="body"><img name="getElementById">
    ${names.map(name => `<a id="${name}" name="${name}" href="https://a.example/">${name}</a>`).join(' ')} <p>End of names</p>`
  const to = await openHome(page)
  const before = await page.evaluate(() => document.querySelectorAll('[id]').length)
  await sendMail({ to, subject: 'Names', html })
  const dialog = await openMail(page, 'Names')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'End of names')
    expect(
      await page.evaluate(() => [typeof Reflect.get(window, 'clobber'), typeof document.getElementById, document.body.tagName]),
    ).toEqual(['undefined', 'function', 'BODY'])
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await page.evaluate(() => document.querySelectorAll('[id]').length)).toBe(before)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(page.getByText('New temporary email generated!')).toBeVisible()
})

for (const [name, css] of [
  ['110vh', 'height:110vh'],
  ['200vh', 'min-height:200vh'],
  ['a million pixels', 'height:1000000px'],
] as const) {
  test(`X19 the frame settles and stays within its limit (${name})`, { tag: name === '110vh' ? [] : '@long' }, async ({
    page,
    sendMail,
  }) => {
    const to = await openHome(page)
    await sendMail({ to, subject: 'Tall', html: `<div style="${css};width:100000px">tall and wide</div>` })
    await openMail(page, 'Tall')
    await showTab(page, 'Original')
    await expectFrameText(page, 'tall and wide')
    const measure = () =>
      page.evaluate(() => {
        const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
        const scroller = frame?.closest('dialog')?.lastElementChild
        return { height: frame?.clientHeight ?? 0, isSideways: scroller ? scroller.scrollWidth > scroller.clientWidth : true }
      })
    const heights = await page.evaluate(async () => {
      const drawn: (number | undefined)[] = []
      // A frame that adapts to its own height could grow with every drawn frame.
      for (let count = 0; count < 60; count++) {
        await new Promise(requestAnimationFrame)
        drawn.push(document.querySelector<HTMLIFrameElement>('dialog iframe')?.clientHeight)
      }
      return drawn
    })
    const rested = await measure()
    expect(heights.slice(30)).toEqual(heights.slice(30).fill(rested.height))
    expect(rested.isSideways).toBe(false)
    expect(rested.height).toBeLessThanOrEqual(20_000)
    expect(await inFrame(page, mail => mail.documentElement.scrollWidth > mail.documentElement.clientWidth, undefined)).toBe(true)
  })
}

test('X08 a mail of ten thousand quotes is shown without blocking the page', { tag: '@long' }, async ({ page, sendMail }) => {
  const html = `<p>Ada wrote:</p>${`<blockquote>${'q'.repeat(50)}:</blockquote>`.repeat(10_000)}<p>the end</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Many quotes', html })
  await openMail(page, 'Many quotes')
  await page.getByRole('button', { name: 'Show all of it' }).click()
  await expectFrameText(page, 'the end')
  expect(await inFrame(page, mail => mail.querySelectorAll('details > blockquote').length, undefined)).toBe(100)
  await chooseMore(page, 'Delete message')
  await expect(page.locator('[data-message]')).toHaveCount(0)
})

test('X08 a mail of a hundred thousand lines is shown', { tag: '@long' }, async ({ page, sendMail }) => {
  test.slow()
  const to = await openHome(page)
  await sendMail({ to, subject: 'Many lines', html: `${'l<br>'.repeat(100_000)}the end` })
  await openMail(page, 'Many lines')
  await page.getByRole('button', { name: 'Show all of it' }).click({ timeout: 180_000 })
  // Laying out a hundred thousand lines takes a second on an idle machine, and half a minute under load.
  const length = () => inFrame(page, mail => mail?.body?.textContent?.length ?? 0, undefined)
  await expect.poll(length, { timeout: 60_000 }).toBeGreaterThan(100_000)
})

test('X08 expensive selectors do not block the page, and plain ones work', { tag: '@long' }, async ({ page, sendMail }) => {
  const rules = Array.from({ length: 200 }, (_, n) => `i:has(~ b.c${n}){color:red} .c${n} ~ i{color:red}`)
  const html = `<style>${rules.join('')} i{color:#010203}</style>${'<i>x</i>'.repeat(10_000)}the end`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Selectors', html })
  await openMail(page, 'Selectors')
  await showTab(page, 'Original')
  await page.getByRole('button', { name: 'Show all of it' }).click()
  await expectFrameText(page, 'the end')
  expect(await inFrame(page, mail => getComputedStyle(mail.querySelector('i') ?? mail.body).color, undefined)).toBe('rgb(1, 2, 3)')
})

test('X20 a mail neither takes nor keeps the focus, and its text can be selected', { tag: '@long' }, async ({
  page,
  browserName,
  sendMail,
}) => {
  const html = `<p style="user-select:none" id="t" tabindex="1" accesskey="x">Cannot be copied?</p><input autofocus><a autofocus tabindex="5" href="https://a.example/">one</a> <a href="https://b.example/">two</a>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Focus', html })
  await openMail(page, 'Focus')
  await showTab(page, 'Original')
  await expectFrameText(page, 'Cannot be copied?')
  const isInFrame = () => page.evaluate(() => document.activeElement?.tagName === 'IFRAME')
  expect(await isInFrame()).toBe(false)
  const odd = await inFrame(
    page,
    mail => [
      mail.querySelectorAll('[autofocus], [tabindex], [accesskey]').length,
      getComputedStyle(mail.querySelector('p') ?? mail.body).userSelect,
    ],
    undefined,
  )
  expect(odd).toEqual([0, 'auto'])
  const visited: boolean[] = []
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    visited.push(await isInFrame())
  }
  // Into the frame and along the two links.
  expect(visited).toContain(true)
  // And out again. Firefox goes on to its own toolbar, which gets none of the keys that a test sends, so it is only sent back.
  if (browserName !== 'firefox') expect(visited.lastIndexOf(true)).toBeLessThan(visited.length - 1)
  await page.getByRole('dialog').getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('Tab')
  expect(await isInFrame()).toBe(true)
  await page.keyboard.press('Shift+Tab')
  expect(await isInFrame()).toBe(false)
})
