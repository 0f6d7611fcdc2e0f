/** Every state of e2e/scenes/, on the real server, in both languages: held to the rules of e2e/checks.ts. */
import { LANGUAGES } from '#contract/limits.ts'
import { expectAccessible, expectNothingSideways, expectRoomForFingers, expectSeenInForcedColors, expectStillness } from './checks.ts'
import { test } from './fixtures.ts'
import { scenes } from './scenes/scenes.ts'
import { wordsOf } from './scenes/words.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write', 'notifications'] })

for (const scene of scenes.filter(scene => !scene.isBrief)) {
  for (const language of LANGUAGES) {
    test(`${scene.name} in ${language}: axe, no sideways scroll, room for fingers, forced colours, less motion`, async ({
      page,
      sendMail,
      recorder,
      noise,
    }) => {
      noise.allow(...(scene.noise ?? []))
      await scene.arrange({ page, language, words: await wordsOf(language), sendMail, recorder })
      await expectAccessible(page)
      await expectStillness(page)
      await expectNothingSideways(page)
      await expectSeenInForcedColors(page)
      await expectRoomForFingers(page)
    })
  }
}
