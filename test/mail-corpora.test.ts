/** How far server/mime/ agrees with what other parsers expect of their own test mails. The numbers may only rise; docs/mail-corpora.md explains what is left. */
import { expect, test } from 'vitest'
import { attachmentsOf, bodyOf, decodedHeaders, textPrefix } from '#server/mime/content.ts'
import { parseMessage } from '#server/mime/parse.ts'
import { readTnef } from '#server/mime/tnef.ts'
import { Agreement, corpusFiles, hasCorpora, readCorpus, whyNoCorpora } from './mail-corpora/agreement.ts'
import { statedAgreement, unexplained } from './mail-corpora/explanations.ts'
import { compareStalwart } from './mail-corpora/stalwart.ts'
import * as headers from './mail-corpora/stalwart-headers.ts'

const corpora = hasCorpora ? test : test.skip
const note = hasCorpora ? '' : ` (${whyNoCorpora})`

corpora(`stalwart: fields, both views, attachments${note}`, () => {
  const agreement = new Agreement()
  compareStalwart(agreement)
  console.info(`stalwart ${agreement}`)
  expect(agreement.agreed, agreement.details()).toBeGreaterThanOrEqual(STALWART_AGREED)
})
const STALWART_AGREED = 1277

corpora(`stalwart-headers: each kind of field as docs/mail-corpora.md says, every disagreement explained there${note}`, () => {
  const all = new Agreement()
  for (const [file, compare] of [
    ['address', headers.compareAddresses],
    ['content_type', headers.compareContentTypes],
    ['date', headers.compareDates],
    ['id', headers.compareIds],
    ['list', headers.compareLists],
    ['received', headers.compareReceived],
    ['unstructured', headers.compareUnstructured],
  ] as const) {
    const agreement = new Agreement()
    compare(agreement)
    console.info(`stalwart-headers ${file}: ${agreement}`)
    expect(statedAgreement(`stalwart-headers ${file}`), agreement.details()).toBe(String(agreement))
    all.add(agreement)
  }
  expect(unexplained('stalwart-headers', all), all.details()).toEqual([])
})

corpora(`mimekit: the names of files in winmail.dat${note}`, () => {
  const agreement = new Agreement()
  for (const path of corpusFiles('mimekit/tnef', name => name.endsWith('.tnef'))) {
    const list = readCorpus('mimekit/tnef', path.replace('.tnef', '.list')).toString('utf8')
    const expected = list.split(/\r?\n/).filter(name => name !== '' && !name.startsWith('body.'))
    const names = readTnef(readCorpus('mimekit/tnef', path)).files.map(file => file.name ?? '')
    const ours = names.filter(name => name !== 'body.html')
    agreement.expect(path, ours.toSorted(), expected.toSorted())
  }
  console.info(`mimekit tnef ${agreement}`)
  expect(agreement.agreed, agreement.details()).toBeGreaterThanOrEqual(TNEF_AGREED)
})
const TNEF_AGREED = 16

corpora(`every mail of every corpus is read to its end, and something of it can be shown${note}`, () => {
  const isMail = (name: string) => /\.(eml|raw|msg)$/.test(name)
  let mails = 0
  const failed: string[] = []
  for (const path of corpusFiles('.', isMail)) {
    const raw = readCorpus('.', path)
    const parsed = parseMessage(raw)
    const shown =
      decodedHeaders(parsed).length + attachmentsOf(raw, parsed).length + (bodyOf(raw, parsed).text ?? textPrefix(raw, parsed, 100)).length
    mails++
    if (parsed.status === 'failed' || (raw.length > 0 && shown === 0)) failed.push(path)
  }
  console.info(`${mails} mails read`)
  expect(mails).toBeGreaterThan(1000)
  expect(failed).toEqual([])
})
