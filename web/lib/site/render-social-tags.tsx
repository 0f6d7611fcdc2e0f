/** For the server's pages: see served-tags.ts. */
import { LANGUAGES, LOCALES } from '#contract/languages.ts'
import { attributeOf, type SocialPage, socialTags } from './social-tags.ts'

export function renderSocialTags(page: SocialPage) {
  return (
    <>
      {Object.entries(socialTags(page)).map(([name, content]) => (
        <meta key={name} {...{ [attributeOf(name)]: name }} content={content} />
      ))}
      {LANGUAGES.filter(other => other !== page.language).map(other => (
        <meta key={other} property="og:locale:alternate" content={LOCALES[other]} />
      ))}
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
