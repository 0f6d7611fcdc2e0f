/** Imported by scripts/build/prerender.ts: renders pages to HTML and lists all pages. */
import { createElement } from 'react'
import { prerender } from 'react-dom/static'
import type { Language } from '#contract/languages.ts'
import { loadTexts, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Router } from '#web/lib/routing/router.tsx'
import { servedTags } from '#web/lib/site/head.tsx'
import { type PageFacts, pageTags } from '#web/lib/site/page-tags.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** The tags of a served page, for which React has no components of its own. */
function ServedTags({ page }: { page: PageFacts }) {
  const texts = useTexts('preview')
  return pageTags(page, texts).map(({ name, attributes: { hreflang, ...attributes } }) => {
    const props: object = { key: Object.values({ ...attributes, hreflang }).join(), ...attributes, hrefLang: hreflang }
    return createElement(name, props)
  })
}

export { LANGUAGES } from '#contract/languages.ts'
export { pagePaths, privatePaths } from './page-paths.ts'

servedTags.Tags = ServedTags

/** The file of pages whose path does not begin with its name. */
const FILES: Readonly<Record<string, string>> = {
  report: 'contact',
  privacy: 'legal',
  terms: 'legal',
  '404': 'not-found',
  offline: 'not-found',
}

/** The module of the page at a path, relative to web/, for the `modulepreload` link. Undefined for the home page. */
export function pageSource(path: string): string | undefined {
  const [, name = ''] = path.split('/')
  return name === '' ? undefined : `pages/${FILES[name] ?? name}.tsx`
}

/** React writes what belongs into `<head>` first. */
const HEAD = /^(?:<title[^>]*>.*?<\/title>|<meta [^>]*>|<link [^>]*>)+/s

/** @throws whatever a component throws: a broken page must fail the build. */
export async function render(path: string, language: Language): Promise<{ head: string; body: string }> {
  await Promise.all([loadTexts(language, ['core']), preloadPage(path, language)])
  const { prelude } = await prerender(
    <Router path={path}>
      <App language={language} />
    </Router>,
    {
      // Large content would otherwise be hidden behind an inline script, which crawlers and our CSP do not run.
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
