/** The pictures of a mail: its own at once, remote ones when the reader asks, and nothing else ever. */

import { STRANGERS_HOST } from '../harness/chromium.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { aim, packMails, vectors } from './reader/attack-vectors.ts'
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

test('X05 after consent images load and nothing else: no style, font, film, frame or prefetch, and no referrer', async ({
  page,
  noise,
  sendMail,
}) => {
  await using sink = await openSink()
  // An address without a scheme is asked for by HTTPS, which the sink does not speak.
  noise.allow(/ERR_SSL_PROTOCOL_ERROR \(https:\/\/leak\.test/)
  const to = await openHome(page)
  // A public name for the sink: what is on the reader's own network never loads.
  const aimed = vectors.filter(({ id }) => /^X(?:04|08|13|15)/.test(id)).map(vector => aim(vector, `${STRANGERS_HOST}:${sink.port}`))
  const mails = await packMails(page, aimed)
  for (const [at, html] of mails.entries()) await sendMail({ to, subject: `Consent ${at}.`, html })
  await expect(page.locator('[data-message]')).toHaveCount(mails.length)
  const kinds = new Map<string, string>()
  page.on('request', request => {
    if (request.url().startsWith(`http://${STRANGERS_HOST}:${sink.port}/`))
      kinds.set(new URL(request.url()).pathname, request.resourceType())
  })
  for (let at = 0; at < mails.length; at++) {
    const dialog = await openMail(page, `Consent ${at}.`)
    await showTab(page, 'Original')
    const show = dialog.getByRole('button', { name: 'Show images' })
    // Mails without any image have nothing to ask for.
    if ((await show.count()) > 0) {
      await show.click()
      await expect(dialog.getByTestId('blocked')).toContainText('shown')
      await settleNetwork(page)
      await expect.poll(() => inFrame(page, mail => Array.from(mail.images).every(image => image.complete), undefined)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await settleNetwork(page)
  // An image, a set of sizes, a background in a style, in a sheet and in an attribute.
  for (const id of ['X04-86', 'X04-87', 'X04-36', 'X04-37', 'X04-93']) expect(sink.paths()).toContain(`/${id}`)
  expect([...new Set(kinds.values())]).toEqual(['image'])
  expect([...kinds.keys()].sort()).toEqual(sink.paths())
  // Other images than those a mail shows: posters, icons, cursors, masks, a set to choose from, another document.
  for (const id of [88, 89, 90, 91, 92, 95, 97, 105, 114, 115, 116, 117, 118, 121, 122, 124, 125, 128, 139])
    expect(sink.paths()).not.toContain(`/X04-${id}`)
  expect(sink.heard.filter(({ referer, cookie }) => referer !== undefined || cookie !== undefined).map(({ path }) => path)).toEqual([])
})

test('X05 consent is for one mail, and the next asks again', { tag: '@long' }, async ({ page, sendMail }) => {
  await using sink = await openSink()
  const to = await openHome(page)
  for (const name of ['first', 'second'])
    await sendMail({
      from: `${name}@${name}.test`,
      to,
      subject: name,
      html: `<p>${name}</p><img src="http://${STRANGERS_HOST}:${sink.port}/${name}">`,
    })
  const dialog = await openMail(page, 'first')
  await showTab(page, 'Original')
  await dialog.getByRole('button', { name: 'Show images' }).click()
  await expect.poll(sink.paths).toEqual(['/first'])
  await page.keyboard.press('Escape')
  for (const subject of ['second', 'first']) {
    await openMail(page, subject)
    await expectFrameText(page, subject)
    await expect(dialog.getByTestId('blocked')).toHaveText('Blocked: 1 remote image')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await settleNetwork(page)
  expect(sink.heard.map(({ path }) => path)).toEqual(['/first'])
})

test('X06 our server fetches no image, and the browser none from the reader’s own network', async ({ page, sendMail }) => {
  await using sink = await openSink()
  const to = await openHome(page)
  const near = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'printer.local',
    'router',
    '192.168.1.1',
    '169.254.169.254',
  ]
  const html = `${near.map((host, at) => `<img src="http://${host}:${sink.port}/near-${at}"><p style="background:url(http://${host}:${sink.port}/back-${at})">x</p>`).join('')}
    <img src="gopher://${STRANGERS_HOST}:${sink.port}/gopher"><img src="file:///etc/passwd"><img src="http://${STRANGERS_HOST}:${sink.port}/far">`
  const requested: string[] = []
  page.on('request', request => requested.push(request.url()))
  await sendMail({ to, subject: 'Near', html })
  const dialog = await openMail(page, 'Near')
  await showTab(page, 'Original')
  await expect(dialog.getByTestId('blocked')).toHaveText('Blocked: 1 remote image')
  expect(sink.connections()).toBe(0)
  await dialog.getByRole('button', { name: 'Show images' }).click()
  await expect.poll(sink.paths).toEqual(['/far'])
  await settleNetwork(page)
  expect(sink.paths()).toEqual(['/far'])
  const browsers = await page.evaluate(() => navigator.userAgent)
  expect(sink.heard.every(({ agent }) => agent === browsers)).toBe(true)
  expect(requested.filter(url => /near-|back-|gopher|passwd/.test(url))).toEqual([])
})

test('after consent an invisible image is not requested and keeps its place', { tag: '@long' }, async ({ page, sendMail }) => {
  await using sink = await openSink()
  const url = (name: string) => `http://${STRANGERS_HOST}:${sink.port}/${name}`
  const hidden = {
    parent: `<div style="display:none"><img src="${url('parent')}" width="50" height="50"></div>`,
    faint: `<div style="opacity:0"><img src="${url('faint')}" width="50" height="50"></div>`,
    box: `<div style="width:1px;height:1px;overflow:hidden"><img src="${url('box')}" width="50" height="50"></div>`,
    clip: `<img src="${url('clip')}" width="50" height="50" style="position:absolute;clip:rect(0,0,0,0)">`,
    inset: `<div style="clip-path:inset(100%)"><img src="${url('inset')}" width="50" height="50"></div>`,
    faded: `<div style="filter:opacity(1%)"><div style="opacity:.5"><img src="${url('faded')}" width="50" height="50"></div></div>`,
    circle: `<div style="clip-path:circle(0)"><img src="${url('circle')}" width="50" height="50"></div>`,
    mask: `<div style="mask-image:linear-gradient(transparent,transparent)"><img src="${url('mask')}" width="50" height="50"></div>`,
    moved: `<img src="${url('moved')}" width="50" height="50" style="object-fit:none;object-position:-9999px 0">`,
    away: `<img src="${url('away')}" width="50" height="50" style="position:absolute;left:-9999px">`,
    narrow: `<img src="${url('narrow')}" style="max-width:1px">`,
    sheet: `<style>.t{width:1px;height:1px}</style><img class="t" src="${url('sheet')}">`,
  }
  const seen = `<img src="${url('seen')}" width="60" height="40"><img src="${url('unsized')}"><img src="${url('whole')}" style="width:100%">`
  const spacer = `<div id="spacer" style="background:#eee"><img src="${url('spacer')}" width="300" height="1" style="display:block"></div>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Hidden', html: `<p>Hello</p>${Object.values(hidden).join('')}${seen}${spacer}` })
  const dialog = await openMail(page, 'Hidden')
  await showTab(page, 'Original')
  await dialog.getByRole('button', { name: 'Show images' }).click()
  await expect(dialog.getByTestId('blocked')).toContainText(`${Object.keys(hidden).length + 1} tracking pixels stay blocked`)
  await expect(dialog.getByTestId('blocked')).toContainText('3 remote images are shown')
  await settleNetwork(page)
  expect(sink.paths().sort()).toEqual(['/seen', '/unsized', '/whole'])
  expect(await inFrame(page, mail => mail.querySelector('#spacer')?.getBoundingClientRect().height, undefined)).toBe(1)
})

test('after consent a background picture is requested only if it is visible', { tag: '@long' }, async ({ page, sendMail }) => {
  await using sink = await openSink()
  const url = (name: string) => `http://${STRANGERS_HOST}:${sink.port}/${name}`
  const rules = `.sheet{background:url(${url('sheet')}) #eee} .drawn::before{content:"";display:block;height:30px;background:url(${url('drawn')})}
    .tiny::after{content:"";display:block;width:1px;height:1px;background:url(${url('tiny')})} .nothing{background:url(${url('unused')})}
    @media (min-width:9000px){.sheet{background:url(${url('wide')})}}`
  const hidden = `<div style="width:1px;height:1px;background:url(${url('small')})"></div><div style="display:none;background:url(${url('none')})">x</div>
    <div style="position:absolute;left:-9999px;background:url(${url('away')})">x</div><div style="overflow:hidden;height:0"><p style="background:url(${url('clip')})">x</p></div>
    <p style="background:url(${url('point')}) no-repeat;background-size:1px 1px">x</p><p class="tiny">x</p>`
  const seen = `<div class="sheet">a</div><p class="drawn">b</p><p style="background:linear-gradient(red,blue),url(${url('under')})">c</p>
    <p style="background-image:url(${url('pattern')});background-size:2px 2px">d</p><table><tr><td background="${url('cell')}">e</td></tr></table>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Behind words', html: `<style>${rules}</style>${seen}${hidden}` })
  const dialog = await openMail(page, 'Behind words')
  await showTab(page, 'Original')
  await expect(dialog.getByTestId('blocked')).toContainText('13 remote images')
  await dialog.getByRole('button', { name: 'Show images' }).click()
  await expect(dialog.getByTestId('blocked')).toContainText('5 remote images are shown')
  await expect(dialog.getByTestId('blocked')).toContainText('6 tracking pixels stay blocked')
  await expect.poll(() => sink.paths().sort()).toEqual(['/cell', '/drawn', '/pattern', '/sheet', '/under'])
  await settleNetwork(page)
  expect(sink.paths().sort()).toEqual(['/cell', '/drawn', '/pattern', '/sheet', '/under'])
  expect(sink.heard.every(({ referer }) => referer === undefined)).toBe(true)
})

test('links on parts of a picture work in both views, show where they lead, and are judged', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const red = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64')
  const areas =
    '<area shape="rect" coords="0,0,50,100" href="https://a.example/left" alt="left"><area shape="rect" coords="50,0,100,100" href="javascript:alert(1)">' +
    '<area shape="rect" coords="50,50,100,100" href="https://elsewhere.example/x" alt="https://bank.example.net/">'
  const html = `<img src="cid:red@mail.test" width="100" height="100" usemap="#m"><map name="m">${areas}</map><p name="body">text</p>`
  await sendMail({ to, subject: 'Map', html, attachments: [{ filename: 'red.png', content: red, cid: 'red@mail.test' }] })
  await openMail(page, 'Map')
  await showTab(page, 'Original')
  await expectFrameText(page, 'text')
  const found = await inFrame(
    page,
    mail => ({
      marks: Array.from(mail.querySelectorAll('img + span'), mark => mark.textContent),
      links: Array.from(mail.querySelectorAll('area'), area => [area.getAttribute('href'), area.target, area.rel]),
      named: mail.querySelectorAll('body [name]').length,
      usemap: mail.querySelector('img')?.getAttribute('usemap'),
    }),
    undefined,
  )
  expect(found).toEqual({
    marks: ['→\u00a0elsewhere.example'],
    links: [
      ['https://a.example/left', '_blank', 'noopener noreferrer nofollow'],
      [null, '', ''],
      ['https://elsewhere.example/x', '_blank', 'noopener noreferrer nofollow'],
    ],
    named: 1,
    usemap: '#m',
  })
  const { x, y } = await pointInFrame(page, 'img')
  await page.mouse.move(x - 20, y - 20)
  await expect(page.getByTestId('target')).toContainText('https://a.example/left')
  await showTab(page, 'Simple')
  await expectFrameText(page, 'left https://bank.example.net/')
  const links = await inFrame(
    page,
    mail => Array.from(mail.querySelectorAll('a'), link => [link.textContent, link.getAttribute('href')]),
    undefined,
  )
  expect(links).toEqual([
    ['left', 'https://a.example/left'],
    ['https://bank.example.net/', 'https://elsewhere.example/x'],
  ])
  await expectFrameText(page, '→\u00a0elsewhere.example')
})

const remote = (images: number, pixels: number) =>
  '<img src="https://images.example/a.png" width="300">'.repeat(images) +
  '<img src="https://images.example/p.gif" width="1" height="1">'.repeat(pixels)

for (const [language, tab, counts] of [
  [
    'en',
    'Original',
    ['Blocked: 3 remote images, 1 tracking pixel', 'Blocked: 1 remote image, 2 tracking pixels', 'Blocked: 1 tracking pixel'],
  ],
  [
    'es',
    'Original',
    [
      'Bloqueado: 3 imágenes remotas, 1 píxel de rastreo',
      'Bloqueado: 1 imagen remota, 2 píxeles de rastreo',
      'Bloqueado: 1 píxel de rastreo',
    ],
  ],
] as const) {
  test(`blocked content is counted (${language})`, quickInEnglish(language), async ({ page, sendMail }) => {
    const to = await openHome(page, language)
    for (const [at, [images, pixels]] of (
      [
        [3, 1],
        [1, 2],
        [0, 1],
      ] as const
    ).entries()) {
      await sendMail({ to, subject: `Count ${at}`, html: `<p>Hello</p>${remote(images, pixels)}` })
      await page
        .locator('[data-message]')
        .filter({ hasText: `Count ${at}` })
        .getByRole('button')
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('tab', { name: tab }).click()
      await expect(dialog.getByTestId('blocked')).toHaveText(counts[at] ?? '')
      // Tracking pixels are never shown, so alone they leave nothing to ask for.
      await expect(dialog.getByRole('button', { name: /Show images|Mostrar imágenes/ })).toHaveCount(images > 0 ? 1 : 0)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  })
}

test('images carried by the mail are shown as backgrounds too, in styles, sheets and attributes', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const red = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64')
  const html = `<style>.sheet{background:url(cid:red@mail.test)} body{background-image:url("cid:red@mail.test")}</style>
    <div id="inline" style="background:#fff url('cid:red@mail.test') repeat">in a style</div><div id="sheet" class="sheet">in a sheet</div>
    <table><tr><td id="attribute" background="cid:red@mail.test">in an attribute</td></tr></table>
    <div id="over" style="background-image:linear-gradient(rgba(0,0,0,.1),rgba(0,0,0,.2)),url(cid:red@mail.test)">under a gradient</div>
    <div id="none" style="background-image:url(cid:missing)">missing</div>`
  await sendMail({ to, subject: 'Backgrounds', html, attachments: [{ filename: 'red.png', content: red, cid: 'red@mail.test' }] })
  await openMail(page, 'Backgrounds')
  await showTab(page, 'Original')
  const shown = () =>
    inFrame(
      page,
      mail =>
        ['#inline', '#sheet', '#attribute', '#over', 'body', '#none'].map(selector => {
          const element = mail.querySelector(selector)
          return element !== null && getComputedStyle(element).backgroundImage.includes('url("data:image/png;base64,')
        }),
      undefined,
    )
  await expect.poll(shown).toEqual([true, true, true, true, true, false])
  const written = await inFrame(page, mail => Array.from(mail.querySelectorAll('style'), sheet => sheet.textContent).join(''), undefined)
  expect(written.match(/data:image/g), 'a picture is written once, however often the mail shows it').toHaveLength(1)
})

test('a small file that unpacks to gigabytes is no picture of a mail, neither attached nor written into it', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const picture = (side: number) => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64')
    png.writeUInt32BE(side, 16)
    png.writeUInt32BE(side, 20)
    return png
  }
  const sides = [20_000, 1]
  const html = sides.map(side => `<img src="data:image/png;base64,${picture(side).toString('base64')}"><img src="cid:${side}@mail.test">`)
  const attachments = sides.map(side => ({ filename: `${side}.png`, content: picture(side), cid: `${side}@mail.test` }))
  await sendMail({ to, subject: 'Unpacked', html: html.join(''), attachments })
  await openMail(page, 'Unpacked')
  await showTab(page, 'Original')
  const shown = () => inFrame(page, mail => Array.from(mail.querySelectorAll('img'), image => image.hasAttribute('src')), undefined)
  await expect.poll(shown).toEqual([false, false, true, true])
  const files = page.getByRole('dialog').getByRole('button', { name: /^Download / })
  await expect(files, 'what is not drawn can be saved').toHaveAccessibleName(/20000\.png/)
})
