/** Every page a visitor can reach, for the tests that walk all of them. A room that adds a page gets it walked by web/page-paths.ts. */
import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { pagePaths, privatePaths } from '#web/page-paths.ts'

const NOWHERE = '/no-such-page'

const pages = [
  ...pagePaths.map(path => ({ path, isMissing: false, isPrivate: false })),
  ...privatePaths.map(path => ({ path, isMissing: false, isPrivate: true })),
  { path: NOWHERE, isMissing: true, isPrivate: true },
]

/** `isPrivate` pages may not be found: no canonical link, not in the sitemap. */
export const walks = LANGUAGES.flatMap((language, at) =>
  pages.map((page, index) => ({
    ...page,
    language,
    url: `${page.path}?lang=${language}`,
    /** Each page in one language, so that what knows no language is tried once. */
    isInTurn: index % LANGUAGES.length === at,
  })),
)

/** The console messages of a missing page: the browser's own, and ours. */
export const NOT_FOUND_NOISE = [/Failed to load resource: the server responded with a status of 404/, /404: there is no page at/]

/** The page asks for its mail until the end; an answer that comes after it is a 404, which the browser notes by itself. */
export const ENDED_NOISE = /status of 404 \(Not Found\) \(\S+\/api\/mailbox(?:\/messages|\/events)?\)$/

/**
 * Waits until React has taken over the served page, header and content: what is pressed before, such as a tab, does nothing. React marks
 * each element that it has taken over with its properties.
 */
export const untilAlive = (page: Page) =>
  page.evaluate(async () => {
    const isAlive = (selector: string) => Object.keys(document.querySelector(selector) ?? {}).some(name => name.startsWith('__reactProps$'))
    while (!['header button', 'main > *'].every(isAlive)) await new Promise(requestAnimationFrame)
  })
