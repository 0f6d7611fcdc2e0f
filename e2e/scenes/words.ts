/** Every text of the site in one language, as it is with the default limits, for tests that run in both. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Language } from '#contract/languages.ts'
import { fillIn, LIFETIME_SECONDS, lifetimeTexts, MAILBOX_MESSAGES_MAX, MESSAGE_BYTES_MAX } from '#contract/limits.ts'
import { quotaTexts } from '#contract/quota.ts'
import { catalogs, mapTexts, type Texts } from '#web/texts/catalog.ts'
import { contentModule } from '../../scripts/blog/plugin.ts'

export type Words = Texts

// Playwright knows nothing of the build, which makes modules of Markdown.
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.md') ? { format: 'module', source: contentModule(fileURLToPath(url)), shortCircuit: true } : next(url, context),
})

export async function loadWords(language: Language): Promise<Words> {
  const { lazyAreas, ...core } = await catalogs[language]()
  const files: [string, () => Promise<Readonly<Record<string, unknown>>>][] = Object.entries(lazyAreas)
  const areas = await Promise.all(files.map(async ([area, load]) => [area, (await load())[area]] as const))
  const limits = {
    ...lifetimeTexts(language, LIFETIME_SECONDS),
    ...quotaTexts({ messagesMax: MAILBOX_MESSAGES_MAX, messageBytesMax: MESSAGE_BYTES_MAX }),
  }
  return mapTexts({ ...core, ...Object.fromEntries(areas) } as Words, text => fillIn(text, limits))
}
