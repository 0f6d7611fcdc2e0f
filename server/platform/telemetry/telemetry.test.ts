import { expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { catalogs } from '#web/texts/catalog.ts'
import { CONNECTION_REFUSALS, MESSAGE_OUTCOMES, RECIPIENT_REFUSALS, SENDER_REFUSALS } from './labels.ts'
import { Telemetry } from './telemetry.ts'

test.each(LANGUAGES)("every reason that is counted has a text on the operator's page (%s)", async language => {
  const telemetry = new Telemetry([])
  telemetry.requestEnded({ route: '/api/mailboxes', method: 'POST', status: 429, seconds: 1 })
  for (const reason of CONNECTION_REFUSALS) telemetry.connectionRefused(reason)
  for (const reason of SENDER_REFUSALS) telemetry.senderRefused(reason)
  for (const reason of RECIPIENT_REFUSALS) telemetry.recipientRefused(reason)
  for (const outcome of MESSAGE_OUTCOMES) telemetry.messageAnswered(outcome, 1, 1)
  const { operator } = await (await catalogs[language]()).lazyAreas.operator()
  expect(Object.keys(telemetry.counts.current.refused).filter(reason => !(reason in operator.reasons))).toEqual([])
})
