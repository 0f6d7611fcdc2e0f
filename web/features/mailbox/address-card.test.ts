import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddressText } from './address-card.tsx'

test.each([false, true])('an address tells its style how many characters must fit on the line (dissolving: %s)', isDissolving => {
  const email = 'label.require.mjnzs9@mayfly.test'
  const html = renderToStaticMarkup(createElement(AddressText, { email, isDissolving }))
  expect(html).toMatch(/^<span style="--chars:32" class="one-line block">/)
  expect(html.replace(/<[^>]*>/g, '')).toBe(email)
})
