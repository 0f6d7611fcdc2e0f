/**
 * A bounded run of the fuzzer; `npm run lab -- fuzz-mime` runs it as long as one likes. What it finds becomes a fixture in
 * test/fixtures/mail.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkContents, checkMail, strangeMail, wellFormedMail } from '../../test/generators/mime-fuzz.ts'

const fixtures = resolve(import.meta.dirname, '../../test/fixtures/mail')

test('well-formed mail comes back byte for byte', () => {
  fc.assert(
    fc.property(wellFormedMail, mail => checkContents(mail)),
    { numRuns: 500 },
  )
})

test('malformed mail violates no guarantee', () => {
  fc.assert(
    fc.property(strangeMail, raw => checkMail(raw)),
    { numRuns: 1500 },
  )
})

test('neither do mails that once did', () => {
  const names = readdirSync(fixtures).filter(name => name.endsWith('.eml'))
  expect(names.length).toBeGreaterThan(0)
  const broken = names.flatMap(name => {
    try {
      checkMail(readFileSync(join(fixtures, name)))
      return []
    } catch (error) {
      return [`${name}: ${error}`]
    }
  })
  expect(broken).toEqual([])
})
