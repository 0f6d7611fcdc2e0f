/** Drawings that are SVG files. What `<use>` takes from another file stands in its place here, since that would be a request. */
import type { ComponentProps, ReactNode } from 'react'
import { Drawing } from './drawing.tsx'
import mayflyFile from './mayfly.svg?raw'
import bodyFile from './mayfly-body.svg?raw'
import reedsFile from './reeds.svg?raw'

type Picture = (props: { className?: string | undefined; label?: string | undefined }) => ReactNode
type Parts = Readonly<Record<string, string>>

/** The markup inside the `<svg>` of a file. `parts`: that of the files it uses. */
export function shapesOf(file: string, parts: Parts = {}): string {
  const shapes = file.slice(file.indexOf('>') + 1, file.lastIndexOf('<'))
  return shapes.replaceAll(/<use href="([^"]+)" \/>/g, (_, name: string) => parts[name] ?? '')
}

export function picture(file: string, parts?: Parts): Picture {
  const [, viewBox, strokeWidth] = /viewBox="([^"]+)".* stroke-width="([^"]+)"/.exec(file) ?? []
  const shapes = shapesOf(file, parts)
  const frame = { viewBox, strokeWidth: Number(strokeWidth) } as ComponentProps<typeof Drawing>
  return props => (
    <Drawing {...frame} {...props}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours */}
      <g dangerouslySetInnerHTML={{ __html: shapes }} />
    </Drawing>
  )
}

export const MAYFLY_BODY = shapesOf(bodyFile)
/**
 * The insect itself, facing left, its feet on y = 30. Origin: the middle of the thorax. About 190 × 135 units. `--wings` is the colour that
 * its wings have like gauze in front of something.
 */
export const MAYFLY = shapesOf(mayflyFile, { 'mayfly-body.svg': MAYFLY_BODY })

/** Reeds that stand in the water at its near shore. */
export const Reeds = picture(reedsFile)
