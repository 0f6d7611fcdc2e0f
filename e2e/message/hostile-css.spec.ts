/**
 * CSS generated from its grammar (test/generators/hostile-css.ts) against each layer of the reader alone, before and after the reader
 * allows pictures. The sandbox does not block loads, so it is not tested here.
 */
import { expect } from '@playwright/test'
import fc from 'fast-check'
import { HOSTILE_HOST, hostileProperty, hostileValue } from '#test/generators/hostile-css.ts'
import { STRANGERS_HOST } from '../harness/chromium.ts'
import type { Vector } from './reader/attack-vectors.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { NOTHING, layersTest as test, WITHOUT_LAYERS } from './reader/reader-layers.ts'

/** Generated CSS in style attributes, and in a separate sheet for each mail. */
function hostileSheets(): Vector[] {
  const pairs = fc.sample(fc.tuple(hostileProperty, hostileValue), { numRuns: 400, seed: 7 })
  return Array.from({ length: 10 }, (_, at) => {
    const boxes = pairs.slice(at * 40, at * 40 + 40).map(([property, value]) => {
      const using = property === '--a' ? ';background-image:var(--a);list-style-image:var(--a);content:var(--a)' : ''
      return `<div style="${`${property}:${value}${using}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</div>`
    })
    const rules = pairs.slice(at * 40, at * 40 + 4).map(([property, value]) => `p { ${property}: ${value} } p { background: var(--a) }`)
    const known = `--a: none /*"*/, url(http://${HOSTILE_HOST}/tokens) /*"*/; background-image: var(--a)`
    return { id: `css-${at}`, html: `<style>${rules.join('\n')}</style><p style='${known}'>y</p>${boxes.join('')}` }
  })
}

test('generated hostile CSS: the sanitiser alone blocks everything before consent, and after it all but counted pictures without a referrer', async ({
  page,
  referers,
  show,
}) => {
  const mails = hostileSheets()
  const alive = await show(mails, WITHOUT_LAYERS, STRANGERS_HOST)
  expect(alive.requests).toContain('tokens')
  expect(alive.requests.length).toBeGreaterThan(5)
  for (const view of ['simple', 'layout'] as const)
    expect(await show(mails, { ...WITHOUT_LAYERS, sanitiser: view }, STRANGERS_HOST)).toEqual(NOTHING)
  const shown = await show(mails, { ...WITHOUT_LAYERS, sanitiser: 'layout', areImagesAllowed: true }, STRANGERS_HOST)
  expect(shown.requests).not.toContain('tokens')
  expect(shown.requests.length).toBeGreaterThan(0)
  expect(referers).toEqual([])
  const counted = await page.evaluate(countPictures, mails)
  expect(shown.requests.filter(path => !counted.includes(path))).toEqual([])
})

test('generated hostile CSS: the policy alone blocks everything before consent, and after it all but pictures', async ({ show }) => {
  const font = `<style>@font-face{font-family:leak;src:url(http://${HOSTILE_HOST}/font)} p{font-family:leak}</style><style>@import url(http://${HOSTILE_HOST}/sheet)</style>`
  const mails = hostileSheets().map(({ id, html }) => ({ id, html: font + html }))
  expect((await show(mails, WITHOUT_LAYERS, STRANGERS_HOST)).requests).toEqual(expect.arrayContaining(['font', 'sheet']))
  expect(await show(mails, { ...WITHOUT_LAYERS, hasPolicy: true }, STRANGERS_HOST)).toEqual(NOTHING)
  const shown = await show(mails, { ...WITHOUT_LAYERS, hasPolicy: 'images' }, STRANGERS_HOST)
  expect(shown.requests.length).toBeGreaterThan(0)
  expect(shown.requests).not.toEqual(expect.arrayContaining(['font']))
  expect(shown.requests).not.toEqual(expect.arrayContaining(['sheet']))
})

/** Each mail says in the name of a variable, with escapes, what a declaration may not say. */
const smuggled = (css: string) => css.replace(/[^\w-]/g, char => `\\${char}`)
const SMUGGLERS = Object.entries({
  attribute: (css: string) => `<p style="${smuggled(`--x:1;${css};--y`)}: 1">x</p>`,
  rule: (css: string) => `<style>p { ${smuggled(`--x:1;${css};--y`)}: 1 }</style><p>x</p>`,
  closed: (css: string) => `<style>q { ${smuggled(`--x:1}p{${css};--y`)}: 1 }</style><p>x</p>`,
  media: (css: string) => `<style>@media screen { p { ${smuggled(`--x:1;${css};--y`)}: 1 } }</style><p>x</p>`,
  nested: (css: string) => `<style>body { & p { ${smuggled(`--x:1;${css};--y`)}: 1 } }</style><p>x</p>`,
  typed: (css: string) =>
    `<style>@property ${smuggled(`--x{}p{${css}}@property --y`)} { syntax: "*"; inherits: false; initial-value: 1 }</style><p>x</p>`,
  layer: (css: string) => `<style>@layer ${smuggled(`x;p{${css}}`)} { p { color: red } }</style><p>x</p>`,
})

test('the escaped name of a variable carries no other declaration into the frame', async ({ show, page }) => {
  const mails = SMUGGLERS.map(([id, mailOf]) => ({ id, html: mailOf(`background:url(http://${HOSTILE_HOST}/${id})`) }))
  expect(await show(mails, { ...WITHOUT_LAYERS, sanitiser: 'layout', areImagesAllowed: true }, STRANGERS_HOST)).toEqual(NOTHING)
  const fixed = SMUGGLERS.map(([, mailOf]) => mailOf('position:fixed;content:smuggled'))
  const written = await page.evaluate(htmls => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    return htmls.map(html => {
      const { body, css } = sanitizeMail(html, { view: 'layout', areImagesAllowed: true })
      return css + body.innerHTML
    })
  }, fixed)
  expect(written.filter(html => html.includes('smuggled'))).toEqual([])
})

/** Runs in the page: the last part of each URL that the sanitiser lets through as a picture, in mails whose count of pictures is right. */
function countPictures(mails: readonly { html: string }[]): string[] {
  const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
  return mails.flatMap(({ html }) => {
    const { backgrounds, remote } = sanitizeMail(html, { view: 'layout', areImagesAllowed: true })
    const urls = backgrounds.flatMap(
      ({ value }) => /^url\("http:\/\/[^/]*\/([^"]*)"(?: referrer-policy\(no-referrer\))?\)$/.exec(value)?.slice(1) ?? [],
    )
    return urls.length === remote.images ? urls : []
  })
}
