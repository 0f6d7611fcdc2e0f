/** Title, description and further tags of a page. React hoists them into `<head>`. */
import { type ComponentType, useEffect } from 'react'
import { fetchTexts, useLanguage } from '../i18n/i18n.tsx'
import type { PageFacts } from './page-tags.ts'
import { useSiteConfig } from './site-config.ts'

/** Who described the document last. The first is the page that was served. */
let described: string | undefined

export function Head(props: Omit<PageFacts, 'language' | 'siteName'>) {
  const { language } = useLanguage()
  const { siteName } = useSiteConfig()
  const page = { ...props, language, siteName }
  const key = JSON.stringify(page)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the page
  useEffect(() => {
    const isServed = described === undefined && isDescribed(props.title)
    described = key
    if (isServed) return
    Promise.all([import('./page-tags.ts'), fetchTexts(language, 'preview')])
      .then(([tags, texts]) => described === key && tags.showPageTags(page, texts))
      .catch(() => undefined)
  }, [key])
  return (
    <>
      <title>{props.title}</title>
      <meta name="description" content={props.description} />
      {servedTags.Tags && <servedTags.Tags page={page} />}
    </>
  )
}

/** Whether the document has the tags of the page with this title. */
const isDescribed = (title: string): boolean => document.querySelector('meta[property="og:title"]')?.getAttribute('content') === title

/** What writes the tags of page-tags.ts into served pages: web/entry-server.tsx sets it, so that the browser's files do not hold it. */
export const servedTags: { Tags?: ComponentType<{ page: PageFacts }> } = {}
