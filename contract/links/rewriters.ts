/**
 * Unwraps links that a mail gateway rewrote, e.g. `https://nam01.safelinks.protection.outlook.com/?url=…`. So an honest rewritten link no
 * longer looks deceptive, and a deceptive one is judged by its target.
 */

/** Some organisations have two gateways, one behind the other. */
const DEPTH_MAX = 3
const URL_CHARS_MAX = 8192

type Rewriter = { readonly host: RegExp; readonly target: (url: URL) => string | undefined }

const parameter =
  (...names: string[]) =>
  ({ searchParams }: URL) =>
    names.map(name => searchParams.get(name)).find(value => value !== null) ?? undefined

/** The host is the whole name or ends with it: `safelinks.protection.outlook.com.evil.example` is not a gateway. */
const REWRITERS: readonly Rewriter[] = [
  { host: /(?:^|\.)safelinks\.protection\.(?:outlook\.com|office365\.us|partner\.outlook\.cn)$/, target: parameter('url') },
  { host: /(?:^|\.)urldefense(?:\.proofpoint)?\.(?:com|us)$/, target: proofpoint },
  { host: /(?:^|\.)cudasvc\.com$/, target: parameter('a') },
  { host: /^secure-web\.cisco\.com$/, target: url => decode(/^\/[^/]+\/(https?(?::|%3A).*)$/i.exec(url.pathname)?.[1]) },
  { host: /^(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}$/, target: url => (url.pathname === '/url' ? parameter('q', 'url')(url) : undefined) },
  { host: /^clicktime\.symantec\.com$/, target: parameter('u') },
  { host: /(?:^|\.)fireeye\.com$/, target: parameter('u') },
  { host: /^lm?\.facebook\.com$/, target: url => (url.pathname === '/l.php' ? parameter('u')(url) : undefined) },
  { host: /^(?:www\.)?youtube\.com$/, target: url => (url.pathname === '/redirect' ? parameter('q')(url) : undefined) },
]
/** These name only the host of the target, and nothing proves it: enough to ignore a mismatch, but not to show it as the target. */
const NAMES_HOST = /(?:^|\.)(?:mimecast(?:protect)?\.com|protection\.sophos\.com)$/

/** The target of a gateway's link, or the link itself. */
export function unwrapLink(href: string): string {
  let current = href
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const target = unwrapOnce(current)
    if (target === undefined) return current
    current = target
  }
  return current
}

/** The host a gateway says its link leads to, where that is all it says. */
export function claimedHost({ hostname, searchParams }: URL): string | undefined {
  if (!NAMES_HOST.test(hostname)) return undefined
  const name = searchParams.get('domain') ?? searchParams.get('d')
  return name === null ? undefined : URL.parse(`https://${name}`)?.hostname
}

function unwrapOnce(href: string): string | undefined {
  const url = href.length > URL_CHARS_MAX ? null : URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const target = URL.parse(REWRITERS.find(({ host }) => host.test(url.hostname))?.target(url) ?? '')
  return target && /^https?:$/.test(target.protocol) ? target.href : undefined
}

/**
 * v1 `?u=` percent-encoded, v2 `?u=` with `-` for `%` and `_` for `/`, v3 `/v3/__URL__;…` where `*` stands for letters kept elsewhere, in
 * the path only.
 */
function proofpoint(url: URL): string | undefined {
  const written = parameter('u')(url)
  if (url.pathname.startsWith('/v2/')) return decode(written?.replaceAll('-', '%').replaceAll('_', '/'))
  if (url.pathname.startsWith('/v1/')) return written
  const { href } = url
  const start = href.indexOf('/v3/__')
  const end = href.indexOf('__;', start + 6)
  if (start === -1 || end === -1) return undefined
  return decode(href.slice(start + 6, end))?.replace(/^(https?:)\/(?!\/)/, '$1//')
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
