/** What scripts/prerender.ts imports: renders a page to HTML and lists the pages there are. */
import { prerender } from 'react-dom/static'
import type { Language } from '#contract/languages.ts'
import { loadTexts } from '#web/lib/i18n/i18n.tsx'
import { Router } from '#web/lib/routing/router.tsx'
import { App } from './app.tsx'
import { lazyPageAt, preloadPage } from './routes.tsx'

export { LANGUAGES } from '#contract/languages.ts'
export { pagePaths, privatePaths } from './page-paths.ts'

/** The module of a path's page below web/, for the `modulepreload` link; undefined for the home page. */
export const pageSource = (path: string): string | undefined => lazyPageAt(path)?.source

/** React writes what belongs into `<head>` first. */
const HEAD = /^(?:<title[^>]*>.*?<\/title>|<meta [^>]*>|<link [^>]*>)+/s

/** @throws whatever a component throws: a broken page must stop the build. */
export async function render(path: string, language: Language): Promise<{ head: string; body: string }> {
  await Promise.all([loadTexts(language, ['core']), preloadPage(path, language)])
  const { prelude } = await prerender(
    <Router path={path}>
      <App language={language} />
    </Router>,
    {
      // Bigger content would be hidden behind an inline script, which neither a crawler nor our CSP runs.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: error => {
        throw error
      },
    },
  )
  const html = await new Response(prelude).text()
  const head = HEAD.exec(html)?.[0] ?? ''
  return { head, body: html.slice(head.length) }
}
