/** Sends every mail of the corpora through the real server: SMTP, store and API. Nothing may be refused, lost, changed or unreadable. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { corporaFolder, hasCorpora, whyNoCorpora } from './corpora-folder.ts'
import { describe, runCorpus, summarise } from './corpus.ts'

const MS_MAX = 300_000 // 15 s on two idle cores, 90 s under load

test('our own fixtures come back byte for byte, with their attachments', { timeout: MS_MAX }, async () => {
  const outcomes = await runCorpus(resolve(import.meta.dirname, '../fixtures/mail'))
  expect(outcomes.length).toBeGreaterThan(0)
  expect(outcomes.filter(({ problem }) => problem)).toEqual([])
  const told = outcomes.map(describe).join('\n')
  expect(told).toMatch(/^ok {3}boundary-of-hyphens\.eml {2}accepted in [\d.]+ ms, parsed in [\d.]+ ms, read in [\d.]+ ms$/m)
  expect(told).toContain(
    '"encoded-word with raw 8-bit" from "Jürgen" <j@example.com>, ok\n     multipart/mixed(multipart/mixed(text/plain))',
  )
  expect(summarise(outcomes)).toMatch(/^(\d+) mails: \1 accepted, 0 bad$/m)
})

const corpora = hasCorpora ? test : test.skip

corpora(`all corpora go through, none is lost${hasCorpora ? '' : ` (${whyNoCorpora})`}`, { timeout: MS_MAX }, async () => {
  const outcomes = await runCorpus(corporaFolder)
  const bad = outcomes.filter(({ problem }) => problem).map(({ file, problem, reply }) => `${file}: ${problem} (${reply})`)
  const failed = outcomes.filter(({ message }) => message?.parseStatus === 'failed').map(({ file }) => file)
  console.info(`${outcomes.length} mails through the door, ${bad.length} bad, ${failed.length} not parsed`)
  expect(outcomes.length).toBeGreaterThan(1400)
  expect([...bad, ...failed]).toEqual([])
})
