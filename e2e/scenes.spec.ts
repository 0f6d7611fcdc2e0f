/** Every state of e2e/scenes/, on the real server, held to the rules of e2e/checks.ts: one language each in turn, both where the longer words could break the layout. */
import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { GENERATOR_ID } from '#web/lib/routing/scroll-to-section.ts'
import { expectAccessible, expectNothingSideways, expectRoomForFingers, expectSeenInForcedColors, expectStillness } from './checks.ts'
import { test, WITH_SERVICE_WORKER } from './fixtures.ts'
import { scenes } from './scenes/scenes.ts'
import { loadWords } from './scenes/words.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write', 'notifications'] })

/** Rows of buttons, forms with complaints, and dialogs full of text. */
const IN_BOTH = new Set(['pro-home', 'account', 'inbox', 'mail', 'hand-off', 'contact-errors'])

for (const [index, scene] of scenes.filter(scene => !scene.isBrief).entries()) {
  const inTurn = LANGUAGES.filter((_, at) => at === index % LANGUAGES.length)
  test.describe(scene.name, () => {
    if (scene.needsServiceWorker) test.use(WITH_SERVICE_WORKER)
    for (const language of IN_BOTH.has(scene.name) ? LANGUAGES : inTurn) {
      test(`in ${language}: axe, no sideways scrolling, large touch targets, forced colours, reduced motion`, async ({
        page,
        sendMail,
        recorder,
        noise,
      }) => {
        noise.allow(...(scene.noise ?? []))
        await scene.arrange({ page, language, words: await loadWords(language), sendMail, recorder })
        await hideSections(page)
        await expectAccessible(page)
        await expectStillness(page)
        await expectNothingSideways(page)
        await expectSeenInForcedColors(page)
        await expectRoomForFingers(page)
      })
    }
  })
}

/** What stands below the inbox is the same in every state, and site-pages.spec.ts holds it to these rules: it would be most of the work of each. */
const hideSections = (page: Page) =>
  page.evaluate(generator => {
    const sections = document.getElementById(generator)?.closest('main')?.querySelectorAll<HTMLElement>(':scope > section') ?? []
    for (const section of sections) section.style.display = 'none'
  }, GENERATOR_ID)
