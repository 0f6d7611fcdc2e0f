import * as lucide from 'lucide-react'
import { createElement, type ElementType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'
import * as lazyIcons from './lazy-icons.tsx'

const lucideByName: Record<string, unknown> = lucide
const renderShapes = (icon: ElementType) => renderToStaticMarkup(createElement(icon)).replace(/^<svg[^>]*>/, '')

test.each(Object.entries({ ...icons, ...lazyIcons }))('%s matches the original of Lucide', (name, icon) => {
  expect(renderShapes(icon)).toBe(renderShapes(lucideByName[name] as ElementType))
})
