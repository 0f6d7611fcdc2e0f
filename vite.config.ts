import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { blogArticles } from './scripts/blog/plugin.ts'

/**
 * What every page needs at once, in two files instead of a dozen: libraries change with a dependency, our own code with each release,
 * so that a returning visitor keeps the larger one.
 */
const FIRST_FILES = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 2 },
  { name: 'site', tags: ['$initial' as const], priority: 1 },
]

/** The browser's half. `scripts/build.ts` runs it twice: once for the browser, once with `--ssr` for the prerenderer. */
export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [blogArticles(), react(), tailwindcss()],
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
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: FIRST_FILES } } },
  },
  // `npm run dev` on top of a running server: pages from Vite, everything else from `npm start`.
  server: { proxy: Object.fromEntries(['/api', '/mail-frame', '/healthz'].map(path => [path, 'http://localhost:8080'])) },
}))
