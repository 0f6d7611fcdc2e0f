/** What speaks against a mail is said once: in one block above its views, that forced colours and the night keep apart. */
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'

const PHISHING = {
  from: 'PayPal Security <security@plain.test>',
  replyTo: 'paypal.help@gmail.com',
  subject: 'Your account is limited',
  html: '<p>Please <a href="https://paypal.login.evil.example/x">https://www.paypal.com/signin</a> at once.</p>',
}

test('sender, reply address and links are warned of in one block above the tabs', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  await sendMail({ to: await addressOn(page), ...PHISHING })
  await page.getByRole('button', { name: /Open “Your account is limited”/ }).click()
  const dialog = page.getByRole('dialog')
  const warnings = ['sender-warning', 'reply-to-warning', 'flagged'].map(id => dialog.getByTestId(id))
  for (const warning of warnings) await expect(warning).toBeVisible()
  const blocks = await Promise.all(
    warnings.map(warning =>
      warning.evaluate(element => [...document.querySelectorAll('.bg-ember-wash')].findIndex(block => block.contains(element))),
    ),
  )
  expect(new Set(blocks), 'one block').toEqual(new Set([blocks[0]]))
  expect(blocks[0]).toBeGreaterThanOrEqual(0)
  const [block, tabs] = [await warnings[2]?.boundingBox(), await dialog.getByRole('tablist').boundingBox()]
  expect((block?.y ?? 0) + (block?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0)
})

test('a mail that says it is from this site is warned of', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  await sendMail({
    to: await addressOn(page),
    from: 'Mayfly Support <help@plain.test>',
    subject: 'Sign in again',
    text: 'Your session ended.',
  })
  await page.getByRole('button', { name: /Open “Sign in again”/ }).click()
  const sentence = 'The sender uses the name or domain of this site, which never writes to its own addresses'
  await expect(page.getByRole('dialog').getByTestId('site-warning')).toHaveText(`${sentence}.`)
})

/** Each is drawn as the address of the bank, but for the words that a style sheet hides: the simple view shows those. */
const DISGUISES = {
  'a selector in the host': 'https://www.ba\ufe0fnk.example/login',
  'a filler in front': '\u3164https://www.bank.example/login',
  'a hidden word': '<span style="display:none">x </span>https://www.bank.example/login',
  'a word without size': '<span style="font-size:0">to </span>www.bank.example',
  'a hidden word in the host': 'www.ba<b style="display:none">x y</b>nk.example/login',
  'a word hidden by a sheet': '<i class="unseen">https://evil.example </i>https://www.bank.example/login',
  'five links in a row': ['https://', 'www', '.bank', '.example/', 'login'].join('</a><a href="https://evil.example/x">'),
  'letters turned around': '<span style="direction:rtl;unicode-bidi:bidi-override">nigol/elpmaxe.knab.www//:sptth</span>',
  'letters turned around by an element': '<bdo dir="rtl">nigol/elpmaxe.knab.www//:sptth</bdo>',
  'letters turned around by a sheet': '<span class="turned">elpmaxe.knab.www</span>',
  'letters turned around by a mark before the link':
    '<span>\u202e</span></a>&#x202e;<a href="https://evil.example/x">elpmaxe.knab.www//:sptth',
  'boxes in a line that is written from the right':
    '<span dir="rtl"><span style="display:inline-block">example/login</span><span style="display:inline-block">www.bank.</span></span>',
  'isolated parts in a line that is written from the right':
    '<span style="direction:rtl"><bdi>example/login</bdi><bdi>bank.</bdi><bdi>https://www.</bdi></span>',
  'boxes that float to the right': '<i style="float:right">example/login</i><i style="float:right">www.bank.</i>',
  'boxes in the other order':
    '<span style="display:flex;flex-direction:row-reverse"><i class="a">example</i><i class="a">www.bank.</i></span>',
  'a user before the host': 'https://evil.example@bank.example/',
  'its own address in front': '<span style="direction:rtl;unicode-bidi:bidi-override">https://evil.example/elpmaxe.knab.www//:sptth</span>',
}

for (const [what, words] of Object.entries(DISGUISES))
  test(`X12 a link that is drawn as the address of another site is warned of in both views: ${what}`, async ({ page, sendMail }) => {
    await page.goto('/?lang=en')
    const html = `<style>.unseen { display: none } .turned { direction: rtl; unicode-bidi: bidi\\-\\6fverride }</style><p>Please <a href="https://evil.example/x">${words}</a></p>`
    await sendMail({ to: await addressOn(page), subject: 'Disguised', html })
    await page.getByRole('button', { name: /Open “Disguised”/ }).click()
    const dialog = page.getByRole('dialog')
    for (const view of ['Simple', 'Original']) {
      await dialog.getByRole('tab', { name: view }).click()
      await expect(dialog.getByTestId('flagged')).toContainText('A link that names another site opens evil.example')
    }
  })

test('X12 a mark before a link of a plain text does not turn its letters', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  const url = 'https://evil.example/nigol/elpmaxe.knab.www//:sptth'
  await sendMail({ to: await addressOn(page), subject: 'Turned', text: `Please \u202e${url}\nor ${url}` })
  await page.getByRole('button', { name: /Open “Turned”/ }).click()
  const links = page.getByTestId('text').getByRole('link')
  await expect(links).toHaveCount(2)
  const places = await links.evaluateAll(found =>
    found.map(link => {
      const texts = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      const first = texts.nextNode() as Text
      range.setStart(first, 0)
      range.setEnd(first, 5)
      return Math.round(range.getBoundingClientRect().left - link.getBoundingClientRect().left)
    }),
  )
  expect(places, 'both begin with https').toEqual([0, 0])
})

test('in forced colours the chosen tab is told from the others, and a dialog has an edge', async ({ page, sendMail }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/?lang=en')
  await sendMail({ to: await addressOn(page), ...PHISHING })
  await page.getByRole('button', { name: /Open “Your account is limited”/ }).click()
  const dialog = page.getByRole('dialog')
  // A fill is seen from afar, and leaves no gap in the rule below the other one.
  const fill = (name: string) => dialog.getByRole('tab', { name }).evaluate(tab => getComputedStyle(tab).backgroundColor)
  expect(await fill('Simple')).not.toBe(await fill('Original'))
  expect(await fill('Original'), 'as the page').toMatch(/, 0\)$/)
  expect(await dialog.evaluate(element => getComputedStyle(element).borderTopWidth)).toBe('1px')
})
