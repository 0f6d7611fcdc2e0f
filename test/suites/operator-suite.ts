/** Messages to the operator: contact messages, and mail to postmaster and abuse. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSecretBox } from '#server/database/secret-box.ts'
import { MessageRetention } from '#server/operator/message-retention.ts'
import { openOperator } from '#server/operator/operator.ts'
import { createLog } from '#server/platform/log.ts'
import { DAY_MS, INBOX_LIMITS, PASSWORD, SECRET, type TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'

export function operatorSuite(features: TestDatabaseFeatures): void {
  describe('contact', () => {
    const form = { name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message: 'Is this\nmultiline?' }

    test('a message is stored, forwarded only to the operator, and marked as forwarded', async () => {
      await features.operator.contact.receive(form, 'en')
      const mail = await features.recorder.next('operator@example.com')
      expect(mail).toMatchObject({ recipients: ['operator@example.com'], from: 'no-reply@mayfly.test', replyTo: form.email })
      expect(mail.subject).toBe('[Mayfly] A question')
      expect(mail.text).toContain('Is this\nmultiline?')
      await features.outbox.flush()
      const [stored] = await features.operator.contact.list(1)
      expect(stored).toMatchObject({ ...form, read_at: null, forwarded_at: expect.any(Number) })
    })

    test('header injection is refused', async () => {
      const attempts = [
        { ...form, name: 'Ada\r\nBcc: v@x.test' },
        { ...form, subject: 'A question\u2028Bcc: v@x.test' },
        { ...form, email: 'a@x.test\nBcc: v@x.test' },
        { ...form, message: 'with a bell \u0007 in it' },
      ]
      for (const attempt of attempts)
        await expect(features.operator.contact.receive(attempt, 'en')).rejects.toMatchObject({ code: 'invalid_request' })
    })

    test('text that looks like a file, a URL or a list of recipients stays text', async () => {
      const strange = {
        name: '{"path":"/etc/passwd"}',
        email: 'v@x.test',
        subject: '%0d%0aBcc: v2@x.test',
        message: 'file:///etc/passwd http://127.0.0.1/',
      }
      await features.operator.contact.receive(strange, 'en')
      const mail = await features.recorder.next('operator@example.com')
      expect(mail.recipients).toEqual(['operator@example.com'])
      expect(mail.subject).toBe('[Mayfly] %0d%0aBcc: v2@x.test')
      expect(mail.text).toContain('{"path":"/etc/passwd"}')
      expect(mail.text).not.toContain('root:')
    })

    test('while the relay is down mail waits with growing pauses, and is sent in the end', async () => {
      features.recorder.isDown = true
      await features.operator.contact.receive({ ...form, subject: 'While you were out' }, 'en')
      await features.outbox.flush()
      expect(await features.outbox.waiting()).toBe(1)
      features.recorder.isDown = false
      await features.outbox.flush()
      expect(await features.outbox.waiting(), 'not before the pause is over').toBe(1)
      // Another process finds it after a restart.
      await features.close()
      features.now += 30_000
      await features.open()
      expect((await features.recorder.next('operator@example.com')).subject).toBe('[Mayfly] While you were out')
      await features.outbox.flush()
      expect(await features.outbox.waiting()).toBe(0)
    })

    test('waiting mail is stored encrypted', async () => {
      features.recorder.isDown = true
      await features.accounts.signUps.start({ email: 'sealed@example.com', password: PASSWORD, language: 'en' })
      await features.outbox.flush()
      const stored = JSON.stringify(await features.withDatabase(({ db }) => db.selectFrom('outbox').selectAll().execute()))
      expect(stored).not.toMatch(/sealed@example|confirm/)
      features.recorder.isDown = false
      features.now += 30_000
      await features.outbox.flush()
    })
  })

  describe('operator mail', () => {
    const raw = Buffer.from('From: x@example.net\r\nSubject: \xff report\r\n\r\nbody\r\n', 'latin1')

    test('is stored encrypted, byte for byte, and forwarded as it arrived', async () => {
      expect(await features.operator.inbox.receive({ recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net', raw })).toBe('stored')
      const [row] = await features.operator.inbox.list(10)
      expect(row).toMatchObject({
        head: { recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net' },
        bytes: raw.length,
        readAt: null,
      })
      expect(await features.operator.inbox.read(row?.id ?? 0)).toEqual({
        recipient: 'abuse@mayfly.test',
        envelopeFrom: 'x@example.net',
        raw,
      })
      expect((await features.operator.inbox.list(1))[0]?.readAt).toEqual(expect.any(Number))
      const stored = await features.withDatabase(({ db }) => db.selectFrom('operator_messages').select('sealed').execute())
      expect(Buffer.concat(stored.map(({ sealed }) => sealed)).includes('report')).toBe(false)
      const mail = await features.recorder.next('operator@example.com')
      expect(mail.subject).toBe('[Mayfly] Mail for abuse@mayfly.test')
      expect(mail.raw.toString()).toContain(raw.toString('base64').slice(0, 60))
    })

    test('a repeated or simultaneous delivery creates one message and forwards one mail', async () => {
      const mail = { recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net', raw: Buffer.from('Subject: again\r\n\r\nonce\r\n') }
      const before = (await features.operator.inbox.list(1000)).length
      await Promise.all(Array.from({ length: 5 }, () => features.operator.inbox.receive(mail)))
      await features.operator.inbox.receive({ ...mail, envelopeFrom: '' })
      await features.operator.inbox.receive({ ...mail, recipient: 'postmaster@mayfly.test' })
      expect(await features.operator.inbox.list(1000)).toHaveLength(before + 2)
      expect((await features.recorder.next('operator@example.com')).subject).toBe('[Mayfly] Mail for abuse@mayfly.test')
      expect((await features.recorder.next('operator@example.com')).subject).toBe('[Mayfly] Mail for postmaster@mayfly.test')
      await features.outbox.flush()
      expect(await features.outbox.waiting()).toBe(0)
    })

    test('mail that cannot be queued for forwarding is not stored, so the retry is stored', async () => {
      const mail = { recipient: 'abuse@mayfly.test', envelopeFrom: '', raw: Buffer.from('Subject: in one step\r\n\r\nx\r\n') }
      const form = { name: 'Ada L.', email: 'ada@example.com', subject: 'In one step', message: 'Stored and queued, or neither.' }
      const before = [(await features.operator.inbox.list(1000)).length, (await features.operator.contact.list(1000)).length]
      await features.withDatabase(({ db }) => sql`alter table outbox rename to outbox_away`.execute(db))
      await expect(features.operator.inbox.receive(mail)).rejects.toThrow(/outbox/)
      await expect(features.operator.contact.receive(form, 'en')).rejects.toThrow(/outbox/)
      await features.withDatabase(({ db }) => sql`alter table outbox_away rename to outbox`.execute(db))
      expect([(await features.operator.inbox.list(1000)).length, (await features.operator.contact.list(1000)).length]).toEqual(before)
      await features.operator.inbox.receive(mail)
      await features.operator.contact.receive(form, 'en')
      const subjects = [
        (await features.recorder.next('operator@example.com')).subject,
        (await features.recorder.next('operator@example.com')).subject,
      ]
      expect(subjects.sort()).toEqual(['[Mayfly] In one step', '[Mayfly] Mail for abuse@mayfly.test'])
    })

    test('has a size limit, and a full inbox deletes read and old mail first', async () => {
      const big = Buffer.alloc(INBOX_LIMITS.messageBytesMax)
      const mail = { recipient: 'postmaster@mayfly.test', envelopeFrom: '', raw: big }
      expect(await features.operator.inbox.receive({ ...mail, raw: Buffer.alloc(big.length + 1) })).toBe('message_too_large')
      features.recorder.isDown = true
      const [first] = await features.operator.inbox.list(1)
      for (let index = 0; index < 21; index++) {
        big.writeUInt32BE(index)
        await features.operator.inbox.receive(mail)
      }
      const kept = await features.operator.inbox.list(1000)
      expect(kept).toHaveLength(20)
      expect(kept.map(row => row.id)).not.toContain(first?.id)
    })
  })

  test('messages of every kind are deleted once they are a year old, and not before', async () => {
    await features.withDatabase(async database => {
      const { db } = database
      // Later than what the other tests stored.
      let now = Date.now() + DAY_MS
      const clock = () => now
      const operator = openOperator({ database, secretBox: createSecretBox(SECRET), clock })
      const receive = async () => {
        const message = 'For how long is this kept?'
        await operator.contact.receive({ name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message }, 'en')
        const [{ id = 0 } = {}] = await operator.contact.list(1)
        // A copy that the relay has not taken yet.
        const copy = { sealed: '', attempts: 1, next_attempt_at: now + 1000 * DAY_MS, gives_up_at: now, contact_message_id: id }
        await db.insertInto('outbox').values(copy).execute()
        await operator.reports.receive({ kind: 'spam', address: 'a.b@mayfly.test', message })
        await operator.inbox.receive({ recipient: 'abuse@mayfly.test', envelopeFrom: '', raw: Buffer.from(`Subject: ${now}\r\n\r\n`) })
      }
      const tables = ['contact_messages', 'abuse_reports', 'operator_messages'] as const
      const stored = () =>
        Promise.all(tables.map(table => db.selectFrom(table).select('received_at').orderBy('id', 'desc').limit(2).execute()))
      const copies = async () => {
        const from = db.selectFrom('contact_messages').innerJoin('outbox', 'contact_message_id', 'contact_messages.id')
        const orphans = db.selectFrom('outbox').where('contact_message_id', 'not in', db.selectFrom('contact_messages').select('id'))
        return {
          ofMessages: (await from.select('outbox.id').where('sealed', '=', '').execute()).length,
          orphans: (await orphans.select('id').where('sealed', '=', '').execute()).length,
        }
      }
      const keptDays = 365
      await using retention = new MessageRetention({ db, clock, log: createLog('silent'), keptDays })

      const first = { received_at: now }
      await receive()
      now += keptDays * DAY_MS - 1
      const second = { received_at: now }
      await receive()
      await retention.sweep()
      expect(await stored()).toEqual(tables.map(() => [second, first]))
      expect(await copies()).toEqual({ ofMessages: 2, orphans: 0 })
      now += 1
      await retention.sweep()
      expect(await stored()).toEqual(tables.map(() => [second]))
      expect(await copies(), 'the copy that waited goes with its message').toEqual({ ofMessages: 1, orphans: 0 })
      now += keptDays * DAY_MS
      await retention.sweep()
      expect(await copies()).toEqual({ ofMessages: 0, orphans: 0 })
    })
  })
}
