/** The HTML of real mail, for measurements of how it is shown. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { summarise } from '#reader/summary.ts'
import { toMessage, toShownSummary } from '#server/mail/message/message.ts'
import { corporaFolder } from '#test/mail-corpora/corpora-folder.ts'

type HtmlMail = { readonly corpus: string; readonly name: string; readonly html: string }

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i
/** Other folders contain fragments of HTML for parsers. */
const TEMPLATE_FILE = /\/templates\/.*\.html$/i

/**
 * `CORPUS=1` means the corpora of lab/docs/mail-corpora.md, and any other value is a folder. Each folder in it is one corpus. Empty without
 * `CORPUS`.
 */
export function corpusMails(wanted = process.env.CORPUS): HtmlMail[] {
  if (!wanted) return []
  const folder = wanted === '1' ? corporaFolder : resolve(wanted)
  if (!existsSync(folder)) throw new Error(`CORPUS: there is no ${folder}`)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .flatMap(file => {
      const name = relative(folder, file)
      const html = TEMPLATE_FILE.test(file) ? readFileSync(file, 'utf8') : MAIL_FILE.test(file) ? htmlOf(readFileSync(file)) : undefined
      return html ? [{ corpus: name.split('/', 1)[0] ?? '', name, html }] : []
    })
}

/** As the server sends it to the reader. */
function htmlOf(raw: Buffer): string | undefined {
  const summary = toShownSummary(summarise(raw, 'corpus@elsewhere.test'), undefined)
  return toMessage({ id: '', cursor: '1', receivedAt: new Date(0).toISOString(), ...summary }, '', raw).html
}
