/** Serves the prerendered site: chooses the HTML file by route and language. */
import type { Context, Handler } from 'hono'
import { getCookie } from 'hono/cookie'
import { CHALLENGE_TIMING, toServerTiming } from '#contract/challenge.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, toLanguage } from '#contract/languages.ts'
import { withoutLastSlashes } from '#contract/path-to.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { Policy, SiteNotice } from '#server/mail/policy.ts'
import type { Config } from '#server/platform/config/config.ts'
import { escapeHtml } from '#server/platform/escape-html.ts'
import { type Limit, type SharedLimits, takeFromLimit } from '#server/platform/limits/limiter.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { middleNetwork, type Networks } from '#server/platform/net/ip-address.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'
import type { HttpEnv } from '../env.ts'
import { copySharedBytes } from '../responses/download.ts'
import { problemResponse } from '../responses/problem.ts'
import { contentSecurityPolicy } from '../responses/security-headers.ts'
import { BODY, type Encoding, memoryFile, type SiteFile, type SiteFiles } from './site-files.ts'

/** Vite puts a hash of the content into these names. */
const HASHED = '/assets/'
const YEAR_SECONDS = 31_536_000
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title><h1>The site has not been built</h1>
<p>Run <code>npm run build</code> and reload. Mail and the API work already.</p></html>`

type PageDeps = {
  readonly config: Config
  readonly rules: { readonly policy: Policy }
  /** `undefined` until the site is built. */
  siteFiles(): Promise<SiteFiles | undefined>
  readonly challengeHeader: ChallengeHeader
}

export function servePages(deps: PageDeps): Handler<HttpEnv> {
  const addNotice = createNoticeWriter()
  return async c => {
    const files = await deps.siteFiles()
    if (!files) return c.html(NOT_BUILT, 503, { 'retry-after': '5', 'cache-control': 'no-store' })
    return answer(c, deps, files, file => addNotice(file, deps.rules.policy.notice))
  }
}

/** Keeps what `load` returns until the domains change, which stand in every page, but not `undefined`: the site may be built later. */
export function keepSiteFiles(
  rules: { readonly domains: MailDomains },
  load: () => Promise<SiteFiles | undefined>,
): () => Promise<SiteFiles | undefined> {
  let loading: { readonly of: MailDomains; readonly files: Promise<SiteFiles | undefined> } | undefined
  return async () => {
    const { domains } = rules
    if (loading?.of !== domains) loading = { of: domains, files: load() }
    const files = await loading.files
    if (!files) loading = undefined
    return files
  }
}

async function answer(c: Context<HttpEnv>, deps: PageDeps, files: SiteFiles, finish: (page: SiteFile) => SiteFile): Promise<Response> {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return problemResponse('method_not_allowed')
  const { path } = c.req
  if (path === '/ad' || path === '/ad/') return redirectHome(c)
  const file = path.startsWith('/pages/') ? undefined : files.get(path)
  if (file) return sendFile(c, file, 200, path.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')

  const language = chooseLanguage(c)
  const page = files.get(`/pages/${language}${withoutLastSlashes(path)}/index.html`)
  if (page) return sendPage(c, deps, finish(page))
  const missing = files.get(`/pages/${language}/404.html`)
  return missing ? sendFile(c, finish(missing), 404, 'no-cache') : problemResponse('not_found')
}

/** Only a known language is copied: nothing that the visitor wrote may get into a Location header. */
function redirectHome(c: Context<HttpEnv>): Response {
  const requested = toLanguage(c.req.query('lang'))
  return c.redirect(requested ? `/?lang=${requested}` : '/', 302)
}

/** A page with a script of its own is the home page: its policy allows the script, and its response has the challenge that it solves. */
async function sendPage(c: Context<HttpEnv>, { config, challengeHeader }: PageDeps, page: SiteFile): Promise<Response> {
  if (page.inlineScripts.length === 0) return sendFile(c, page, 200, 'no-cache')
  c.header('content-security-policy', contentSecurityPolicy(config, page.inlineScripts))
  // Crawlers and monitors, which have no use for a challenge, do not send this header. Browsers do, to secure origins: only there a script
  // can read the challenge.
  const isVisit = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate'
  const challenge = isVisit ? await challengeHeader(c.get('networks')) : undefined
  // Sent without one too: a 304 without the header would leave the browser with that of its cached page, whose challenge was used.
  c.header('server-timing', challenge ?? CHALLENGE_TIMING)
  // A challenge is one visitor's, so no cache between may keep it for others.
  return sendFile(c, page, 200, 'private, no-cache')
}

/** Compressed if the browser takes it; 304 if it has it already. */
export async function sendFile(c: Context<HttpEnv>, file: SiteFile, status: 200 | 404, cacheControl: string): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding') ?? '')
  const encoded = encoding && (await file.encoded(encoding))
  const etag = `"${file.etag}${encoded ? `-${encoding}` : ''}"`
  c.header('vary', 'Accept-Encoding', { append: true })
  c.header('cache-control', cacheControl)
  c.header('etag', etag)
  if (status === 200 && (c.req.header('if-none-match') ?? '').split(/, ?/).some(tag => tag.replace(/^W\//, '') === etag))
    return c.body(null, 304)
  c.header('content-type', file.type)
  if (encoded) c.header('content-encoding', encoding)
  const body = encoded ?? file.bytes
  c.header('content-length', String(body.length))
  // Its memory is the file's own, however many clients leave it unread.
  return c.body(copySharedBytes(body), status)
}

function acceptedEncoding(header: string): Encoding | undefined {
  const accepted = header.split(',').flatMap(part => {
    const [name = '', quality = ''] = part.trim().toLowerCase().split(/; ?/)
    return /^q=0(?:\.0*)?$/.test(quality) ? [] : [name]
  })
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined
}

/** No browser sends a longer list. */
const HEADER_CHARS_MAX = 1024

/** The language of a page, which its response names. */
export function chooseLanguage(c: Context<HttpEnv>): Language {
  const language = pickLanguage(c.req.query('lang'), getCookie(c, 'lang'), c.req.header('accept-language'))
  c.header('vary', 'Accept-Language, Cookie')
  c.header('content-language', language)
  return language
}

/** Chooses the language of a page: `?lang`, then the cookie, then the browser's list. */
function pickLanguage(requested: string | undefined, cookie: string | undefined, acceptLanguage: string | undefined): Language {
  return toLanguage(requested) ?? toLanguage(cookie) ?? preferred(acceptLanguage ?? '') ?? DEFAULT_LANGUAGE
}

/** RFC 9110 section 12.5.4: the highest weight wins, among equals the first. */
function preferred(header: string): Language | undefined {
  const ranges = header.slice(0, HEADER_CHARS_MAX).split(',')
  const weighted = ranges.map(range => {
    const [tag = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { language: toLanguage(tag.split('-')[0]), weight: Number.isNaN(weight) ? 0 : weight }
  })
  return weighted.filter(({ language, weight }) => language && weight > 0).sort((a, b) => b.weight - a.weight)[0]?.language
}

/** Writes the operator's notice into a page. Each page is written once per notice and cached. */
function createNoticeWriter(): (page: SiteFile, notice: SiteNotice | undefined) => SiteFile {
  let cache = new Map<SiteFile, SiteFile>()
  let cachedText = ''
  return (page, notice) => {
    if (!notice) return page
    const text = JSON.stringify(notice)
    if (text !== cachedText) cache = new Map()
    cachedText = text
    const known = cache.get(page)
    if (known) return known
    const texts = LANGUAGES.map(language => `<p lang="${language}">${escapeHtml(notice[language])}</p>`)
    const html = page.bytes.toString('utf8').replace(BODY, () => `${BODY}<aside class="site-notice">${texts.join('')}</aside>`)
    const file = memoryFile(page.type, Buffer.from(html), page.inlineScripts)
    cache.set(page, file)
    return file
  }
}

/** A page does not wait longer for a store or a thread that is slow: its script then requests a challenge, which takes longer. */
const CHALLENGE_TIMEOUT_MS = 250
/** After a time-out pages come without a challenge for this long, so that not each of them waits. */
const CHALLENGE_PAUSE_MS = 5000
const LOG_EVERY_MS = 60_000

type Deps = {
  readonly botCheck: BotCheck
  readonly sharedLimits: Pick<SharedLimits, 'take' | 'peek'>
  readonly limits: { readonly pageChallenges: Limit }
  readonly log: Log
  /** For tests. */
  readonly challengeTimeoutMs?: number
}

/** The value of `Server-Timing` for one visitor; `undefined` where there is no challenge, or too many were sent to this network. */
type ChallengeHeader = (networks: Networks) => Promise<string | undefined>

/** The challenge that the home page brings along, so that a visitor's first address takes one request less. */
export function createChallengeHeader({
  botCheck,
  sharedLimits,
  limits,
  log,
  challengeTimeoutMs = CHALLENGE_TIMEOUT_MS,
}: Deps): ChallengeHeader {
  if (botCheck.provider.provider !== 'pow') return async () => undefined
  let pausedUntilMs = 0
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  async function create(networks: Networks): Promise<string | undefined> {
    if (await takeFromLimit(sharedLimits, limits.pageChallenges, networks)) return undefined
    const challenge = await botCheck.challenge('generate_email', middleNetwork(networks))
    return challenge && toServerTiming(challenge)
  }
  return async networks => {
    if (performance.now() < pausedUntilMs) return undefined
    try {
      return await withTimeout(create(networks), challengeTimeoutMs)
    } catch (error) {
      if (error instanceof ChallengeTimeout) pausedUntilMs = performance.now() + CHALLENGE_PAUSE_MS
      atIntervals(() => log.warn({ err: error }, 'No challenge was made for a page'))
      return undefined
    }
  }
}

class ChallengeTimeout extends Error {}

function withTimeout<T>(value: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChallengeTimeout(`It took more than ${timeoutMs} ms`)), timeoutMs)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
