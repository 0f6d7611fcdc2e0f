/**
 * Builds a script that a page has besides the application. That of the home page is written into it: one file less to wait for before the
 * first address is requested. The server allows it by its hash (server/http/pages/site-files.ts).
 */
import { dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { BODY, CONFIG_PLACEHOLDER, ORIGIN_PLACEHOLDER, SITE_NAME } from '#server/http/pages/site-files.ts'
import type { Manifest } from './manifest.ts'
import { pageRoutes } from './page-routes.ts'

/** What the server would change in the script, and what would end it early. */
const FORBIDDEN = [SITE_NAME, '%lifetime', new URL(ORIGIN_PLACEHOLDER).host, CONFIG_PLACEHOLDER, BODY, '</script', '<!--']

/** What it loads on demand is a file of the application's build, with a hash in its name. */
function applicationFiles(manifest: Manifest): Plugin {
  return {
    name: 'application-files',
    enforce: 'pre',
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== 'string' || importer === undefined) return undefined
      const source = resolve(dirname(importer), specifier)
      const [, { file } = {}] = Object.entries(manifest).find(([name]) => source.endsWith(`/web/${name}`)) ?? []
      if (file === undefined) throw new Error(`${source} is no file of the application's build`)
      return { id: `/${file}`, external: 'absolute' }
    },
  }
}

/**
 * `source`: a module of `web/`. @throws if the server would change the script when it fills in a page, or the page would end it early.
 */
export async function buildPageScript(root: string, source: string, manifest: Manifest): Promise<string> {
  const output = await build({
    root: join(root, 'web'),
    configFile: false,
    logLevel: 'warn',
    plugins: [pageRoutes, applicationFiles(manifest)],
    build: {
      write: false,
      copyPublicDir: false,
      target: 'es2022',
      // It is built as a library, because Vite adds code around each `import()` of a page.
      lib: { entry: join(root, 'web', source), formats: ['iife'], name: 'inline' },
    },
  })
  const chunks = [output].flat().flatMap(result => ('output' in result ? result.output : []))
  const [chunk, ...others] = chunks
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error(`${source} became ${chunks.length} files instead of one`)
  const code = chunk.code.trim()
  const forbidden = FORBIDDEN.find(text => code.includes(text))
  if (forbidden !== undefined) throw new Error(`The script of ${source} contains ${forbidden}`)
  return code
}
