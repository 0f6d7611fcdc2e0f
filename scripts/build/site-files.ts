/** Writes the files for crawlers and language models. The origin is the placeholder that the server replaces. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, languageQuery } from '#contract/languages.ts'
import { ORIGIN_PLACEHOLDER as ORIGIN } from '#server/http/pages/site-files.ts'

export type PageFacts = { path: string; title: string; description: string }

export async function writeSiteFiles(web: string, pages: readonly PageFacts[]): Promise<void> {
  await Promise.all([
    writeFile(join(web, 'robots.txt'), robots()),
    writeFile(join(web, 'sitemap.xml'), sitemap(pages.map(page => page.path))),
    writeFile(join(web, 'llms.txt'), llms(pages)),
  ])
}

const robots = (): string => `User-agent: *\nDisallow: /api/\nDisallow: /mail-frame\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`

/** Each page is listed in each language with links to the others (sitemaps.org with Google's hreflang extension). */
function sitemap(paths: readonly string[]): string {
  const urls = paths.flatMap(path => {
    const languages = LANGUAGES.map(language => [language, `${ORIGIN}${path}${languageQuery(language)}`] as const)
    const links = [...languages, ['x-default', `${ORIGIN}${path}`] as const].map(
      ([language, url]) => `    <xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`,
    )
    return languages.map(([, url]) => ['  <url>', `    <loc>${url}</loc>`, ...links, '  </url>'].join('\n'))
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
}

/** https://llmstxt.org: what the site is, in Markdown, with links to its pages. */
function llms(pages: readonly PageFacts[]): string {
  const list = pages.map(page => `- [${page.title}](${ORIGIN}${page.path}): ${page.description}`)
  return `# Mayfly

> A free disposable email service. Opening the home page gives an anonymous, receive-only email address at once. Address and messages
> are destroyed after %lifetime%. No registration.

Messages are encrypted to a key derived from the address's token. The server does not store the token, except for Pro addresses, whose
tokens it stores encrypted. The API is described at ${ORIGIN}/api/openapi.json.
Every page exists in these languages: ${LANGUAGES.map(nameInEnglish).join(', ')}.

## Pages

${list.join('\n')}
`
}

/** E.g. "English" or "Spanish (`?lang=es`)". */
function nameInEnglish(language: Language): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  return language === DEFAULT_LANGUAGE ? name : `${name} (\`${languageQuery(language)}\`)`
}
