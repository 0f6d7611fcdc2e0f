import { expect, test } from 'vitest'
import examples from '../../test/fixtures/links/examples.json' with { type: 'json' }
import { findConfirmationLinks } from './confirmation-links.ts'

test.each(examples.map(({ name, links, ...source }, at) => ({ title: `${name} (${at})`, source, links })))(
  '$title',
  ({ source, links }) => {
    expect(findConfirmationLinks(source)).toEqual(links)
  },
)

const link = (href: string, label: string) => `<p><a class="b" href="${href}">${label}</a></p>`

test('a label is cut at 80 characters, and the same target counts once', () => {
  const html = link('https://a.example/c?t=8f2k1', `Confirm ${'x'.repeat(200)}`).repeat(3)
  const found = findConfirmationLinks({ html })
  expect(found).toHaveLength(1)
  expect(found[0]?.label).toHaveLength(80)
})

const MEGABYTE = 1_000_000
/** As in codes.test.ts: the time limit of the test is what a slow search would meet. */
test.each(['<a ', '<a href="', '<a href=https://a.example/confirm>', '<', 'https://a.example/confirm ', "<a href='x'>y</a>", 'confirm '])(
  'a megabyte of %j is handled in time',
  unit => {
    const mail = unit.repeat(MEGABYTE / unit.length)
    expect(findConfirmationLinks({ html: mail, text: mail }).length).toBeLessThanOrEqual(3)
  },
)
