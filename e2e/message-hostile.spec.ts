/** Hostile mail on the real thing: sent by SMTP, opened by a click, judged by what is on the screen and by what a stranger's server hears. */
import { expect, test } from './fixtures.ts'
import { expectFrameText, inFrame, openHome, openMail, openSink, pointInFrame, showTab } from './reading.ts'

/** Long enough for a browser to fetch what it is going to fetch from this machine, with room. */
const SETTLE_MS = 1000

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => {
  noise.allow(
    // Playwright's trace looks into the frame with a script of its own, which the sandbox refuses like any other.
    /Blocked script execution in '[^']*\/mail-frame/,
    // What the browser says while it parses these mails into documents without a window.
    /@import rules are not allowed here/,
    /Executing inline event handler violates/,
    /Setting the document's base URI/,
  )
})

test('X07 a mail that covers everything covers nothing of ours', async ({ page, sendMail }) => {
  const cover = 'position:fixed!important;inset:0;z-index:2147483647;background:#f00;width:9999px;height:9999px'
  const html = `<style>.a{position:/**/fixed;inset:0;z-index:99999} :root{font-size:4000px!important;transform:scale(50)} body{margin:-5000px}</style>
    <div class="a">A</div><div style="${cover}">B</div><div style="margin:-9000px 0 0 -9000px;position:absolute">C</div>
    <div style="transform:translateY(-4000px)">D</div><p style="font-size:3000px">E</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Cover all', html })
  const dialog = await openMail(page, 'Cover all')
  await showTab(page, 'Original layout')
  await expectFrameText(page, 'E')
  const boxes = await page.evaluate(() => {
    const frame = document.querySelector('dialog iframe')?.getBoundingClientRect()
    const outer = document.querySelector('dialog')?.getBoundingClientRect()
    const buttons = Array.from(document.querySelectorAll<HTMLElement>('dialog header button, dialog [role=tab]'))
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
  expect(boxes.buttons).toBeGreaterThanOrEqual(9)
  expect(boxes.height).toBeLessThanOrEqual(20_000)
  await dialog.getByRole('button', { name: 'Delete message' }).click()
  await expect(page.locator('[data-message]')).toHaveCount(0)
})

test('X07 a mail that hides itself can still be read as text', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Hidden', text: 'plainly here', html: '<style>html,body{display:none!important}</style><p>gone</p>' })
  await openMail(page, 'Hidden')
  await showTab(page, 'Original layout')
  await showTab(page, 'Text')
  await expect(page.getByTestId('text')).toContainText('plainly here')
})

test('X09 names of a mail clobber nothing of the page', async ({ page, sendMail }) => {
  const names = ['root', 'main', 'inbox', 'email-generator', '__NEXT_DATA__', 'body', 'attributes', 'clobber']
  const html = `<form id="clobber" name="clobber"><input name="attributes"><input name="parentNode"></form><img name="body"><img name="getElementById">
    ${names.map(name => `<a id="${name}" name="${name}" href="https://a.example/">${name}</a>`).join(' ')} <p>End of names</p>`
  const to = await openHome(page)
  const before = await page.evaluate(() => document.querySelectorAll('[id]').length)
  await sendMail({ to, subject: 'Names', html })
  const dialog = await openMail(page, 'Names')
  for (const view of ['Simple', 'Original layout'] as const) {
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

test('X10 a form in a mail has no fields, no buttons, and sends nothing', async ({ page, sendMail }) => {
  await using sink = await openSink()
  const html = `<form action="${sink.url}/form" method="get"><p>Sign in again</p><input name="user" autocomplete="username"><input type="password" name="p">
    <button formaction="${sink.url}/button">Go on</button><input type="image" src="${sink.url}/image"><select><option>1</select><textarea>t</textarea></form>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Form', html })
  await openMail(page, 'Form')
  for (const view of ['Simple', 'Original layout'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'Sign in again')
    expect(await inFrame(page, mail => mail.querySelectorAll('form, input, button, select, textarea').length, undefined)).toBe(0)
    await page.mouse.click(...(Object.values(await pointInFrame(page, 'p')) as [number, number]))
    await page.keyboard.press('Enter')
  }
  await page.waitForTimeout(SETTLE_MS)
  expect(sink.paths()).toEqual([])
})

test('X11 nothing moves the page; a link opens a tab that knows neither us nor where it came from', async ({ page, context, sendMail }) => {
  await using sink = await openSink()
  const html = `<meta http-equiv="refresh" content="0;url=${sink.url}/refresh"><base href="${sink.url}/base/" target="_top">
    <p><a id="go" target="_top" href="${sink.url}/link">Open it here</a></p><a href="relative">relative</a>
    <map name="m"><area href="${sink.url}/area" shape="default" target="_top"></map><svg><a href="${sink.url}/svg"><text>svg</text></a></svg>
    <math href="${sink.url}/math"><mi>math</mi></math>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Move', html })
  await openMail(page, 'Move')
  const here = page.url()
  for (const view of ['Simple', 'Original layout'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'Open it here')
    const popping = context.waitForEvent('page')
    const { x, y } = await pointInFrame(page, 'a[href$="/link"]')
    await page.mouse.click(x, y)
    const popup = await popping
    await popup.waitForURL(`${sink.url}/link`)
    expect(await popup.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
    await popup.close()
    expect(page.url()).toBe(here)
  }
  expect(sink.paths().filter(path => path !== '/favicon.ico')).toEqual(['/link'])
  expect(sink.heard.filter(({ path, referer }) => path === '/link' && referer !== undefined)).toEqual([])
})

test('X12 only safe schemes stay, the true target is shown, and links that pretend are named', async ({ page, sendMail }) => {
  const bad = [
    'javascript:alert(1)',
    'JaVa\tScript:alert(1)',
    '&#x6a;avascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'intent://x',
    'view-source:https://a.example',
    '/relative',
  ] // prettier-ignore
  const html = `${bad.map(href => `<a href="${href}">bad</a>`).join(' ')} <p><a id="fine" href="https://fine.example/path?x=1">read more</a></p>
    <p><a href="mailto:a@b.example">write</a></p><p><a href="https://evil.example/login">https://bank.example</a></p>
    <p><a href="https://bank.example@evil.example/">your bank</a></p><p><a href="https://xn--80ak6aa92e.com/">shop</a></p>
    <p><a href="https://xn--mnchen-3ya.example/">the city</a></p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Links', html })
  const dialog = await openMail(page, 'Links')
  await showTab(page, 'Original layout')
  await expectFrameText(page, 'read more')
  const hrefs = await inFrame(page, mail => Array.from(mail.querySelectorAll('a[href]'), link => link.getAttribute('href')), undefined)
  expect(hrefs).toEqual([
    'https://fine.example/path?x=1',
    'mailto:a@b.example',
    'https://evil.example/login',
    'https://bank.example@evil.example/',
    'https://xn--80ak6aa92e.com/',
    'https://xn--mnchen-3ya.example/',
  ])
  const flagged = dialog.getByTestId('flagged')
  await expect(flagged).toContainText('3 links are not what they seem')
  await expect(flagged).toContainText('A link that names another site opens evil.example')
  await expect(flagged).toContainText('A link that looks like another site opens evil.example')
  await expect(flagged).toContainText('xn--80ak6aa92e.com imitates another name with foreign letters')
  await expect(flagged).not.toContainText('münchen')
  const { x, y } = await pointInFrame(page, 'a[href^="https://fine"]')
  await page.mouse.move(x, y)
  await expect(dialog.getByTestId('target')).toHaveText('Opens https://fine.example/path?x=1')
})

test('X14 no SVG and no MathML, in any form', async ({ page, sendMail }) => {
  const html = `<p>before</p><svg onload="alert(1)"><script>alert(1)</script><use href="#x"/><foreignObject><b>f</b></foreignObject><animate attributeName="href" to="javascript:alert(1)"/>
    <set attributeName="href" to="x"/><a xlink:href="javascript:alert(1)"><text>t</text></a></svg><math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>
    <img src="data:image/svg+xml;base64,PHN2Zy8+" alt="drawn"><object data="data:image/svg+xml,<svg/>"></object><p>after</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Vectors', html })
  await openMail(page, 'Vectors')
  for (const view of ['Simple', 'Original layout'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'after')
    const left = await inFrame(
      page,
      mail => mail.body.querySelectorAll('svg, svg *, math, math *, object, img[src], script').length,
      undefined,
    )
    expect(left).toBe(0)
  }
})

test('X16 markup is text in every field: subject, sender, names, headers, source, preview, title, notification', async ({
  page,
  context,
  sendMail,
}) => {
  const payload = `<img src=x onerror=window.hit=1>"><svg onload=window.hit=1>\${{7*7}}</title><script>window.hit=1</script>`
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    // Notifications are shown to who looks elsewhere; what each is constructed with is noted on the way to the real one.
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    localStorage.setItem('mayfly.notify', 'true')
    const notified: unknown[] = []
    const Real = Notification
    Object.assign(window, {
      notified,
      Notification: new Proxy(Real, {
        construct(real, args) {
          notified.push(args)
          return Reflect.construct(real, args)
        },
      }),
    })
  })
  let dialogs = 0
  page.on('dialog', dialog => {
    dialogs++
    dialog.dismiss().catch(() => undefined)
  })
  const to = await openHome(page)
  const title = await page.title()
  await sendMail({
    from: { name: payload, address: 'eve@evil.test' },
    to,
    subject: payload,
    text: `${payload} in the text`,
    headers: { 'X-Payload': payload },
    attachments: [{ filename: `${payload.replaceAll('/', '')}.txt`, content: 'x' }],
  })
  const row = page.locator('[data-message]')
  await expect(row).toContainText('<img src=x onerror=window.hit=1>')
  await expect(row.getByTestId('preview')).toContainText('in the text')
  await expect(page).toHaveTitle(`(1) ${title}`)
  await expect.poll(() => page.evaluate(() => JSON.stringify(Reflect.get(window, 'notified')))).toContain('<img src=x onerror')
  await row.getByRole('button', { name: /Open/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(payload)
  // A body with a tag opens as HTML (spec 5.20); the text view has it as it came.
  await showTab(page, 'Text')
  await expect(dialog.getByTestId('text')).toContainText(`${payload} in the text`)
  // What no file may be called was replaced when the mail was read.
  await expect(dialog.getByText('.txt').first()).toContainText('_img src=x onerror=window.hit=1_')
  await showTab(page, 'Headers')
  await expect(dialog.getByTestId('headers')).toContainText(payload)
  await showTab(page, 'Source')
  await expect(dialog.getByTestId('raw')).toContainText('From: "<img src=x onerror=window.hit=1>')
  expect(await page.evaluate(() => document.querySelectorAll('img[src=x], svg[onload]').length)).toBe(0)
  expect([await page.evaluate(() => Reflect.get(window, 'hit')), dialogs]).toEqual([undefined, 0])
})

test('X17 what a mail hides in white or in no size stands in the text', async ({ page, sendMail }) => {
  const text = 'Visible words. Words in white. Words of no size. Words not displayed.'
  const html = `<p>Visible words.</p><p style="color:#fff;background:#fff">Words in white.</p><p style="font-size:0">Words of no size.</p><p style="display:none">Words not displayed.</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Kobold with text', html, text })
  await sendMail({ to, subject: 'Kobold alone', html })
  for (const subject of ['Kobold with text', 'Kobold alone']) {
    const dialog = await openMail(page, subject)
    await showTab(page, 'Text')
    for (const words of ['Visible words.', 'Words in white.', 'Words of no size.', 'Words not displayed.'])
      await expect(page.getByTestId('text')).toContainText(words)
    await expect(dialog.getByRole('button', { name: /forward/i })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

for (const [name, css] of [
  ['110vh', 'height:110vh'],
  ['200vh', 'min-height:200vh'],
  ['a million pixels', 'height:1000000px'],
] as const) {
  test(`X19 the frame comes to rest and stays within its limit (${name})`, async ({ page, sendMail }) => {
    const to = await openHome(page)
    await sendMail({ to, subject: 'Tall', html: `<div style="${css};width:100000px">tall and wide</div>` })
    await openMail(page, 'Tall')
    await showTab(page, 'Original layout')
    await expectFrameText(page, 'tall and wide')
    const measure = () =>
      page.evaluate(() => {
        const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
        const scroller = frame?.closest('dialog')?.lastElementChild
        return { height: frame?.clientHeight ?? 0, isSideways: scroller ? scroller.scrollWidth > scroller.clientWidth : true }
      })
    await page.waitForTimeout(SETTLE_MS)
    const rested = await measure()
    await page.waitForTimeout(SETTLE_MS)
    expect(await measure()).toEqual(rested)
    expect(rested.isSideways).toBe(false)
    expect(rested.height).toBeLessThanOrEqual(20_000)
    expect(await inFrame(page, mail => mail.documentElement.scrollWidth > mail.documentElement.clientWidth, undefined)).toBe(true)
  })
}

test('X20 a mail neither takes the focus nor keeps it, and its text can be selected', async ({ page, sendMail }) => {
  const html = `<p style="user-select:none" id="t" tabindex="1" accesskey="x">Cannot be copied?</p><input autofocus><a autofocus tabindex="5" href="https://a.example/">one</a> <a href="https://b.example/">two</a>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Focus', html })
  await openMail(page, 'Focus')
  await showTab(page, 'Original layout')
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
  // In, along the two links, and out again.
  expect(visited).toContain(true)
  expect(visited.lastIndexOf(true)).toBeLessThan(visited.length - 1)
})
