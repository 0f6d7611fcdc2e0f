import { basename } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { blogArticles } from './scripts/blog/plugin.ts'
import { pageRoutes } from './scripts/build/page-routes.ts'

/**
 * What every page needs at once, in one file instead of a dozen. Libraries have none of their own: together all is 0.7 kB smaller, which
 * counts on each first visit, while a separate file would only spare those who come back after a release.
 */
const FIRST_FILES = [{ name: 'site', tags: ['$initial' as const] }]

/** Instead of Vite's code around every `import()`: there is one style sheet, and parts fetch what else they need. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: id => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = load => load()' : undefined),
}

/**
 * React makes five errors when its code starts, as values to compare with: nobody sees their stacks. A browser that is watched, by its
 * developer tools or by Lighthouse, notes each stack, for which it reads all of the file again. On a phone that is a pause of a tenth of a
 * second, which visitors do not have and which hides their own pauses.
 */
const reactErrorsWithoutStacks: Plugin = {
  name: 'react-errors-without-stacks',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler(code) {
      let found = 0
      const changed = code.replaceAll(/(\w+Exception) = Error\(formatProdErrorMessage\((\d+)\)\)/g, (_, name, number) => {
        found += 1
        return `${name} = Object.create(Error.prototype, { message: { value: formatProdErrorMessage(${number}) } })`
      })
      if (found !== 5) this.error(`React makes ${found} errors at its start, not 5: is this still right?`)
      return { code: changed, map: null }
    },
  },
}

/** The parts of React that nothing here calls, 1.3 kB of each first visit. The build fails for code that calls it after all. */
const REACT_UNUSED: Readonly<Record<string, readonly string[]>> = {
  'react.production.js': [
    ...['Children', 'PureComponent', 'cacheSignal', 'cloneElement', 'unstable_useCacheRefresh', 'useActionState', 'useDeferredValue'],
    ...['useEffectEvent', 'useInsertionEffect', 'useOptimistic'],
  ],
  'react-dom.production.js': ['createPortal', 'preconnect', 'prefetchDNS', 'preinit', 'preinitModule', 'preload', 'preloadModule'],
}

/** The methods of a fragment's `ref` and of a view transition's elements, of which pages have neither: 1.3 kB more. */
const METHODS_UNUSED = /^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.\w+ = function .*?^};\n/gms
const METHODS_COUNT = 15

const CALLS_OF_UNUSED = new RegExp(`\\b(?:${REACT_UNUSED['react.production.js']?.join('|')})\\b`)

const reactWithoutUnused: Plugin = {
  name: 'react-without-unused',
  transform: {
    filter: { id: /\.(?:[jt]sx?|mjs)$/ },
    handler(code, id) {
      const unused = REACT_UNUSED[basename(id)]
      if (unused) {
        const statement = new RegExp(`^exports\\.(?:${unused.join('|')}) = .+?;\n(?=exports\\.)`, 'gms')
        const found = code.match(statement)?.length
        if (found !== unused.length) this.error(`${id} has ${found} of ${unused.join(', ')}: is this still right?`)
        return { code: code.replace(statement, ''), map: null }
      }
      if (id.endsWith('react-dom-client.production.js')) {
        const found = code.match(METHODS_UNUSED)?.length
        if (found !== METHODS_COUNT) this.error(`${id} has ${found} methods that nothing calls, not ${METHODS_COUNT}: is this still right?`)
        return { code: code.replace(METHODS_UNUSED, ''), map: null }
      }
      if (/(?<!\{ ?flushSync ?\} ?)from ['"]react-dom['"]/.test(code) || (/from ['"]react['"]/.test(code) && CALLS_OF_UNUSED.test(code)))
        this.error(`${id} calls what vite.config.ts leaves out of React`)
      return undefined
    },
  },
}

/** Who starts the server for the first time builds the site, and can do nothing about a slow plugin. */
const QUIET = { bundlerTimings: false }

/** The browser's half. `scripts/build.ts` runs it twice: once for the browser, once with `--ssr` for the prerenderer. */
export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [plainImports, reactErrorsWithoutStacks, reactWithoutUnused, pageRoutes, blogArticles(), react(), tailwindcss()],
  worker: { format: 'es' },
  build: {
    outDir: isSsrBuild ? '../dist/ssr' : '../dist/web',
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    manifest: !isSsrBuild,
    target: 'es2022',
    // The first with `light-dark()` and relative colours; older ones get the system's own colours.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // A data: URL would need its own CSP exception; a small file costs one request on HTTP/2.
    assetsInlineLimit: 0,
    // A lazy part fetches what it needs besides by itself: the table of all such files would be in the first file.
    modulePreload: { polyfill: false, resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []) },
    rolldownOptions: isSsrBuild
      ? // The prerenderer needs at once what browsers load late.
        { checks: { ...QUIET, ineffectiveDynamicImport: false } }
      : { checks: QUIET, input: 'web/index.html', output: { codeSplitting: { groups: FIRST_FILES } } },
  },
  // `npm run dev` on top of a running server: pages from Vite, everything else from `npm start`.
  server: { proxy: Object.fromEntries(['/api', '/mail-frame', '/healthz'].map(path => [path, 'http://localhost:8080'])) },
}))
