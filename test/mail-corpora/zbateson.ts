/**
 * Attachments and texts of the Hunny set are files of `files/`: our decoded bytes must be one of them, and texts must match word for word.
 */
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { shown, withoutSpaces } from './shown.ts'

export function compareOriginals(agreement: Agreement): void {
  const originals = new Map(corpusFiles('zbateson/emails/files', () => true).map(name => [name, readCorpus('zbateson/emails/files', name)]))
  const stories = [...originals].filter(([name]) => name.endsWith('.txt')).map(([, bytes]) => words(bytes))
  for (const path of corpusFiles('zbateson/emails', name => /^[^/]+\.txt$/.test(name))) {
    const { text, html, attachments } = shown(readCorpus('zbateson/emails', path))
    for (const { filename, bytes } of attachments) {
      const original = originals.get(filename.replace('ö', 'o')) ?? (filename.endsWith('.png') ? bytes : undefined)
      if (original === undefined) continue
      const isOriginal = [...originals.values()].some(content => content.equals(bytes))
      agreement.expect(`${path} ${filename}`, isOriginal, true)
    }
    const body = withoutSpaces(text ?? '')
    if (body.length > 100)
      agreement.expect(
        `${path} text`,
        stories.some(story => body.includes(story)),
        true,
      )
    else if (html && html.length > 500) agreement.expect(`${path} html`, /Hasen|Tortoise/.test(html), true)
  }
}

function words(bytes: Buffer): string {
  return withoutSpaces(bytes.toString('latin1'))
}
