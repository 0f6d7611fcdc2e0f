/** `own`: a random part. `tracked`: one that each link of that site has, so it proves nothing. `some`: any other name or number. */
export type LinkToken = 'own' | 'tracked' | 'some' | 'none'

/** Names whose values say nothing of the reader: a campaign, a language, the page that comes next. */
const COMMON_NAME = /^(?:utm_.*|lang|language|locale|hl|lc|ref|source|src|v|next|back_?url|return_?(?:to|url)|redirect.*|target|theme)$/i
const HEX = /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{12,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
/** Where letters become digits, digits letters, or small letters capitals: rare in words, frequent in what was drawn by lot. */
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g
/** How the names of steps begin that only a link in a mail takes. */
const STEPS = 'confirm|verif|activat|reset|unlock|magic|invit'
/** In tests and small programs what follows the name of the step is often short: `/confirm/xyz`. */
const BEHIND_STEP = new RegExp(`/(?:${STEPS}|opt-?in)[^/]*/[^/]`, 'i')
/** So many links of one shape are no choice between yes and no: a program has rewritten all of them. */
const TRACKED_MIN = 3

/** The token of each URL of a mail, judged beside the others. */
export function tokensOf(urls: readonly string[]): Map<string, LinkToken> {
  const tokens = new Map(urls.map(url => [url, tokenOf(url)]))
  const own = [...tokens.keys()].filter(url => tokens.get(url) === 'own')
  for (const links of Map.groupBy(own, shapeOf).values()) {
    if (links.length >= TRACKED_MIN) for (const url of links) tokens.set(url, 'tracked')
  }
  return tokens
}

function tokenOf(url: string): LinkToken {
  const [path = '', ...query] = url.slice(url.indexOf('/', 8)).split(/[?&#;]/)
  const values = query.flatMap(part => (COMMON_NAME.test(part.split('=')[0] ?? '') ? [] : part.slice(part.indexOf('=') + 1).split('/')))
  const steps = path.split('/')
  if ([...steps, ...values].some(isRandom)) return 'own'
  const isNamed = values.some(value => /^[^+]+$/.test(value)) || steps.some(step => /\d|^[\w-]{16}/.test(step)) || BEHIND_STEP.test(path)
  return isNamed ? 'some' : 'none'
}

function isRandom(part: string): boolean {
  return HEX.test(part) || (part.length >= 8 && (part.match(CHANGE)?.length ?? 0) >= Math.max(3, part.length / 6))
}

/** The site without its first names, and the first step of the path. */
function shapeOf(url: string): string {
  const [, host = '', step = ''] = /^https?:\/\/([^/?#]*)\/?([^/?#]*)/i.exec(url) ?? []
  return `${host.split('.').slice(-2).join('.')}/${isRandom(step) ? '' : step}`
}
