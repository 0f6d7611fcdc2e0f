/** Checks the content of a message: what mail programs lack, images, headers of bulk mail. Requests nothing: the site imports it too. */
import type { Message } from '../contract/mailbox.ts'
import type { Link } from './links-and-codes.ts'
import features from './mail-features.json' with { type: 'json' }

const TARGETS_MAX = 200
/** Gmail shows less of a longer message: its "[Message clipped]". */
const GMAIL_HTML_BYTES_MAX = 102_000
/** Takes five seconds at 1.6 Mbit/s, which Lighthouse calls slow 4G. */
const IMAGES_BYTES_MAX = 1_000_000

/** `status` of the last response; without one, `error` says why. `redirects`: the addresses it was sent on to, in their order. */
export type CheckedLink = Link & {
  readonly status?: number | undefined
  readonly redirects: readonly string[]
  readonly error?: string | undefined
}
/** `bytes` of an image of the message, or as its server states them. */
export type CheckedImage = Omit<CheckedLink, 'text'> & { readonly bytes?: number | undefined; readonly hasAlt: boolean }
/** `feature` as in `display:grid`, `gap:` (a property), `clamp()`, `@media`, `:hover`, `1vw` (a unit), `<video>`, `[role]`, `.webp`. */
export type UnsupportedFeature = { readonly feature: string; readonly programs: readonly string[] }
export type ProblemKind =
  | 'link_broken'
  | 'image_broken'
  | 'image_without_alt'
  | 'images_heavy'
  | 'html_clipped'
  | 'text_missing'
  | 'list_unsubscribe_missing'
  | 'dark_mode_unstated'
export type Problem =
  | { readonly kind: ProblemKind; readonly detail: string; readonly rule?: undefined; readonly remedy?: undefined }
  | Readonly<Message['warnings'][number]>
export type CheckedMessage = {
  readonly links: readonly CheckedLink[]
  readonly images: readonly CheckedImage[]
  /** Features that at least one program lacks; what most lack first. Most mail uses some and degrades well, so these are no problems. */
  readonly unsupported: readonly UnsupportedFeature[]
  /** Findings that break a rule of mail have the `rule` and the `remedy`. */
  readonly problems: readonly Problem[]
}

type Content = Pick<Message, 'html' | 'text' | 'headers' | 'allLinks' | 'warnings'> & {
  readonly attachments: readonly Message['attachments'][number][]
}

/** `links` and `images`: with what their servers responded; by default nothing is known of them. */
export function checkContent(content: Content, links = listWebLinks(content), images = listImages(content)): CheckedMessage {
  return { links, images, unsupported: findUnsupported(content.html ?? ''), problems: findProblems(content, links, images) }
}

export function listWebLinks({ allLinks }: Pick<Content, 'allLinks'>): CheckedLink[] {
  const links = allLinks.filter(({ url }) => /^https?:/i.test(url))
  return links.slice(0, TARGETS_MAX).map(link => ({ ...link, redirects: [] }))
}

export const isHeadRefused = (status: number) => status === 405 || status === 501

/** Bounded, so that no tag of a strange mail is searched again and again. */
const IMAGE = /<img\b[^<>]{0,10000}>/gi

export function listImages({ html = '', attachments }: Content): CheckedImage[] {
  const ofMessage = attachments.filter(({ contentType }) => contentType.startsWith('image/'))
  const found = [...html.matchAll(IMAGE)].slice(0, TARGETS_MAX).flatMap(([tag]): CheckedImage[] => {
    const url = /\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const image = { url, redirects: [], hasAlt: /\salt\s*=/i.test(tag) }
    if (url.startsWith('data:')) return [{ ...image, url: `${url.slice(0, 40)}…`, bytes: Math.floor((url.length * 3) / 4) }]
    const part = ofMessage.find(({ references }) => references?.includes(url))
    if (part) return [{ ...image, bytes: part.size }]
    return [/^https?:/i.test(url) ? image : { ...image, error: 'the message has no such part' }]
  })
  return [...new Map(found.map(image => [image.url, image])).values()]
}

function findUnsupported(html: string): UnsupportedFeature[] {
  const sheets = [...html.matchAll(/<style\b[^<>]*>([^<]*)/gi)].map(([, sheet = '']) => sheet)
  const attributes = [...html.matchAll(/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) => double ?? single ?? '')
  const css = [...sheets, ...attributes].join(';\n').replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
  return Object.entries(features.lacking)
    .flatMap(([mask, names]) => names.split(',').map(feature => [feature, mask] as const))
    .filter(([feature]) => patternFor(feature).test(/^[<[.]/.test(feature) ? html : css))
    .map(([feature, mask]) => ({ feature, programs: features.programs.filter((_, bit) => (Number.parseInt(mask, 36) >> bit) % 2 === 1) }))
    .sort((one, other) => other.programs.length - one.programs.length)
}

/** Every repetition is bounded: what a mail holds may not make a search slow. */
function patternFor(feature: string): RegExp {
  const name = feature.replace(/[<>[\]()@.:]|^1/g, '')
  if (feature.startsWith('<')) return new RegExp(`<${name}[\\s/>]`, 'i')
  if (feature.startsWith('[')) return new RegExp(`<[a-z][^<>]{0,2000}\\s${name}[\\s=>]`, 'i')
  if (feature.startsWith('.')) return new RegExp(`<img\\b[^<>]{0,2000}\\.${name}["'?#\\s>]`, 'i')
  if (feature.startsWith('@media (')) return new RegExp(`@media[^{]{0,200}\\(${feature.slice(8, -1)}`, 'i')
  if (feature.startsWith('@')) return new RegExp(`@${name}\\b`, 'i')
  if (feature.startsWith(':')) return new RegExp(`${feature}\\b[^;{}]{0,500}\\{`, 'i')
  if (feature.endsWith('()')) return new RegExp(`[^\\w-]${name}\\(`, 'i')
  if (feature.startsWith('1')) return new RegExp(`[\\s:(,.]\\d{1,9}${name}\\b`, 'i')
  const [property = '', value = ''] = feature.split(':')
  return new RegExp(`(?:^|[;{\\s])${property}\\s{0,9}:[^;{}]{0,200}${value}`, 'i')
}

const UNSUBSCRIBE = /unsubscri|abmeld|désabonn|desabonn|darse de baja|cancelar (?:la )?suscripci|annulla l.iscrizione/i

function findProblems(message: Content, links: readonly CheckedLink[], images: readonly CheckedImage[]): CheckedMessage['problems'] {
  const { html = '', text = '' } = message
  const header = (wanted: string) => message.headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  const problems: Problem[] = []
  const add = (kind: ProblemKind, detail: string) => problems.push({ kind, detail })
  for (const [kind, targets] of [['link_broken', links] as const, ['image_broken', images] as const]) {
    for (const { url, status = 0, redirects, error } of targets) {
      // After a redirect it is not asked with GET, so nothing is known.
      const isUnknown = redirects.length > 0 && isHeadRefused(status)
      if (error !== undefined || (status >= 400 && !isUnknown)) add(kind, `${url}: ${error ?? status}`)
    }
  }
  for (const { url, hasAlt } of images) if (!hasAlt) add('image_without_alt', url)
  const bytes = images.reduce((sum, image) => sum + (image.bytes ?? 0), 0)
  if (bytes > IMAGES_BYTES_MAX) add('images_heavy', `${bytes} bytes of images`)
  const htmlBytes = new TextEncoder().encode(html).length
  if (htmlBytes > GMAIL_HTML_BYTES_MAX) add('html_clipped', `${htmlBytes} bytes of HTML; Gmail shows ${GMAIL_HTML_BYTES_MAX}`)
  if (html !== '' && text.trim() === '') add('text_missing', 'There is HTML and no text beside it')
  const isBulk = header('list-id') !== undefined || /bulk|list/i.test(header('precedence') ?? '') || UNSUBSCRIBE.test(html + text)
  if (isBulk && header('list-unsubscribe') === undefined) add('list_unsubscribe_missing', 'Bulk mail without List-Unsubscribe (RFC 2369)')
  if (html !== '' && !/color-scheme/i.test(html))
    add('dark_mode_unstated', 'No `color-scheme`: programs may invert its colours in dark mode')
  return [...problems, ...message.warnings]
}
