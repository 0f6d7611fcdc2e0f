/** Checks what a mail program makes of a message: links, images, HTML that programs lack, and headers of bulk mail. */
import { Deadline } from './api.ts'
import features from './mail-features.json' with { type: 'json' }
import type { Message } from './message.ts'
import type { CheckOptions } from './options.ts'

const CHECK_MS_DEFAULT = 30_000
const REDIRECTS_MAX = 10
const TARGETS_MAX = 200
const AT_ONCE = 8
/** Gmail shows less of a longer message: its "[Message clipped]". */
const GMAIL_HTML_BYTES_MAX = 102_000
/** Takes five seconds at 1.6 Mbit/s, which Lighthouse calls slow 4G. */
const IMAGES_BYTES_MAX = 1_000_000

/** `status` of the last response; without one, `error` says why. `redirects`: the addresses it was sent on to, in their order. */
export type CheckedLink = {
  readonly url: string
  readonly text: string
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
export type CheckedMessage = {
  readonly links: readonly CheckedLink[]
  readonly images: readonly CheckedImage[]
  /** Features that at least one program lacks; what most lack first. Most mail uses some and degrades well, so these are no problems. */
  readonly unsupported: readonly UnsupportedFeature[]
  readonly problems: ReadonlyArray<{ readonly kind: ProblemKind; readonly detail: string }>
}

type Content = Pick<Message, 'html' | 'text' | 'attachments' | 'allLinks' | 'header'>

export async function checkMail(message: Content, options: CheckOptions): Promise<CheckedMessage> {
  const { follow = true, fetch = globalThis.fetch, timeoutMs = CHECK_MS_DEFAULT, signal } = options
  const deadline = new Deadline(timeoutMs, signal)
  const visit = (url: string) => (follow ? request(url, fetch, deadline) : { redirects: [] })
  const links = await inParallel(webLinks(message), async link => ({ ...link, ...withoutBytes(await visit(link.url)) }))
  const images = await inParallel(listImages(message), async image =>
    image.error === undefined && image.bytes === undefined ? { ...image, ...(await visit(image.url)) } : image,
  )
  return { links, images, unsupported: findUnsupported(message.html ?? ''), problems: findProblems(message, links, images) }
}

type Visit = { redirects: readonly string[]; status?: number; bytes?: number; error?: string }

const withoutBytes = ({ bytes: _, ...visit }: Visit) => visit

const webLinks = ({ allLinks }: Content) => allLinks.filter(({ url }) => /^https?:/i.test(url)).slice(0, TARGETS_MAX)

/** With HEAD, which confirms and unsubscribes nothing where servers keep to RFC 9110, and with GET where that is not answered. */
async function request(url: string, fetch: typeof globalThis.fetch, deadline: Deadline): Promise<Visit> {
  const redirects: string[] = []
  let method = 'HEAD'
  try {
    for (let target = url; redirects.length <= REDIRECTS_MAX; ) {
      const { timeoutMs, signal } = deadline.attempt
      const timeout = AbortSignal.timeout(Math.ceil(Math.min(timeoutMs, deadline.leftMs)))
      const response = await fetch(target, { method, redirect: 'manual', signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
      const { status, headers } = response
      await response.body?.cancel()
      const location = headers.get('location')
      if (method === 'HEAD' && [405, 501].includes(status)) method = 'GET'
      else if (status >= 300 && status < 400 && location !== null) {
        target = new URL(location, target).href
        if (!/^https?:/.test(target)) return { redirects, status, error: `it leads to ${target}` }
        redirects.push(target)
      } else {
        const length = headers.get('content-length')
        return { redirects, status, ...(length !== null && { bytes: Number(length) }) }
      }
    }
    return { redirects, error: `more than ${REDIRECTS_MAX} redirects` }
  } catch (error) {
    deadline.signal?.throwIfAborted()
    const { message, cause } = error as Error
    return { redirects, error: cause instanceof Error ? cause.message : message }
  }
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** Bounded, so that no tag of a strange mail is searched again and again. */
const IMAGE = /<img\b[^<>]{0,10000}>/gi

function listImages({ html = '', attachments }: Content): CheckedImage[] {
  const ofMessage = attachments.filter(({ contentType }) => contentType.startsWith('image/'))
  const found = [...html.matchAll(IMAGE)].slice(0, TARGETS_MAX).flatMap(([tag]): CheckedImage[] => {
    const url = /\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const image = { url, redirects: [], hasAlt: /\salt\s*=/i.test(tag) }
    if (/^https?:/i.test(url)) return [image]
    if (url.startsWith('data:')) return [{ ...image, url: `${url.slice(0, 40)}…`, bytes: Math.floor((url.length * 3) / 4) }]
    const part = ofMessage.find(({ contentId }) => url === `cid:${contentId?.replace(/^<|>$/g, '')}`)
    return [part ? { ...image, bytes: part.size } : { ...image, error: 'the message has no such part' }]
  })
  return [...new Map(found.map(image => [image.url, image])).values()]
}

function findUnsupported(html: string): UnsupportedFeature[] {
  const sheets = [...html.matchAll(/<style\b[^<>]*>([^<]*)/gi)].map(([, sheet = '']) => sheet)
  const attributes = [...html.matchAll(/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) => double ?? single ?? '')
  const css = [...sheets, ...attributes].join(';\n').replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' ')
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
  const problems: { kind: ProblemKind; detail: string }[] = []
  const add = (kind: ProblemKind, detail: string) => problems.push({ kind, detail })
  for (const [kind, targets] of [['link_broken', links] as const, ['image_broken', images] as const]) {
    for (const { url, status = 0, error } of targets) if (error !== undefined || status >= 400) add(kind, `${url}: ${error ?? status}`)
  }
  for (const { url, hasAlt } of images) if (!hasAlt) add('image_without_alt', url)
  const bytes = images.reduce((sum, image) => sum + (image.bytes ?? 0), 0)
  if (bytes > IMAGES_BYTES_MAX) add('images_heavy', `${bytes} bytes of images`)
  const htmlBytes = new TextEncoder().encode(html).length
  if (htmlBytes > GMAIL_HTML_BYTES_MAX) add('html_clipped', `${htmlBytes} bytes of HTML; Gmail shows ${GMAIL_HTML_BYTES_MAX}`)
  if (html !== '' && text.trim() === '') add('text_missing', 'There is HTML and no text beside it')
  const isBulk =
    message.header('list-id') !== undefined || /bulk|list/i.test(message.header('precedence') ?? '') || UNSUBSCRIBE.test(html + text)
  if (isBulk && message.header('list-unsubscribe') === undefined)
    add('list_unsubscribe_missing', 'Bulk mail without List-Unsubscribe (RFC 2369)')
  if (html !== '' && !/color-scheme/i.test(html))
    add('dark_mode_unstated', 'No `color-scheme`: programs may invert its colours in dark mode')
  return problems
}
