/**
 * Compares reader/mime/ with Python's email package on the same mails. test/mail-corpora/explanations.md states the numbers and
 * explains the differences.
 */
import { expect, test } from 'vitest'
import { Agreement } from './agreement.ts'
import { hasCorpora, whyNoCorpora } from './corpora-folder.ts'
import { statedAgreement, unexplained } from './explanations.ts'
import { comparePython, hasPython, whyNoPython } from './python.ts'

const MS_MAX = 120_000 // 7 s on two idle cores
const reasons = [...(hasCorpora ? [] : [whyNoCorpora]), ...(hasPython ? [] : [whyNoPython])]
const both = reasons.length === 0 ? test : test.skip
const note = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`

both(`Python reads all corpora as we do, except where test/mail-corpora/explanations.md explains it${note}`, { timeout: MS_MAX }, () => {
  const all = new Agreement()
  for (const [corpus, agreement] of comparePython()) {
    console.info(`python ${corpus}: ${agreement}`)
    expect.soft(statedAgreement(`python ${corpus}`), agreement.details()).toBe(String(agreement))
    all.add(agreement)
  }
  expect(unexplained('python', all), all.details()).toEqual([])
})
