/** Every page a visitor can reach, for the tests that walk all of them. A room that adds a page gets it walked by web/page-paths.ts. */
import { LANGUAGES } from '#contract/limits.ts'
import { pagePaths, privatePaths } from '#web/page-paths.ts'

const NOWHERE = '/no-such-page'

const pages = [
  ...pagePaths.map(path => ({ path, isMissing: false, isPrivate: false })),
  ...privatePaths.map(path => ({ path, isMissing: false, isPrivate: true })),
  { path: NOWHERE, isMissing: true, isPrivate: true },
]

/** `isPrivate` pages may not be found: no canonical link, not in the sitemap. */
export const walks = LANGUAGES.flatMap(language => pages.map(page => ({ ...page, language, url: `${page.path}?lang=${language}` })))

export const WIDTHS_PX = [360, 768, 1280] as const
