/**
 * Writes web/components/ui/icons.ts with the Lucide icons that the site uses, because the whole package has 51 MB. To add one, import it
 * here and run `npm run lab -- icons`.
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
  ImageOff,
  Keyboard,
  type LucideIcon,
  Mail,
  Paperclip,
  Plus,
  Printer,
  QrCode,
  RefreshCw,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  TriangleAlert,
  Volume2,
  VolumeX,
  X,
} from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** What `/` may show before anything is pressed: in its first file. */
const FIRST_ICONS = {
  Bell,
  BellOff,
  BellRing,
  Check,
  ChevronDown,
  Copy,
  Keyboard,
  Plus,
  QrCode,
  RefreshCw,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  Volume2,
  VolumeX,
}

/** What other pages and the reader show. */
const LAZY_ICONS = {
  ArrowLeft,
  BadgeCheck,
  Calendar,
  ChevronRight,
  CircleHelp,
  Code,
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
  ImageOff,
  Mail,
  Paperclip,
  Printer,
  TriangleAlert,
  X,
}

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'web/components/ui')
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/lucide-react/package.json'), 'utf8'))

/** The markup inside the `<svg>`. A path that begins at an absolute point becomes a part of the one before: smaller and drawn the same. */
function renderShapes(icon: LucideIcon): string {
  const [, shapes = ''] = /^<svg[^>]*>(.*)<\/svg>$/.exec(renderToStaticMarkup(createElement(icon))) ?? []
  return shapes.replaceAll('"></path><path d="M', 'M').replaceAll(/><\/\w+>/g, '/>')
}

function writeIcons(name: string, icons: Record<string, LucideIcon>): string {
  const lines = Object.entries(icons).map(([icon, source]) => `export const ${icon} = icon('${renderShapes(source)}')`)
  const target = join(folder, name)
  writeFileSync(
    target,
    `/** @license Icons of Lucide ${version}, ISC, some from Feather, MIT: icons.LICENSE. Written by lab/pictures/icons.ts. */
import { icon } from './icon.tsx'

${lines.join('\n')}
`,
  )
  return target
}

const targets = [writeIcons('icons.ts', FIRST_ICONS), writeIcons('lazy-icons.ts', LAZY_ICONS)]
copyFileSync(join(root, 'node_modules/lucide-react/LICENSE'), join(folder, 'icons.LICENSE'))
execFileSync(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', ...targets], { stdio: 'inherit' })
