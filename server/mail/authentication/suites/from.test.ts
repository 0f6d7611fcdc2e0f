/** Spellings of From: whoever is shown is the one who is judged. All mails come from the server of `shop.test`. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mapFew, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'

type Row = readonly [spelling: string, shownAddress: string, verdictReason: string]
const rows = JSON.parse(readFileSync(new URL('./from.json', import.meta.url), 'utf8')) as readonly Row[]

test(`${rows.length} spellings of From are shown and judged alike`, async () => {
  await using checks = await startSenderChecks()
  checks.zone['shop.test TXT'] = ['v=spf1 ip4:192.0.2.1 -all']
  checks.zone['_dmarc.shop.test TXT'] = ['v=DMARC1; p=reject']
  const found = await mapFew(rows, async ([spelling]) => {
    const raw = Buffer.from(`From: ${spelling}\r\nTo: b@mayfly.test\r\nSubject: Hello\r\n\r\nHello.\r\n`, 'latin1')
    const row = await checks.check({ ip: '192.0.2.1', helo: 'mx.shop.test', from: 'bounce@shop.test', raw })
    return typeof row === 'string' ? row : [spelling, row.from.address, row.verdictReason]
  })
  expect(found).toEqual(rows)
})
