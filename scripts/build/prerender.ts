/**
 * Writes one HTML file per page and language to dist/web/pages/<language>/<path>/index.html, and a 404.html per language. The public origin
 * is the placeholder https://mayfly.invalid, which the server replaces, because a build does not know where it will run.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_LANGUAGE, type Language } from '#contract/languages.ts'
import { findChunks, type Manifest } from './manifest.ts'
import { buildPageScript } from './page-script.ts'
import { fillServiceWorker } from './service-worker.ts'
import { type PageFacts, writeSiteFiles } from './site-files.ts'

/** The exports of web/entry-server.tsx; the built file has no types. */
type SiteRenderer = {
  LANGUAGES: readonly Language[]
  pagePaths: readonly string[]
  privatePaths: readonly string[]
  pageSource: (path: string) => string | undefined
  render: (path: string, language: Language) => Promise<{ head: string; body: string }>
}

/** Paths without a page: the router shows the 404 page for the first; the service worker shows the second without a network. */
const NOWHERE = '/404'
const OFFLINE = '/offline'

/** The program that asks for the first address: the one thing that is more urgent than the page. */
const FIRST_ADDRESS = 'lib/mailbox/first-address.ts'
/** The program of the API reference, which the server draws (server/http/openapi/docs-page.ts). */
const API_REFERENCE = 'lib/api/api-reference.ts'

/** Prerenders from `dist/ssr` into `dist/web`, both in `root`. `build` names the service worker's build. Returns how many pages. */
export async function prerenderSite(root: string, build: string): Promise<number> {
  const dist = join(root, 'dist')
  const web = join(dist, 'web')
  const manifest: Manifest = JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8'))
  const template = lowerScriptPriority(await readFile(join(web, 'index.html'), 'utf8'))
  const entryFiles = [...template.matchAll(/="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)
  const first = `<script>${await buildPageScript(root, FIRST_ADDRESS, manifest)}</script>`
  const shell = await withInlineStyles(template, web)
  const site: SiteRenderer = await import(pathToFileURL(join(dist, 'ssr/entry-server.js')).href)

  const pages = site.LANGUAGES.flatMap(language =>
    [...site.pagePaths, ...site.privatePaths, NOWHERE, OFFLINE].map(path => ({ language, path })),
  )
  const facts: PageFacts[] = []
  for (const { language, path } of pages) {
    const { head, body } = await site.render(path, language)
    const modules = [
      `texts/${language}/core.ts`,
      ...pageModules(site.pageSource(path), language, manifest),
      `../content${path.replace('/blog/', `/blog/${language}/`)}.md`,
    ]
    const links = preloads(findChunks(manifest, modules).filter(file => !entryFiles.includes(file)))
    const html = fill(shell, language, (path === '/' ? first : '') + links + head, body)
    refuseInlineScripts(html.replace(first, ''), `${language} ${path}`)
    await write(join(web, pageFile(path, language)), path === OFFLINE ? withoutScripts(html) : html)
    if (language === DEFAULT_LANGUAGE && site.pagePaths.includes(path)) facts.push({ path, ...readFacts(head) })
  }
  await writeSiteFiles(web, facts)
  await writeFile(join(web, 'api-reference.js'), await buildPageScript(root, API_REFERENCE, manifest))
  const code = entryFiles.filter(file => !file.endsWith('.css'))
  await fillServiceWorker(web, build, manifest, code)
  // Neither is served: index.html is a template, and the manifest is a map of the sources.
  await rm(join(web, 'index.html'))
  await rename(join(web, '.vite/manifest.json'), join(dist, 'manifest.json'))
  await rm(join(web, '.vite'), { recursive: true })
  return pages.length
}

/** Text must be readable before the code runs, so style sheet and fonts load first: `/` on slow 4G paints at 1.1 s instead of 1.9. */
function lowerScriptPriority(html: string): string {
  return html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
}

/** Every page brings its style sheet along: on slow 4G the first paint comes a round trip earlier, half a second. */
async function withInlineStyles(html: string, web: string): Promise<string> {
  const [link, file] = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/.exec(html) ?? []
  if (link === undefined || file === undefined) throw new Error('The template has no style sheet')
  const css = await readFile(join(web, file), 'utf8')
  return html.replace(link, () => `<style>${css.trim()}</style>`)
}

function fill(template: string, language: Language, head: string, body: string): string {
  return template
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace('<!--head-->', () => head)
    .replace('<!--app-->', () => body)
}

/** The page's module and its texts, which the entry would otherwise request one round trip later. */
function pageModules(source: string | undefined, language: Language, manifest: Manifest): string[] {
  if (!source) return []
  const page = source.replace(/^pages\/|\.tsx$/g, '')
  const modules = [source, `texts/${language}/${TEXTS[page] ?? page}.ts`]
  for (const module of modules)
    if (!manifest[module]) throw new Error(`${module} has no file of its own: name the texts of ${source} in TEXTS`)
  return modules
}

/** Texts of pages that share a file with others. */
const TEXTS: Readonly<Record<string, string>> = { auth: 'account', contact: 'site', extension: 'site', 'not-found': 'site' }

function preloads(files: readonly string[]): string {
  return lowerScriptPriority(files.map(file => `<link rel="modulepreload" crossorigin href="/${file}">`).join(''))
}

function pageFile(path: string, language: Language): string {
  if (path === OFFLINE) return `offline-${language}.html`
  return join('pages', language, path === NOWHERE ? '404.html' : join(path, 'index.html'))
}

function readFacts(head: string): { title: string; description: string } {
  const title = /<title>(.*?)<\/title>/.exec(head)?.[1]
  const description = /<meta name="description" content="(.*?)"/.exec(head)?.[1]
  if (!title || !description) throw new Error('Every page needs a title and a description: render <Head> in it')
  return { title: decode(title), description: decode(description) }
}

const decode = (html: string) => html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The offline page is shown at any URL, where a router would look for another page. */
const withoutScripts = (html: string): string => html.replace(/<script\b[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')

/** The CSP is `script-src 'self'`; only data may be inline, and on the home page the script that the server allows by its hash. */
function refuseInlineScripts(html: string, page: string): void {
  const inline = [...html.matchAll(/<script\b([^>]*)>/g)].filter(
    ([, attributes = '']) => !/\bsrc=/.test(attributes) && !attributes.includes('type="application/ld+json"'),
  )
  if (inline.length > 0)
    throw new Error(`The page ${page} has an inline script, which the content security policy blocks: ${inline[0]?.[0]}`)
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
