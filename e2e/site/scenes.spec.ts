/**
 * Every state of e2e/scenes/, on the real server, held to the rules of e2e/harness/checks.ts: one language each in turn, both where the
 * longer words could break the layout.
 */
import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { GENERATOR_ID } from '#web/lib/routing/scroll-to-section.ts'
import {
  expectAccessible,
  expectNothingSideways,
  expectRoomForFingers,
  expectSeenInForcedColors,
  expectStillness,
} from '../harness/checks.ts'
import { test, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { expectNothingOverlaps } from '../harness/overlaps.ts'
import type { Scene } from '../scenes/scene.ts'
import { scenes } from '../scenes/scenes.ts'
import { loadWords } from '../scenes/words.ts'

const VIEWPORT = { width: 1280, height: 720 }
const SCENE_MS_MAX = 90_000
test.use({ viewport: VIEWPORT, permissions: ['clipboard-read', 'clipboard-write', 'notifications'] })

/** Rows of buttons, forms with complaints, and dialogs full of text. */
const IN_BOTH = new Set(['pro-home', 'account', 'inbox', 'mail', 'hand-off', 'contact-errors', 'limit'])

for (const [index, visit] of visitsOf(scenes.filter(scene => !scene.isBrief)).entries()) {
  for (const language of LANGUAGES) {
    const isTheirTurn = LANGUAGES.indexOf(language) === index % LANGUAGES.length
    const shown = visit.filter(scene => isTheirTurn || IN_BOTH.has(scene.name))
    if (shown.length > 0) testVisit(shown, language)
  }
}

/** Scenes that begin in the same place, in the order in which one visitor can see them all. Others have a visit of their own. */
function visitsOf(all: readonly Scene[]): Scene[][] {
  const alone = all.filter(({ begin }) => begin === undefined).map(scene => [scene])
  const together = Map.groupBy(
    all.filter(({ begin }) => begin !== undefined),
    ({ begin }) => begin,
  )
  const isLast = ({ leave }: Scene) => leave === undefined
  return [...alone, ...[...together.values()].map(visit => visit.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))))]
}

function testVisit(visit: readonly Scene[], language: Language): void {
  test.describe(visit.map(({ name }) => name).join(', '), () => {
    if (visit.some(scene => scene.needsServiceWorker)) test.use(WITH_SERVICE_WORKER)
    test(`in ${language}: axe, no sideways scrolling, large touch targets, forced colours, reduced motion`, async ({
      page,
      sendMail,
      recorder,
      noise,
    }) => {
      test.setTimeout(visit.length * SCENE_MS_MAX)
      noise.allow(...visit.flatMap(scene => scene.noise ?? []))
      const stage = { page, language, words: await loadWords(language), sendMail, recorder }
      await visit[0]?.begin?.(stage)
      for (const scene of visit) {
        await test.step(scene.name, async () => {
          await scene.arrange(stage)
          await hideSections(page)
          await expectAccessible(page)
          await expectStillness(page)
          await expectNothingSideways(page)
          await expectNothingOverlaps(page)
          await expectSeenInForcedColors(page)
          await expectRoomForFingers(page)
          if (scene === visit.at(-1)) return
          await page.setViewportSize(VIEWPORT)
          await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
          await scene.leave?.(stage)
        })
      }
    })
  })
}

/**
 * What stands below the inbox is the same in every state, and pages.spec.ts holds it to these rules: it would be most of the work of each.
 */
const hideSections = (page: Page) =>
  page.evaluate(generator => {
    const sections = document.getElementById(generator)?.closest('main')?.querySelectorAll<HTMLElement>(':scope > section') ?? []
    for (const section of sections) section.style.display = 'none'
  }, GENERATOR_ID)
