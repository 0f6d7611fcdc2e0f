/**
 * Compares reader/mime/ with what other parsers expect of their own test mails. The numbers may only rise;
 * test/mail-corpora/explanations.md explains the differences.
 */
import { expect, test } from 'vitest'
import { decodedHeaders } from '#reader/mime/headers/headers.ts'
import { listAttachments } from '#reader/mime/structure/attachments.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { textPrefix } from '#reader/seen/preview.ts'
import { Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { compareStrings } from './blns.ts'
import { hasCorpora, whyNoCorpora } from './corpora-folder.ts'
import { compareGoldens } from './enmime.ts'
import { statedAgreement, unexplained } from './explanations.ts'
import { compareLinks, compareMailboxes } from './flanker.ts'
import { compareInbucket } from './inbucket.ts'
import { compareEncodings, compareMboxes, compareTnef } from './mimekit.ts'
import { compareLineEnds } from './sisimai.ts'
import { compareStalwart } from './stalwart.ts'
import * as headers from './stalwart-headers.ts'
import { compareOriginals } from './zbateson.ts'

const corpora = hasCorpora ? test : test.skip
const note = hasCorpora ? '' : ` (${whyNoCorpora})`

/** The parts of the page that are counted separately, per section. */
const measured: Record<string, Record<string, (agreement: Agreement) => void>> = {
  stalwart: { stalwart: compareStalwart },
  'stalwart-headers': {
    'stalwart-headers address': headers.compareAddresses,
    'stalwart-headers content_type': headers.compareContentTypes,
    'stalwart-headers date': headers.compareDates,
    'stalwart-headers id': headers.compareIds,
    'stalwart-headers list': headers.compareLists,
    'stalwart-headers received': headers.compareReceived,
    'stalwart-headers unstructured': headers.compareUnstructured,
  },
  mimekit: {
    'mimekit tnef': compareTnef,
    'mimekit mbox': compareMboxes,
    'mimekit encoders': compareEncodings,
  },
  enmime: { enmime: compareGoldens },
  zbateson: { zbateson: compareOriginals },
  flanker: { 'flanker mailboxes': compareMailboxes, 'flanker links': compareLinks },
  inbucket: { inbucket: compareInbucket },
  blns: { blns: compareStrings },
  sisimai: { sisimai: compareLineEnds },
}

for (const [section, parts] of Object.entries(measured)) {
  corpora(`${section}: agreement is as test/mail-corpora/explanations.md says, and every disagreement is explained there${note}`, () => {
    const all = new Agreement()
    for (const [part, compare] of Object.entries(parts)) {
      const agreement = new Agreement()
      compare(agreement)
      console.info(`${part}: ${agreement}`)
      expect(statedAgreement(part), `${part}\n${agreement.details()}`).toBe(String(agreement))
      all.add(agreement)
    }
    expect(unexplained(section, all), all.details()).toEqual([])
  })
}

corpora(`every mail of every corpus is read to its end and can be shown${note}`, () => {
  const isMail = (name: string) => /\.(eml|raw|msg)$/.test(name)
  let mails = 0
  const failed: string[] = []
  for (const path of corpusFiles('.', isMail)) {
    const raw = readCorpus('.', path)
    const parsed = parseMessage(raw)
    const shown =
      decodedHeaders(parsed).length +
      listAttachments(raw, parsed).length +
      (readBody(raw, parsed).text ?? textPrefix(raw, parsed, 100)).length
    mails++
    if (parsed.status === 'failed' || (raw.length > 0 && shown === 0)) failed.push(path)
  }
  console.info(`${mails} mails read`)
  expect(mails).toBeGreaterThan(1000)
  expect(failed).toEqual([])
})
