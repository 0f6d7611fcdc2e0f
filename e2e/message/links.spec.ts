/** What a click in a mail does: no form is sent, nothing moves the page, and a link opens what it shows. */
import { expect, test } from '../harness/fixtures.ts'
import {
  expectFrameText,
  hearParsing,
  inFrame,
  openHome,
  openMail,
  openSink,
  pointInFrame,
  settleNetwork,
  showTab,
} from './reader/reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => hearParsing(noise))

test('X10 a form in a mail has no fields and no buttons, and sends nothing', async ({ page, sendMail }) => {
  await using sink = await openSink()
  const html = `<form action="${sink.url}/form" method="get"><p>Sign in again</p><input name="user" autocomplete="username"><input type="password" name="p">
    <button formaction="${sink.url}/button">Go on</button><input type="image" src="${sink.url}/image"><select><option>1</select><textarea>t</textarea></form>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Form', html })
  await openMail(page, 'Form')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'Sign in again')
    expect(await inFrame(page, mail => mail.querySelectorAll('form, input, button, select, textarea').length, undefined)).toBe(0)
    await page.mouse.click(...(Object.values(await pointInFrame(page, 'p')) as [number, number]))
    await page.keyboard.press('Enter')
  }
  await settleNetwork(page)
  expect(sink.paths()).toEqual([])
})

test('X11 nothing moves the page, and a link opens a tab without opener and referrer', async ({ page, context, sendMail }) => {
  await using sink = await openSink()
  const html = `<meta http-equiv="refresh" content="0;url=${sink.url}/refresh"><base href="${sink.url}/base/" target="_top">
    <p><a id="go" target="_top" href="${sink.url}/link">Open it here</a></p><a href="relative">relative</a>
    <map name="m"><area href="${sink.url}/area" shape="default" target="_top"></map><svg><a href="${sink.url}/svg"><text>svg</text></a></svg>
    <math href="${sink.url}/math"><mi>math</mi></math>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Move', html })
  await openMail(page, 'Move')
  const here = page.url()
  for (const view of ['Simple', 'Original'] as const) {
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

test('X12 only safe schemes are kept, the true target is shown, and deceptive links are marked', async ({ page, sendMail }) => {
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
    <p><a href="https://xn--mnchen-3ya.example/">the city</a></p>
    <p><a href="http://192.0.2.7/x">log in</a></p><p><a href="http://192.0.2.8/">192.0.2.8</a></p>
    <p><a href="http://192.0.2.9/"><i style="font-size:0">192.0.2.9</i>sign in</a></p><p><a href="http://192.0.2.1/">by 192.0.2.10</a></p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Links', html })
  const dialog = await openMail(page, 'Links')
  await showTab(page, 'Original')
  await expectFrameText(page, 'read more')
  const hrefs = await inFrame(page, mail => Array.from(mail.querySelectorAll('a[href]'), link => link.getAttribute('href')), undefined)
  expect(hrefs).toEqual([
    'https://fine.example/path?x=1',
    'mailto:a@b.example',
    'https://evil.example/login',
    'https://bank.example@evil.example/',
    'https://xn--80ak6aa92e.com/',
    'https://xn--mnchen-3ya.example/',
    'http://192.0.2.7/x',
    'http://192.0.2.8/',
    'http://192.0.2.9/',
    'http://192.0.2.1/',
  ])
  const marks = await inFrame(page, mail => Array.from(mail.querySelectorAll('a + span'), mark => mark.textContent), undefined)
  expect(marks, 'a number is shown behind a link that does not say it').toEqual([
    ...['→\u00a0evil.example', '→\u00a0evil.example', '→\u00a0xn--80ak6aa92e.com', '→\u00a0192.0.2.7'],
    ...['→\u00a0192.0.2.9', '→\u00a0192.0.2.1'],
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
