/** The HTML of real mail, for measurements of how it is shown. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { summarise } from '#reader/summary.ts'
import { toMessage, toShownSummary } from '#server/mail/message/message.ts'
import { corporaFolder } from '#test/mail-corpora/corpora-folder.ts'
import { bodyForms } from '#web/features/message/body/body-forms.ts'

/** `offered`: the URLs of all links that the server finds in it. */
type ReadMail = { readonly html: string; readonly text: string; readonly offered: readonly string[] }
export type HtmlMail = ReadMail & { readonly corpus: string; readonly name: string }

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i
/** Other folders contain fragments of HTML for parsers. */
const TEMPLATE_FILE = /\/templates\/.*\.html$/i

/**
 * `CORPUS=1` means the corpora of test/mail-corpora/explanations.md, and any other value is a folder. Each folder in it is one corpus.
 * Empty without `CORPUS`.
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
      const raw = TEMPLATE_FILE.test(file) ? htmlMail(readFileSync(file)) : MAIL_FILE.test(file) ? readFileSync(file) : undefined
      const read = raw && readHtmlMail(raw)
      return read ? [{ corpus: name.split('/', 1)[0] ?? '', name, ...read }] : []
    })
}

export function htmlMail(html: string | Buffer, subject = ''): Buffer {
  return Buffer.concat([Buffer.from(`Subject: ${subject}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n`), Buffer.from(html)])
}

/** What the server sends of it, and the page shows in its frame. */
export function readHtmlMail(raw: Buffer): ReadMail | undefined {
  const summary = toShownSummary(summarise(raw, 'corpus@elsewhere.test'))
  const message = toMessage({ id: '', cursor: '1', receivedAt: new Date(0).toISOString(), ...summary }, '', raw)
  const { html, text } = bodyForms(message)
  const links = [summary.link, ...message.links, ...message.allLinks]
  return html === undefined ? undefined : { html, text, offered: links.flatMap(link => link?.url ?? []) }
}
