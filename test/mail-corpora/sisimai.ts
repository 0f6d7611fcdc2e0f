/** The bounces have LF (bsd), CR (mac) or CR LF (dos): all three must look the same. */
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { shown, withLf } from './shown.ts'

export function compareLineEnds(agreement: Agreement): void {
  const names = corpusFiles('sisimai-bounces/bsd', name => name.endsWith('.eml'))
  for (const name of names) {
    const raw = readCorpus('sisimai-bounces/bsd', name)
    const wanted = comparable(raw)
    for (const [kind, lineEnd] of [
      ['CR', '\r'],
      ['CR LF', '\r\n'],
    ] as const) {
      // one of the mails has CR CR LF already
      const other = Buffer.from(raw.toString('latin1').replace(/\r*\n/g, lineEnd), 'latin1')
      expectSame(agreement, `${name} with ${kind}`, comparable(other), wanted)
    }
  }
  for (const kind of ['mac', 'dos']) {
    for (const name of corpusFiles(`sisimai-bounces/${kind}`, path => names.includes(path))) {
      const wanted = comparable(readCorpus('sisimai-bounces/bsd', name))
      expectSame(agreement, `${kind}/${name}`, comparable(readCorpus(`sisimai-bounces/${kind}`, name)), wanted)
    }
  }
}

type Comparable = ReturnType<typeof comparable>

function expectSame(agreement: Agreement, where: string, actual: Comparable, wanted: Comparable): void {
  for (const field of Object.keys(wanted) as (keyof Comparable)[]) agreement.expect(`${where} ${field}`, actual[field], wanted[field])
}

function comparable(raw: Buffer) {
  const { text, html, attachments, ...others } = shown(raw)
  return {
    ...others,
    text: text && withLf(text),
    html: html && withLf(html),
    attachments: attachments.map(({ filename, contentType, bytes }) => [filename, contentType, withLf(bytes.toString('latin1'))]),
  }
}
