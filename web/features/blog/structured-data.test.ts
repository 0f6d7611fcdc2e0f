import { expect, test } from 'vitest'
import { breadcrumbData, inlineJson } from './structured-data.tsx'

test('inline JSON cannot close or open a tag, and means the same', () => {
  const data = { name: '</script><!-- <script>', html: '<b>&amp;</b>' }
  expect(inlineJson(data)).not.toContain('<')
  expect(JSON.parse(inlineJson(data))).toEqual(data)
})

test('breadcrumb positions start with one', () => {
  const steps = [
    { name: 'Home', url: 'https://x.test/' },
    { name: 'Blog', url: 'https://x.test/blog' },
  ]
  expect(breadcrumbData(steps).itemListElement).toEqual([
    { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://x.test/' },
    { '@type': 'ListItem', position: 2, name: 'Blog', item: 'https://x.test/blog' },
  ])
})
