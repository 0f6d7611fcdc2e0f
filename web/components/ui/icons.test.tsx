import * as lucide from 'lucide-react'
import { createElement, type ElementType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.ts'
import * as lazyIcons from './lazy-icons.ts'

const lucideByName: Record<string, unknown> = lucide
const renderShapes = (icon: ElementType) => renderToStaticMarkup(createElement(icon)).replaceAll(/<\/?svg[^>]*>/g, '')
/** A path that begins with an absolute `M` is drawn the same as a part of another; a relative one would begin at another point. */
const joinPaths = (shapes: string) => shapes.replaceAll('"></path><path d="M', 'M').replaceAll(/><\/\w+>/g, '/>')

test.each(Object.entries({ ...icons, ...lazyIcons }))('%s matches the original of Lucide, its paths joined', (name, icon) => {
  expect(renderShapes(icon)).toBe(joinPaths(renderShapes(lucideByName[name] as ElementType)))
})
