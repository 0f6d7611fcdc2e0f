/** For the server's pages: see served-tags.ts. */
import { createElement } from 'react'
import { useTexts } from '../i18n/i18n.tsx'
import { type PageFacts, pageTags } from './page-tags.ts'

export function ServedTags({ page }: { page: PageFacts }) {
  const texts = useTexts('preview')
  return pageTags(page, texts).map(({ name, attributes: { hreflang, ...attributes } }) => {
    const props: object = { key: Object.values({ ...attributes, hreflang }).join(), ...attributes, hrefLang: hreflang }
    return createElement(name, props)
  })
}
