/**
 * Writes web/components/ui/icons.tsx with the Lucide icons that the site uses, because the whole package has 51 MB. To add one, import it
 * here and run `npm run icons`.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  ArrowLeft,
  BadgeCheck,
  Bell,
  BellOff,
  BellRing,
  Calendar,
  Check,
  ChevronDown,
  ChevronRight,
  CircleHelp,
  Code,
  Copy,
  Download,
  ExternalLink,
  Eye,
  EyeOff,
  File,
  FileArchive,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  Flame,
  ImageOff,
  Keyboard,
  Link2Off,
  type LucideIcon,
  Paperclip,
  Plus,
  Printer,
  QrCode,
  RefreshCw,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

const ICONS = {
  ArrowLeft,
  BadgeCheck,
  Bell,
  BellOff,
  BellRing,
  Calendar,
  Check,
  ChevronDown,
  ChevronRight,
  CircleHelp,
  Code,
  Copy,
  Download,
  ExternalLink,
  Eye,
  EyeOff,
  File,
  FileArchive,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  Flame,
  ImageOff,
  Keyboard,
  Link2Off,
  Paperclip,
  Plus,
  Printer,
  QrCode,
  RefreshCw,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  TriangleAlert,
  X,
}

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'web/components/ui/icons.tsx')
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/lucide-react/package.json'), 'utf8'))

/** The elements inside the `<svg>` as JSX: attribute names are the same in both. */
function renderShapes(icon: LucideIcon): string {
  const [, shapes = ''] = /^<svg[^>]*>(.*)<\/svg>$/.exec(renderToStaticMarkup(createElement(icon))) ?? []
  const elements = shapes.replaceAll(/><\/\w+>/g, ' />')
  return elements.indexOf('<', 1) === -1 ? elements : `<>${elements}</>`
}

const lines = Object.entries(ICONS).map(([name, icon]) => `export const ${name} = icon(${renderShapes(icon)})`)
writeFileSync(
  target,
  `/** @license Icons of Lucide ${version}, ISC, some from Feather, MIT: icons.LICENSE. Written by scripts/icons.ts. */
import type { ComponentProps, ReactNode } from 'react'

export type Icon = (props: ComponentProps<'svg'>) => ReactNode

function icon(shapes: ReactNode): Icon {
  return props => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      {shapes}
    </svg>
  )
}

${lines.join('\n')}
`,
)
copyFileSync(join(root, 'node_modules/lucide-react/LICENSE'), join(root, 'web/components/ui/icons.LICENSE'))
execFileSync(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', target], { stdio: 'inherit' })
