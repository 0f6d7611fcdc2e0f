/** Links as honest mails write them: none of them is taken for a deceptive one, in no view. */
import { expect, type Page } from '@playwright/test'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

const MIMECAST = 'https://protect-us.mimecast.com/s/AbC?domain=hotels.com'
const SHEET = '<style>b { color: red }</style>'

/** `SHEET` alone makes a rule of its own possible for any tag. */
const HONEST: readonly (readonly [what: string, html: string])[] = [
  ['a note', '<a style="color:red" href="https://click.hotels.com/x">Hotels.com<sup>1</sup></a>'],
  ['two notes', '<a class="a" href="https://click.hotels.com/x">Hotels.com<sup>1</sup><sup>2</sup></a>'],
  ['a trade mark', '<a class="a" href="https://www.hotels.com/x">Hotels.com<sup>™</sup></a>'],
  ['a path', '<a class="a" href="https://links.shop.com/x"><b>shop.com</b>/sale</a>'],
  ['a file', '<a class="a" href="https://links.shop.com/x"><b>shop.com/</b><i>summer.html</i></a>'],
  ['a scheme', '<a class="a" href="https://links.shop.com/x"><i>https://</i><b>shop.com</b>/sale</a>'],
  ['a registered mark and an arrow', '<a class="a" href="https://e.shop.com/x"><b>shop.com</b><sup>®</sup> <i>→</i></a>'],
  ['a site under a country', '<a class="a" href="https://mail.shop.co.uk/x"><b>shop.co.uk</b><sup>1</sup></a>'],
  ['an international name', '<a class="a" href="https://post.xn--mnchen-3ya.de/x">münchen.de<sup>1</sup></a>'],
  ['a gateway', `<a class="a" href="${MIMECAST}">Hotels.com<sup>1</sup></a>`],
  ['a gateway and a path', `<a class="a" href="${MIMECAST}"><b>hotels.com</b>/deals</a>`],
  [
    'another gateway',
    '<a class="a" href="https://eu-west-1.protection.sophos.com/?d=shop.com&u=aHR0cHM6Ly9zaG9wLmNvbQ=="><b>shop.com</b>/sale</a>',
  ],
  ['links in a row', '<a href="https://click.hotels.com/x">Hotels.com</a><a href="https://click.hotels.com/x"><sup>1</sup></a>'],
  ['a sheet', `${SHEET}<a href="https://click.hotels.com/x">Hotels.com<sup>1</sup></a>`],
  ['a sheet and a path', `${SHEET}<a href="https://links.shop.com/x"><b>shop.com</b>/sale</a>`],
  ['a sheet and a word', `${SHEET}<a href="https://www.shop.com/">Visit <b>www.shop.com</b></a>`],
  ['a sheet and a label', `${SHEET}<a href="https://www.firma.at/"><i>Web: </i>www.firma.at</a>`],
  ['a sheet, words and a scheme', `${SHEET}<a href="https://shop.com/">Go to <b>https://shop.com</b></a>`],
  ['a sheet and a number', `${SHEET}<a href="https://www.shop.com/"><b>1</b>www.shop.com</a>`],
  ['a row of links', '<p><a href="https://www.shop.com/">www.shop.com</a><a href="https://pages.example/shop">Pages</a>www.shop.com</p>'],
  ['an address in the line before', '<div>https://www.shop.com/</div><div><a href="https://pages.example/">/shop</a></div>'],
  ['an address before a blank', '<p>https://www.shop.com/ <a href="https://pages.example/">/shop</a></p>'],
  ['the end of a sentence', '<p>See <a href="https://www.shop.com/">www.shop.com</a>.</p>'],
  ['a word that goes on', '<p>Our <a href="https://www.shop.com/">www.shop.com</a>-Team</p>'],
  ['an address of mail', '<p>ann@<a href="https://www.shop.com/">shop.com</a></p>'],
  ['a logo', '<a href="https://shop.com/"><img src="cid:logo" alt="Shop">shop.com</a>'],
  ['a logo and a site', '<a href="https://links.shop.com/"><img src="https://pics.example/a.png" alt="Logo"><b>www.shop.com</b></a>'],
  ['an arrow that is a picture', '<a href="https://www.shop.com/">www.shop.com<img src="cid:arrow" alt="Visit"></a>'],
  [
    'a logo in a link of its own',
    '<a href="https://shop.com/"><img src="cid:logo" alt="Shop"></a><a href="https://shop.com/">shop.com</a>',
  ],
  ['two logos', '<a href="https://shop.com/"><img src="cid:logo" alt="Shop"><img src="cid:name" alt="shop.com"></a>'],
  ['a sentence without a blank', '<p>Click <a href="https://shop.example/x">here</a>.It expires in an hour.</p>'],
  ['a German sentence without a blank', '<p>Mehr <a href="https://shop.example/x">hier</a><b>.Es endet bald.</b></p>'],
  ['a word without a blank', '<p>Frag <a href="https://shop.example/x">uns</a>.At, oder</p>'],
  ['an address and a colon', '<p>www.hotel.com:<a href="https://maps.example/">Book now</a></p>'],
  ['an address and a small word', '<p>www.hotel.com:<a href="https://maps.example/">map</a></p>'],
  ['an address in brackets', '<p>Ours (www.hotel.com):<a href="https://maps.example/">Book now</a></p>'],
  ['an address and a word that goes on', '<p>www.shop.com-<a href="https://pages.example/">Team</a></p>'],
  ['an address and capitals', '<p>www.hotel.com.<a href="https://maps.example/">BOOK NOW</a></p>'],
  ['an address of a country and a word', '<p>Besök www.shop.se.<a href="https://pages.example/">Unsubscribe</a></p>'],
  ['an address of a country and capitals', '<p>Call shop.com.au.<a href="https://pages.example/">UNSUBSCRIBE here</a></p>'],
  ['an address of a country and a sentence', '<p>https://www.shop.ca.<a href="https://pages.example/">Ändern Sie alles</a></p>'],
  ['an address and a street', '<p>www.hotel.com:<a href="https://maps.example/">24 Main Street</a></p>'],
  ['an address and a number', '<p>www.hotel.com:<a href="https://maps.example/">5 stars</a></p>'],
  ['an address and a year', '<p>www.hotel.com:<a href="https://maps.example/">2026 rates</a></p>'],
  ['an address at the end of a sentence', '<p>Your order at www.shop.com.<a href="https://pages.example/">Unsubscribe</a></p>'],
]

for (const [what, html] of HONEST)
  test(`X12 an honest link is not warned of: ${what}`, async ({ readerPage }) => {
    expect(await flagged(readerPage, html)).toEqual([])
  })

const EVIL = 'https://evil.example/'
const BANK = 'https://www.bank.example/login'
const OWN_IN_FRONT = 'https://evil.example/elpmaxe.knab.www//:sptth'
const DECEPTIVE: readonly (readonly [what: string, html: string])[] = [
  ['floats by a rule', `<style>a i{float:right}</style><a href="${EVIL}"><i>example/login</i><i>www.bank.</i></a>`],
  [
    'a site whose end is the own one',
    '<a href="https://lix.example/"><i style="float:right">lix.example</i><i style="float:right">www.netf</i></a>',
  ],
  ['a site whose beginning is the own one', '<style>a i{float:right}</style><a href="https://bank.co/"><i>m</i><i>www.bank.co</i></a>'],
  ['an override before a section', `&#x202e;<section><a href="${EVIL}">${OWN_IN_FRONT}</a></section>`],
  ['an override in front', `<p>&#x202e;<a href="${EVIL}">${OWN_IN_FRONT}</a></p>`],
  ['an override in an element in front', `<p><b><i>&#x202e;</i></b>${'<b></b>'.repeat(600)}<a href="${EVIL}">${OWN_IN_FRONT}</a></p>`],
  [
    'an override in another block',
    `<p style="display:inline">&#x202e;</p><p style="display:inline"><a href="${EVIL}">elpmaxe.knab.www</a></p>`,
  ],
  ['the text of a picture', `<a href="${EVIL}"><img src="https://pics.example/a.png" alt="${BANK}"></a>`],
  ['the text of a picture that came not', `<a href="${EVIL}"><b><img src="cid:none" alt="www.bank."></b>example</a>`],
  ['words in what is never shown', `<a href="${EVIL}"><style>a b</style><svg><text>a b</text></svg>bank.com</a>`],
  ['blanks without size', `${SHEET}<a href="${EVIL}">w<b> </b>w<b> </b>w<b> </b>.bank.example</a>`],
  ['words without size around', `<a href="${EVIL}" style="font-size:0">to a <b style="font-size:16px">bank.com</b></a>`],
  ['an address cut by a link', `<p>https://www.bank.example<a href="${EVIL}">/login</a></p>`],
  ['an address cut in elements', `<p>https://<b>www.bank&#8203;<i>.com</i></b><wbr><u><a href="${EVIL}">/login</a></u></p>`],
  ['an address cut behind a link', `<p><a href="${EVIL}">bank</a><b>.com</b>/login</p>`],
  ['an address cut at its last point', `<p>bank.<a href="${EVIL}">com/login</a></p>`],
  ['an address cut before a capital', `<p><a href="${EVIL}">Bank</a>.Com/login</p>`],
  ['an address cut before its ending', `<p><a href="${EVIL}">PayPal</a>.Com</p>`],
  ['an ending of two letters', `<p>www.bank.co.<a href="${EVIL}">Uk</a></p>`],
  ['a query', `<p>www.bank.com?<a href="${EVIL}">Login</a></p>`],
  ['an ending in capitals', `<p>www.bank.com.<a href="${EVIL}">INFO</a></p>`],
  ['an ending behind a country', `<p>www.bank.se.<a href="${EVIL}">Com</a></p>`],
  ['an ending in capitals behind a country', `<p>www.bank.se.<a href="${EVIL}">NET</a></p>`],
  ['a port', `<p>www.bank.com:<a href="${EVIL}">8443</a></p>`],
  ['a port and a path', `<p>www.bank.com:<a href="${EVIL}">1443/login</a></p>`],
  ['a port and a word', `<p>www.bank.com:<a href="${EVIL}">443 login</a></p>`],
  ['an address cut behind a point', `<p>www.bank.<a href="${EVIL}">Com</a></p>`],
  ['an address cut behind its scheme', `<p>https:<a href="${EVIL}">//bank.xyz/login</a></p>`],
  [
    'pictures with the parts of an address',
    `<a href="${EVIL}"><img src="cid:none" alt="www."><b>bank</b><img src="cid:none" alt=".com"></a>`,
  ],
  ['hidden words in front', `<a href="${EVIL}"><b style="display:none"><i>evil.example/</i></b><i>https://paypal.com</i></a>`],
  ['hidden words of a sentence', `<a href="${EVIL}"><b style="visibility:hidden"><i>Go to </i></b><i>paypal.com</i></a>`],
  ['hidden words within', `<a href="${EVIL}"><i>paypal</i><b style="opacity:0"><i> or </i></b><u>.com</u></a>`],
  [
    'hidden words on both sides',
    `<a href="${EVIL}"><b style="display:none"><i>evil.example/</i></b><i>www.paypal.com</i><b style="display:none"><i>/evil.example/</i></b></a>`,
  ],
  ['a hidden blank before a link', `<p>https://www.bank.co.uk<b style="display:none"> </b><a href="${EVIL}">/login</a></p>`],
  ['a hidden line before a link', `<p>https://www.bank.co.uk<b style="height:0;overflow:hidden"><br></b><a href="${EVIL}">/login</a></p>`],
  ['links in elements', `<p><b><a href="${EVIL}">bank</a></b><b><a href="${EVIL}">.com/login</a></b></p>`],
]

for (const [what, html] of DECEPTIVE)
  test(`X12 a deceptive link is warned of in both views: ${what}`, async ({ readerPage }) => {
    expect(await flagged(readerPage, html)).toEqual(['simple: mismatch', 'layout: mismatch'])
  })

const OVER = 'display:block;margin-top:-20px;height:20px;position:relative'
const PICTURE = '<img src="cid:logo">'

test('X12 a link without words, which a style may lay over others, opens nothing', async ({ readerPage }) => {
  const links = [
    `https://www.bank.com/login<a href="${EVIL}1" style="${OVER}">&nbsp;</a>`,
    `<a href="${EVIL}2" style="position:absolute;inset:0"></a>`,
    `<a href="${EVIL}3" style="${OVER};background:url(cid:none)"><b>&#8203;</b><br></a>`,
    `<a href="${EVIL}4"><span style="${OVER}"><hr></span></a>`,
    `<div style="${OVER}"><a href="${EVIL}5"><table><tr><td>&#847;&zwnj;</td></tr></table></a></div>`,
    `<a href="https://shop.example/6">${PICTURE}</a><a href="https://shop.example/7">→</a><a href="https://shop.example/8"><b>Buy</b></a>`,
    '<a href="https://shop.example/9"><input type="button" value="Buy"></a>',
  ]
  const opened = await readerPage.evaluate(html => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const { body } = sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
    return Array.from(body.querySelectorAll('a[href]'), link => link.getAttribute('href')?.slice(-1))
  }, links.join(''))
  expect(opened).toEqual(['6', '7', '8', '9'])
})

test('X12 a link with another host behind its own, which alone a style may draw, shows what it opens', async ({ readerPage }) => {
  const texts = ['evil.example/www.bank.com', 'https://evil.example/https://www.bank.com/login', 'evil.example?<b>www.bank.com</b>']
  const links = [...texts, 'https://www.evil.example/a', 'https://evil.example/#www', 'Sale'].map(
    text => `<p><a href="${EVIL}">${text}</a></p>`,
  )
  const marked = await readerPage.evaluate(html => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const { body } = sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
    return Array.from(body.querySelectorAll('p'), ({ textContent }) => textContent.includes('→\u00a0evil.example'))
  }, links.join(''))
  expect(marked).toEqual([true, true, true, false, false, false])
})

/** A key with the whole class for each text of a link was 240 GB. */
const MANY_TEXTS = `<a class="${'c'.repeat(4_000_000)}" href="${EVIL}">${' <br>'.repeat(60_000)}bank.com</a>`

test('X12 a link of many texts and a long class is judged', async ({ readerPage }) => {
  expect(await flagged(readerPage, MANY_TEXTS)).toEqual(['simple: mismatch', 'layout: mismatch'])
})

test('X12 what stands beside links is read once, however deep they are', async ({ readerPage }) => {
  const links = `<a href="${EVIL}">x</a>${'<i>.</i>'.repeat(20)}`.repeat(50)
  const steps = await readerPage.evaluate(
    html => {
      const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
      const { closest } = Element.prototype
      let steps = 0
      Object.assign(Element.prototype, {
        closest(this: Element, selector: string) {
          for (let around: Element | null = this; around; around = around.parentElement) steps++
          return closest.call(this, selector)
        },
      })
      sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
      return steps
    },
    `${'<span>'.repeat(300)}${links}`,
  )
  expect(steps, 'steps from elements to what is around them').toBeLessThan(10_000)
})

/** The simple view has no fields, sets the words of pictures apart and shows the link of an area behind its picture. */
const DRAWN: readonly (readonly [what: string, html: string])[] = [
  ['the value of a button', `<a href="${EVIL}"><input type="button" value="${BANK}"></a>`],
  ['the value of a field', `<a href="${EVIL}"><input value="${BANK}"></a>`],
  ['a hint', `<a href="${EVIL}"><textarea placeholder="${BANK}"></textarea></a>`],
  ['a choice', `<a href="${EVIL}"><select><option label="${BANK}">x</option></select></a>`],
  ['the text of a picture in front', `<img alt="https://www.bank.example"><a href="${EVIL}">/login</a>`],
  ['the end of a site as a picture', '<a href="https://bank.co/">www.bank.co<img src="cid:none" alt="m"></a>'],
]

for (const [what, html] of DRAWN)
  test(`X12 a link that only the original view draws as another's address is warned of there: ${what}`, async ({ readerPage }) => {
    expect(await flagged(readerPage, html)).toEqual(['layout: mismatch'])
  })

test("X12 a part of a picture is warned of if the picture's text is another address", async ({ readerPage }) => {
  const html = `<img usemap="#m" alt="${BANK}"><map name="m"><area coords="0,0,9,9" href="${EVIL}"></map>`
  expect(await flagged(readerPage, html)).toEqual(['layout: mismatch'])
})

test('X12 no part of a link is called something else', async ({ readerPage }) => {
  const html = `<a href="${EVIL}"><b title="${BANK}">Log</b> <i role="img" aria-label="${BANK}">in</i></a>`
  const shown = await readerPage.evaluate(source => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    return sanitizeMail(source, { view: 'layout', areImagesAllowed: false }).body.innerHTML
  }, html)
  expect(shown).toContain('Log')
  expect(shown).not.toContain('bank')
})

function flagged(page: Page, source: string) {
  return page.evaluate(html => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    return (['simple', 'layout'] as const).flatMap(view =>
      sanitizeMail(html, { view, areImagesAllowed: false }).flaggedLinks.map(({ flag }) => `${view}: ${flag}`),
    )
  }, source)
}
