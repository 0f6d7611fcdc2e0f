import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The test mail of other projects. They are not part of this one, so the tests that read them are skipped without the folder.
 * test/mail-corpora/explanations.md says how to obtain them.
 */
export const corporaFolder = resolve(process.env.CORPORA_DIR || resolve(import.meta.dirname, '../../../shared/corpora'))
if (process.env.CORPORA_DIR && !existsSync(corporaFolder)) throw new Error(`CORPORA_DIR: there is no folder ${corporaFolder}`)
export const hasCorpora = existsSync(corporaFolder)
/** scripts/test.mjs looks for "beside the checkout" in the titles of skipped tests. */
export const whyNoCorpora = 'needs CORPORA_DIR, or ../shared/corpora beside the checkout: see test/mail-corpora/explanations.md'
