/** Messages to the operator: contact messages, and mail to postmaster and abuse. */

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { openDatabase } from '#server/database/database.ts'
import { AuditLog } from '#server/operator/audit-log.ts'
import { StoredDomains, seedDomains } from '#server/operator/domains.ts'
import { openOperatorRecords } from '#server/operator/operator.ts'
import { TOTP_STEP_MS, totpCodeAt } from '#server/operator/totp.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { fromBase32 } from '../harness/clients/operator.ts'
import { INBOX_LIMITS, PASSWORD, type TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'
import { sweepAll, testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'

export function operatorSuite(features: TestDatabaseFeatures): void {
  describe('contact', () => {
    const form = { name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message: 'Is this\nmultiline?' }

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
      expect((await features.recorder.next('operator@example.com')).subject).toBe('[Mayfly] Contact form: While you were out')
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

  describe('domains', () => {
    const names = async () => (await features.operator.storedDomains.list()).map(({ name, state }) => `${name} ${state}`)

    test('those of the first start are offered, and later starts change nothing', async () => {
      const seed = async (MAIL_DOMAINS: string, env = {}) =>
        (await features.withDatabase(database => seedDomains(testDatabaseAccess(database), readConfig({ MAIL_DOMAINS, ...env })))).advice
      expect(await seed('mayfly.test,*.box.test')).toBeUndefined()
      expect(await seed('mayfly.test,other.test')).toBe(
        'MAIL_DOMAINS names other.test, but it counts at the first start only. Add it on the operator\'s page or with "mayfly domain add", or take it out of MAIL_DOMAINS.',
      )
      // The advice must not change what follows from the first name.
      const relay = { SMTP_RELAY_URL: 'smtp://relay.test' }
      expect(await seed('*.other.test,mayfly.test', relay)).toMatch(
        /after you have set what follows from its first name: MAIL_HOST=other\.test and MAIL_FROM=no-reply@other\.test\.$/,
      )
      const set = { MAIL_HOST: 'mx.mayfly.test', MAIL_FROM: 'no-reply@mayfly.test' }
      expect(await seed('other.test', { ...relay, ...set })).toMatch(/or take it out of MAIL_DOMAINS\.$/)
      expect(await features.operator.storedDomains.list()).toEqual([
        { name: 'mayfly.test', state: 'offered', hasSubdomains: false, endsAt: null, livingUntil: 0 },
        { name: 'box.test', state: 'offered', hasSubdomains: true, endsAt: null, livingUntil: 0 },
      ])
    })

    test('a domain is retired when its last address has ended, at the earliest', async () => {
      const { storedDomains: domains } = features.operator
      await domains.keepUntil('box.test', features.now + 90_000)
      await domains.keepUntil('box.test', features.now + 1000)
      const { livingUntil } = (await domains.list())[1] ?? { livingUntil: 0 }
      expect(livingUntil).toBeGreaterThanOrEqual(features.now + 90_000)
      expect(livingUntil - features.now - 90_000, 'only to ten minutes').toBeLessThan(600_000)
      await expect(domains.retire('op@example.com', 'box.test', features.now + 80_000)).rejects.toMatchObject({ code: 'invalid_request' })
      expect(await domains.retire('op@example.com', 'box.test')).toMatchObject({ state: 'retired', endsAt: livingUntil })
      await expect(domains.remove('op@example.com', 'box.test')).rejects.toMatchObject({ code: 'invalid_request' })
      features.now = livingUntil
      await domains.remove('op@example.com', 'box.test')
      expect(await names()).toEqual(['mayfly.test offered'])
    })

    test('the last domain that is offered stays, and forwarded mail must not come back', async () => {
      const { storedDomains: domains } = features.operator
      for (const change of ['pause', 'retire', 'remove'] as const)
        await expect(domains[change]('op', 'mayfly.test')).rejects.toMatchObject({ detail: expect.stringContaining('the only domain') })
      await expect(domains.add('op', 'example.com')).rejects.toMatchObject({ detail: expect.stringContaining('CONTACT_TO') })
      await domains.add('op', 'second.test')
      await domains.pause('op', 'mayfly.test')
      expect(await domains.add('op', '*.second.test'), 'again, with subdomains').toMatchObject({ hasSubdomains: true, state: 'offered' })
      expect(await names()).toEqual(['mayfly.test paused', 'second.test offered'])
      const done = (await features.operator.audit.list(3)).map(({ action, subject }) => `${action} ${subject}`)
      expect(done).toEqual(['domain.add second.test', 'domain.pause mayfly.test', 'domain.add second.test'])
    })
  })

  describe('domains that end while other processes still give addresses there', () => {
    let ending = ''
    let tests = 0
    const UNTIL = 600_000
    const added = async () => {
      ending = `ending-${++tests}.test`
      const { storedDomains: domains } = features.operator
      await domains.add('op', ending)
      return domains
    }
    const takesMail = async (atMs = features.now) => {
      const domain = (await features.operator.storedDomains.inUse()).find(domain => domain.name === ending)
      return domain !== undefined && (domain.endsAt === null || domain.endsAt > atMs)
    }
    const living = () => Math.ceil((features.now + UNTIL) / 600_000) * 600_000

    test('a retired one goes on for the last address', async () => {
      const domains = await added()
      await domains.retire('op', ending)
      expect([await takesMail(), await takesMail(features.now + 10_000)]).toEqual([true, false])
      await domains.keepUntil(ending, features.now + UNTIL)
      expect([await takesMail(living() - 1), await takesMail(living())]).toEqual([true, false])
    })

    test('a removed one comes back as retired', async () => {
      const domains = await added()
      await domains.remove('op', ending)
      expect([await takesMail(), await takesMail(features.now + 10_000)]).toEqual([true, false])
      expect((await domains.list()).map(({ name }) => name)).not.toContain(ending)
      await domains.keepUntil(ending, features.now + UNTIL)
      expect(await domains.list()).toContainEqual(expect.objectContaining({ name: ending, state: 'retired', endsAt: living() }))
    })

    test('one that was removed although addresses live takes no mail, and knows of them when it is added again', async () => {
      const domains = await added()
      await domains.keepUntil(ending, features.now + UNTIL)
      await domains.remove('op', ending, { isNow: true })
      await domains.keepUntil(ending, features.now + 2 * UNTIL)
      expect(await takesMail()).toBe(false)
      await domains.add('op', 'other.test')
      expect(await domains.add('op', ending)).toMatchObject({ state: 'offered', endsAt: null, livingUntil: expect.any(Number) })
      await expect(domains.remove('op', ending)).rejects.toMatchObject({ detail: expect.stringContaining('live until') })
      for (const name of [ending, 'other.test']) await domains.remove('op', name, { isNow: true })
    })

    test('of two operators who pause the last two domains at once, one is refused', async () => {
      await using others = await openDatabase(features.location)
      const access = testDatabaseAccess(others, { clock: () => features.now })
      const second = new StoredDomains({ ...access, audit: new AuditLog(access), config: readConfig({}) })
      const first = await added()
      const rest = (await first.list()).filter(({ name, state }) => state === 'offered' && name !== ending).map(({ name }) => name)
      for (const name of rest.slice(1)) await first.pause('op', name)
      for (let round = 0; round < 20; round++) {
        const both = [first.pause('one', ending), second.pause('two', rest[0] ?? '')]
        expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        for (const name of [ending, rest[0] ?? '']) await first.offer('op', name)
      }
      await first.remove('op', ending, { isNow: true })
    })
  })

  test('a session that ended meanwhile completes no second factor', async () => {
    const { secondFactor } = features.operator
    const person = { id: 'operator', email: 'second@example.com', sessionId: 'stolen' }
    const times = { created_at: features.now, expires_at: features.now + DAY_MS }
    await features.withDatabase(async ({ db }) => {
      const user = {
        id: person.id,
        email: person.email,
        email_key: person.email,
        password_hash: '',
        language: 'en',
        created_at: features.now,
      }
      await db.insertInto('users').values(user).execute()
      const session = { id: person.sessionId, token_hash: 'stolen', user_id: person.id, device: null, ...times }
      await db.insertInto('sessions').values(session).execute()
    })
    const { secret } = await secondFactor.enrol(person)
    await features.withDatabase(({ db }) => db.deleteFrom('users').where('id', '=', person.id).execute())
    const code = totpCodeAt(fromBase32(secret), Math.floor(features.now / TOTP_STEP_MS))
    await expect(secondFactor.confirm(person, code)).rejects.toMatchObject({ code: 'sign_in_required' })
    expect(await secondFactor.isEnrolled(person)).toBe(false)
  })

  describe('a flood from many networks', () => {
    const mail = { recipient: 'abuse@mayfly.test', envelopeFrom: '' }
    const form = { name: 'Ada L.', email: 'ada@example.com', message: 'Is this kept?' }
    /** How one is written, how they are listed, how many are kept, and the columns that a copy of a row has in common with it. */
    const kinds = {
      contact_messages: {
        receive: (subject: string) => features.operator.contact.receive({ ...form, subject }, 'en'),
        list: (limit: number): Promise<readonly { id: number }[]> => features.operator.contact.list(limit),
        max: 5000,
        columns: 'name, email, subject, message, language, received_at',
      },
      abuse_reports: {
        receive: (address: string) => features.operator.reports.receive({ kind: 'spam', address, message: form.message }),
        list: (limit: number) => features.operator.reports.list(limit),
        max: 2000,
        columns: 'sealed, received_at',
      },
      operator_messages: {
        receive: (line: string) => features.operator.inbox.receive({ ...mail, raw: Buffer.from(`Subject: ${line}\r\n\r\n`) }),
        list: (limit: number) => features.operator.inbox.list(limit),
        max: INBOX_LIMITS.messagesMax,
        columns: 'sealed, received_at, bytes',
      },
    }

    test.each(Object.keys(kinds) as (keyof typeof kinds)[])('pushes out itself, stored and shown: %s', async table => {
      features.recorder.isDown = true
      const { receive, list, max, columns } = kinds[table]
      const from = (address: string) => serve(networksAround(address), () => receive(`from ${address}`))
      const ids = () => features.withDatabase(({ db }) => db.selectFrom(table).select('id').orderBy('id').execute())
      await features.withDatabase(({ db }) => db.deleteFrom(table).execute())
      await from('203.0.113.7')
      const honest = await ids()
      for (let network = 0; network < 25; network++) await from(`198.51.${network}.1`)
      // The flood seems to have gone on for months.
      for (let round = 1; (await ids()).length <= max; round++) {
        const [into, out] = table === 'operator_messages' ? [', content_hash', `, content_hash || '-${round}'`] : ['', '']
        const copied = sql.raw(`insert into ${table} (${columns}, network${into}) select ${columns}, network${out} from ${table}`)
        await features.withDatabase(({ db }) => sql`${copied} where id > ${honest[0]?.id}`.execute(db))
      }
      await from('198.51.0.2')
      const kept = await ids()
      expect(kept).toHaveLength(max)
      expect(kept[0]).toEqual(honest[0])
      const shown = (await list(30)).map(({ id }) => id)
      expect(shown, 'newest first').toEqual(shown.toSorted((one, other) => other - one))
      expect([shown.length, shown.at(-1)]).toEqual([30, honest[0]?.id])
      await features.outbox.flush()
      for (const emptied of [table, 'outbox'] as const) await features.withDatabase(({ db }) => db.deleteFrom(emptied).execute())
      features.recorder.isDown = false
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

    test('no name in its copy turns the direction of what stands beside it', async () => {
      const names = { recipient: 'abuse+\u202elmth@mayfly.test', envelopeFrom: 'knab\u2067@example.net' }
      await features.operator.inbox.receive({ ...names, raw: Buffer.from('Subject: turned\r\n\r\nx\r\n') })
      const mail = await features.recorder.next('operator@example.com')
      expect(mail.subject).toBe('[Mayfly] Mail for abuse+ lmth@mayfly.test')
      expect(mail.text).toContain('from <knab @example.net>')
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
      await expect(features.operator.inbox.receive(mail)).rejects.toThrow(/outbox|unavailable/)
      await expect(features.operator.contact.receive(form, 'en')).rejects.toThrow(/outbox|unavailable/)
      await features.withDatabase(({ db }) => sql`alter table outbox_away rename to outbox`.execute(db))
      expect([(await features.operator.inbox.list(1000)).length, (await features.operator.contact.list(1000)).length]).toEqual(before)
      await features.operator.inbox.receive(mail)
      await features.operator.contact.receive(form, 'en')
      const subjects = [
        (await features.recorder.next('operator@example.com')).subject,
        (await features.recorder.next('operator@example.com')).subject,
      ]
      expect(subjects.sort()).toEqual(['[Mayfly] Contact form: In one step', '[Mayfly] Mail for abuse@mayfly.test'])
    })

    test('has a size limit, and a full inbox deletes read and old mail first', async () => {
      const big = Buffer.alloc(INBOX_LIMITS.messageBytesMax)
      const mail = { recipient: 'postmaster@mayfly.test', envelopeFrom: '', raw: big }
      expect(await features.operator.inbox.receive({ ...mail, raw: Buffer.alloc(big.length + 1) })).toBe('message_too_large')
      features.recorder.isDown = true
      const [first] = await features.operator.inbox.list(1)
      for (let index = 0; index < 26; index++) {
        big.writeUInt32BE(index)
        await features.operator.inbox.receive(mail)
      }
      const kept = await features.operator.inbox.list(1000)
      expect(kept).toHaveLength(25)
      expect(kept.map(row => row.id)).not.toContain(first?.id)
    })
  })

  test('messages of every kind are deleted once they are a year old, and not before', async () => {
    await features.withDatabase(async database => {
      const { db } = database
      // Later than what the other tests stored.
      let now = Date.now() + DAY_MS
      const clock = () => now
      const access = testDatabaseAccess(database, { clock })
      const operator = openOperatorRecords(access, { config: readConfig({}) })
      const receive = async () => {
        const message = 'For how long is this kept?'
        await operator.contact.receive({ name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message }, 'en')
        const [{ id = 0 } = {}] = await operator.contact.list(1)
        // A copy that the relay has not taken yet.
        const copy = {
          sealed: '',
          attempts: 1,
          is_retry: 1,
          next_attempt_at: now + 1000 * DAY_MS,
          gives_up_at: now,
          contact_message_id: id,
          network: '',
          domain: '',
        }
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
      const contactDays = 365
      const sweep = () => sweepAll(access, contactDays)

      const first = { received_at: now }
      await receive()
      now += contactDays * DAY_MS - 1
      const second = { received_at: now }
      await receive()
      await sweep()
      expect(await stored()).toEqual(tables.map(() => [second, first]))
      expect(await copies()).toEqual({ ofMessages: 2, orphans: 0 })
      now += 1
      await sweep()
      expect(await stored()).toEqual(tables.map(() => [second]))
      expect(await copies(), 'the copy that waited goes with its message').toEqual({ ofMessages: 1, orphans: 0 })
      now += contactDays * DAY_MS
      await sweep()
      expect(await copies()).toEqual({ ofMessages: 0, orphans: 0 })
    })
  })
}
