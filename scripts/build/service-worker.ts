/** Fills in the service worker's template: the id of this build, and the files of the first page. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LANGUAGES } from '#contract/languages.ts'
import { findChunks, type Manifest } from './manifest.ts'

/** What a press may need while there is no network. */
const AFTER_CLICK = [
  'components/ui/toast-rows.tsx',
  'features/inbox/inbox-row.tsx',
  'features/mailbox/notices.ts',
  'features/mailbox/receipt.tsx',
  'pages/home-message.tsx',
  'features/message/body/html-view.tsx',
  'lib/mailbox/address-changes.ts',
  'lib/mailbox/deletions.ts',
  'lib/mailbox/address-requests.ts',
  'lib/bot-check/proof-of-work.ts',
  'components/layout/language-choices.tsx',
  'features/home/hero.tsx',
]

/**
 * Files that a first visit has fetched anyway: those the page names, the fonts, the texts of every language. And what may be needed after
 * the network is gone: the list of mails, the open mail, the bot check of a new address, toasts and what they say, and the text of the home
 * page in the other language.
 */
function shellFiles(manifest: Manifest, entryFiles: readonly string[]): string[] {
  const texts = findChunks(
    manifest,
    LANGUAGES.flatMap(language => ['core', 'home', 'mailbox', 'message'].map(area => `texts/${language}/${area}.ts`)),
  )
  const missing = AFTER_CLICK.filter(module => findChunks(manifest, [module]).length === 0)
  if (missing.length > 0) throw new Error(`In no file of the site: ${missing.join(', ')}. Name what has taken their place.`)
  const afterClick = findChunks(manifest, AFTER_CLICK)
  const faces = Object.values(manifest).flatMap(chunk => (entryFiles.includes(chunk.file) ? (chunk.assets ?? []) : []))
  return [...new Set([...entryFiles, ...texts, ...afterClick, ...faces])].map(file => `/${file}`)
}

/** `entryFiles`: those that every page names. @throws if a placeholder is missing: without a name a cache would stay forever. */
export async function fillServiceWorker(web: string, build: string, manifest: Manifest, entryFiles: readonly string[]): Promise<void> {
  const path = join(web, 'sw.js')
  const text = await readFile(path, 'utf8')
  const filled = text
    .replace('__BUILD__', build)
    .replace('__SHELL__', JSON.stringify(shellFiles(manifest, entryFiles)))
    .replace('__LANGUAGES__', JSON.stringify(LANGUAGES))
  if (filled.includes(`'__`) || !filled.includes(build))
    throw new Error('sw.js has lost its placeholders __BUILD__, __SHELL__ and __LANGUAGES__')
  await writeFile(path, filled)
}
