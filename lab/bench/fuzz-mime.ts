/**
 * `npm run lab -- fuzz-mime [-- SECONDS]`: fuzzes the mail parser, 60 s by default. A failing mail is minimised and printed as JSON for a
 * fixture.
 */
import fc from 'fast-check'
import { checkContents, checkMail, strangeMail, wellFormedMail } from '../../test/generators/mime-fuzz.ts'

const seconds = Number(process.argv[2] ?? 60)
const end = performance.now() + seconds * 1000
const ROUND = 500
let mails = 0

while (performance.now() < end) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const strange = fc.check(
    fc.property(strangeMail, raw => checkMail(raw)),
    { numRuns: ROUND, seed },
  )
  const whole = fc.check(
    fc.property(wellFormedMail, mail => checkContents(mail)),
    { numRuns: ROUND, seed },
  )
  mails += 2 * ROUND
  if (!strange.failed && !whole.failed) continue
  const found = strange.counterexample?.[0] ?? whole.counterexample?.[0]?.raw
  console.error(`seed ${seed}: ${strange.errorInstance ?? whole.errorInstance}\n${JSON.stringify(found?.toString('latin1'))}`)
  process.exitCode = 1
  break
}
console.log(`${mails} mails read in every way, ${process.exitCode ? 'one promise broken' : 'every promise kept'}`)
