/** Every page a visitor can reach, for the tests that walk all of them. A room that adds a page gets it walked by web/page-paths.ts. */
import { LANGUAGES } from '#contract/limits.ts'
import { pagePaths } from '#web/page-paths.ts'

const NOWHERE = '/no-such-page'

export const walks = LANGUAGES.flatMap(language =>
  [...pagePaths, NOWHERE].map(path => ({ language, path, url: `${path}?lang=${language}`, isMissing: path === NOWHERE })),
)

export const WIDTHS_PX = [360, 768, 1280] as const
