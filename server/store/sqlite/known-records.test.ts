import { expect, test } from 'vitest'
import { mailboxRecord } from '#test/harness/mayfly/store-fixture.ts'
import { KnownRecords } from './known-records.ts'

test('a record is found until its mailbox expires, and not afterwards when the clock goes back', () => {
  const known = new KnownRecords()
  const record = mailboxRecord(2000)
  known.noteTime(1999)
  known.keep(record, known.version)
  expect(known.find(record.mailboxId)).toBe(record)
  known.noteTime(2000)
  known.noteTime(1000)
  expect(known.find(record.mailboxId)).toBeUndefined()
})

test('a record that was requested before its mailbox was destroyed is not kept', () => {
  const known = new KnownRecords()
  const record = mailboxRecord(2000)
  const { version } = known
  known.forget(record.mailboxId)
  known.keep(record, version)
  expect(known.find(record.mailboxId)).toBeUndefined()
})

test('after a failure no record is kept', () => {
  const known = new KnownRecords()
  const record = mailboxRecord(2000)
  const { version } = known
  known.keep(record, version)
  known.clear()
  known.keep(mailboxRecord(2000), version)
  expect(known.find(record.mailboxId)).toBeUndefined()
})
