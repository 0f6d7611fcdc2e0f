/** Builds the browser extension into dist/extension, for Chromium and Firefox, and packs it into the site, which offers it. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build, type Plugin } from 'vite'
import { writeZip } from '#web/features/message/zip.ts'
import { pageRoutes } from './page-routes.ts'

/** The code and the texts of the longest language count, and not the two faces, which the site has too. */
const BYTES_MAX = 42_400
const PROGRAMS = ['background', 'popup'] as const
/** What web/pages/extension.tsx offers. */
const ARCHIVE = 'mayfly-extension.zip'

/** Pages over plain http solve the bot check in workers. An extension has `crypto.subtle`, and a service worker loads nothing later. */
const withoutWorkers: Plugin = {
  name: 'without-workers',
  enforce: 'pre',
  transform: {
    filter: { id: /proof-of-work\.ts$/ },
    handler(code) {
      const changed = code.replace(
        "(await import('./solve-in-workers.ts')).solveInWorkers(puzzle, signal)",
        "Promise.reject(new Error('No crypto'))",
      )
      if (changed === code) this.error('The bot check loads its workers in another way: is this still right?')
      return { code: changed, map: null }
    },
  },
}

/** Gives the popup those of the site's colours that its style sheet uses. */
const siteColours: Plugin = {
  name: 'site-colours',
  enforce: 'pre',
  transform: {
    filter: { id: /popup\.css$/ },
    handler(code) {
      // Not what follows for those who ask for more contrast.
      const [theme = ''] = /@theme \{.*?\n\}/s.exec(readFileSync(join(import.meta.dirname, '../../web/styles.css'), 'utf8')) ?? []
      const aliases = theme.matchAll(/(--color-[\w-]+): (var\(--color-[\w-]+\));/g)
      const resolved = Array.from(aliases).reduce((css, [, name, other = '']) => css.replaceAll(`var(${name})`, other), code)
      const used = new Set(resolved.match(/--color-[\w-]+/g))
      const colours = theme.match(/--color-[\w-]+: light-dark\(.*\);/g) ?? []
      const needed = colours.filter(colour => used.delete(colour.slice(0, colour.indexOf(':'))))
      if (used.size > 0) this.error(`web/styles.css has no ${[...used].join(', ')}`)
      // Shorter names: the budget counts each byte.
      return { code: `:root{${needed.join('')}}${resolved}`.replaceAll('--color-', '--'), map: null }
    },
  },
}

/** `version` goes into the manifest. Returns a description of what was built. */
export async function buildExtension(root: string, version: string): Promise<string> {
  const source = join(root, 'extension')
  const out = join(root, 'dist/extension')
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await bundle(root, out)
  writeFileSync(join(out, 'manifest.json'), compactJson(join(source, 'manifest.json'), { version }))
  for (const language of readdirSync(join(source, '_locales'))) {
    const path = join('_locales', language, 'messages.json')
    mkdirSync(join(out, '_locales', language), { recursive: true })
    writeFileSync(join(out, path), compactJson(join(source, path)))
  }
  // Without the lines and spaces that only indent.
  writeFileSync(
    join(out, 'popup.html'),
    readFileSync(join(source, 'popup.html'), 'utf8').replaceAll(/\n\s+/g, '\n').replaceAll('>\n<', '><'),
  )
  cpSync(join(source, 'icon-128.png'), join(out, 'icon-128.png'))
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .map(path => ({ name: relative(out, path).split(sep).join('/'), bytes: new Uint8Array(readFileSync(path)).buffer }))
  const isFace = ({ name }: { name: string }) => name.endsWith('.woff2')
  const sizeOf = (counted: typeof files) => counted.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const size = sizeOf(files.filter(file => !isFace(file)))
  const locales = files.filter(({ name }) => name.startsWith('_locales/')).map(({ bytes }) => bytes.byteLength)
  const sizeInOneLanguage = size - locales.reduce((sum, bytes) => sum + bytes, 0) + Math.max(...locales)
  if (sizeInOneLanguage > BYTES_MAX)
    throw new Error(`The extension has ${sizeInOneLanguage} bytes in one language; its budget is ${BYTES_MAX}.`)
  writeFileSync(join(root, 'dist/web', ARCHIVE), new Uint8Array(await writeZip(files)))
  return `${files.length} files, ${(sizeOf(files) / 1000).toFixed(1)} kB`
}

async function bundle(root: string, out: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [pageRoutes, withoutWorkers, siteColours],
    build: {
      outDir: out,
      emptyOutDir: false,
      target: ['chrome121', 'firefox128'],
      cssTarget: ['chrome123', 'firefox128'],
      modulePreload: false,
      rolldownOptions: {
        // React stands beside the formats of times, and nothing here uses it.
        treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
        input: PROGRAMS.map(name => join(root, `extension/${name}.ts`)),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'shared.js',
          assetFileNames: '[name][extname]',
          comments: false,
        },
      },
    },
  })
}

function compactJson(path: string, changes: object = {}): string {
  return JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes })
}
