import * as lucide from 'lucide-react'
import { createElement, type ElementType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'
import * as lazyIcons from './lazy-icons.tsx'

const lucideByName: Record<string, unknown> = lucide
const renderShapes = (icon: ElementType) => renderToStaticMarkup(createElement(icon)).replace(/^<svg[^>]*>/, '')
/** A new path begins at the same point as a new subpath with an absolute `M`. */
const joinPaths = (shapes: string) => shapes.replaceAll('"></path><path d="m', '"></path><path d="M').replaceAll('"></path><path d="', '')

test.each(Object.entries({ ...icons, ...lazyIcons }))('%s matches the original of Lucide, its paths joined', (name, icon) => {
  expect(renderShapes(icon)).toBe(joinPaths(renderShapes(lucideByName[name] as ElementType)))
})
