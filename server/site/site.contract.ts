/** What the site promises, on whichever database it stands. Run against real engines in site.test.ts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '#server/errors.ts'
import { createLog } from '#server/log.ts'
import { createSmtpRelay } from '#server/mail-out/smtp-relay.ts'
import { type MailRecorder, startMailRecorder } from '#test/mail-recorder.ts'
import { openSiteDatabase, type SiteDatabase } from './database.ts'
import { createPasswords } from './password.ts'
import { openSite, type Site } from './site.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'correct horse'
const SECRET = Buffer.alloc(32, 7)
/** The scheme and the queue of the product at a thousandth of the work. */
const CHEAP = { N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 }
/** Those of the product in small: twenty mails of full size fill the inbox. */
const INBOX = { messageBytesMax: 5000, messagesMax: 1000, allBytesMax: 100_000 }

export function siteContract(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    let recorder: MailRecorder
    let folder: string
    let databaseUrl: string | undefined
    let site: Site
    let now: number

    const open = (secret: Uint8Array = SECRET) =>
      openSite({
        config: {
          databaseUrl,
          dataDir: folder,
          domains: ['mayfly.test', 'box.test'],
          siteName: 'Mayfly',
          contactTo: 'operator@example.com',
          smtpRelayUrl: recorder.url,
        },
        secret,
        publicUrl: 'https://mayfly.example',
        clock: () => now,
        log: createLog('silent'),
        mailOut: createSmtpRelay({ url: recorder.url, from: 'no-reply@mayfly.test', siteName: 'Mayfly' }),
        mail: () => {
          throw new Error('no address is made in these tests')
        },
        slugs: ['why-use-temporary-email', 'identify-ai-phishing'],
        passwords: createPasswords(CHEAP),
        operatorInboxLimits: INBOX,
      })

    async function rows<T>(work: (database: SiteDatabase) => Promise<T>): Promise<T> {
      await using database = await openSiteDatabase({ databaseUrl, dataDir: folder })
      return await work(database)
    }

    async function tokenFor(email: string): Promise<string> {
      const { link } = await recorder.next(email)
      return new URL(link ?? '').hash.slice(1)
    }

    async function confirmed(email: string, password = PASSWORD): Promise<void> {
      await site.accounts.signUp({ email, password, language: 'en' })
      await site.accounts.confirm(await tokenFor(email))
    }

    beforeAll(async () => {
      recorder = await startMailRecorder()
      folder = mkdtempSync(join(tmpdir(), 'mayfly-site-'))
      databaseUrl = await createDatabase()
      now = Date.now()
      site = await open()
    })

    afterEach(() => {
      now = Date.now()
      recorder.isDown = false
    })

    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await recorder[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    describe('database', () => {
      test('migrations run once, also when two processes start together', async () => {
        const opened = await Promise.all([1, 2, 3].map(() => openSiteDatabase({ databaseUrl, dataDir: folder })))
        await Promise.all(opened.map(database => database[Symbol.asyncDispose]()))
        expect(await rows(({ db }) => db.selectFrom('blog_post_views').selectAll().execute())).toEqual([])
      })

      test('the tables are what better-auth expects', async () => {
        const { getMigrations } = await import('better-auth/db/migration')
        const { createAuth } = await import('./auth.ts')
        const { createVault } = await import('./vault.ts')
        await rows(async database => {
          const parts = { database, vault: createVault(SECRET), secret: SECRET, passwords: createPasswords(), publicUrl: 'https://x.test' }
          const { options } = createAuth(parts)
          const plan = await getMigrations({ ...options, database: { db: database.db, type: database.dialect } })
          expect({ created: plan.toBeCreated, added: plan.toBeAdded }).toEqual({ created: [], added: [] })
        })
      })
    })

    describe('sign-up and confirmation', () => {
      test('the mail carries a link, the link opens the account once, and only then can one sign in', async () => {
        const email = 'ada@example.com'
        await site.accounts.signUp({ email, password: PASSWORD, language: 'es' })
        await expect(site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'email_not_confirmed' })
        const first = await recorder.next(email)
        expect(first.subject).toBe('Confirma tu cuenta de Mayfly')
        expect(first.link).toMatch(/^https:\/\/mayfly\.example\/auth\/confirm\?lang=es#[\w-]{43}$/)
        expect(first.html).toContain('Confirmar mi dirección')
        const second = await tokenFor(email)
        const firstToken = new URL(first.link ?? '').hash.slice(1)
        await expect(site.accounts.confirm(firstToken), 'only the newest link works').rejects.toMatchObject({ code: 'link_expired' })
        await site.accounts.confirm(second)
        await expect(site.accounts.confirm(second), 'a link works once').rejects.toMatchObject({ code: 'link_expired' })
        const { session, setCookies } = await site.accounts.signIn({ email, password: PASSWORD })
        expect(session.email).toBe(email)
        expect(setCookies).toHaveLength(1)
        expect(setCookies[0]).toMatch(/^__Host-mayfly_session=/)
        for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(setCookies[0]).toContain(flag)
        expect(setCookies[0]).not.toContain('Domain=')
      })

      test('of a hundred uses of one link at once, one counts', async () => {
        const email = 'race@example.com'
        await site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
        const token = await tokenFor(email)
        const ends = await Promise.allSettled(Array.from({ length: 100 }, () => site.accounts.confirm(token)))
        expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1)
      })

      test('of ten sign-ups at once for one address, one makes the account', async () => {
        const request = { email: 'ten@example.com', password: PASSWORD, language: 'en' as const }
        const ends = await Promise.allSettled(Array.from({ length: 10 }, () => site.accounts.signUp(request)))
        const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
        expect(refused.every(reason => reason instanceof AppError && reason.code === 'account_exists')).toBe(true)
        // One that comes after another has ended replaces it, unconfirmed as it is: of all links that were mailed, one opens an account.
        const tokens = await Promise.all(Array.from({ length: 10 - refused.length }, () => tokenFor(request.email)))
        const confirmed = await Promise.allSettled(tokens.map(token => site.accounts.confirm(token)))
        expect(confirmed.filter(end => end.status === 'fulfilled')).toHaveLength(1)
        await site.accounts.signIn(request)
      })

      test('a link dies after a day', async () => {
        const email = 'late@example.com'
        await site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
        const token = await tokenFor(email)
        now += DAY_MS
        await expect(site.accounts.confirm(token)).rejects.toMatchObject({ code: 'link_expired' })
      })

      test('an unconfirmed sign-up is replaced by the next one, password and link', async () => {
        const email = 'again@example.com'
        await site.accounts.signUp({ email, password: 'first password', language: 'en' })
        const first = await tokenFor(email)
        await site.accounts.signUp({ email, password: 'second password', language: 'en' })
        await expect(site.accounts.confirm(first)).rejects.toMatchObject({ code: 'link_expired' })
        await site.accounts.confirm(await tokenFor(email))
        await expect(site.accounts.signIn({ email, password: 'first password' })).rejects.toMatchObject({ code: 'credentials_wrong' })
        await site.accounts.signIn({ email, password: 'second password' })
      })

      test('a confirmed address cannot sign up again, nor with a tag or in capitals', async () => {
        await confirmed('owner@example.com')
        for (const email of ['owner@example.com', 'Owner+shop@Example.com', 'OWNER@EXAMPLE.COM']) {
          await expect(site.accounts.signUp({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
            code: 'account_exists',
          })
        }
      })

      test('addresses of our own domains cannot sign up', async () => {
        for (const email of ['me@mayfly.test', 'me@BOX.test', 'me@sub.mayfly.test']) {
          await expect(site.accounts.signUp({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
            code: 'email_not_allowed',
          })
        }
      })

      test('a sign-up that is never confirmed is forgotten', async () => {
        const email = 'forgotten@example.com'
        await site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
        now += 8 * DAY_MS
        await site.sweep()
        await expect(site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
      })
    })

    describe('sessions', () => {
      test('wrong password and unknown address answer alike', async () => {
        await confirmed('known@example.com')
        const attempts = [
          { email: 'known@example.com', password: 'not the password' },
          { email: 'unknown@example.com', password: PASSWORD },
        ]
        for (const attempt of attempts) {
          await expect(site.accounts.signIn(attempt)).rejects.toMatchObject({ code: 'credentials_wrong', detail: undefined })
        }
      })

      test('sign-out ends this session, sign-out everywhere ends all', async () => {
        const email = 'many@example.com'
        await confirmed(email)
        const [one, two, three] = await Promise.all([signIn(email), signIn(email), signIn(email)])
        await site.accounts.signOut(one)
        expect(await isSignedIn(one)).toBe(false)
        expect(await isSignedIn(two)).toBe(true)
        const { setCookies } = await site.accounts.signOutEverywhere(two)
        expect(setCookies.find(cookie => cookie.startsWith('__Host-mayfly_session='))).toContain('Max-Age=0')
        expect([await isSignedIn(two), await isSignedIn(three)]).toEqual([false, false])
      })

      test('the database holds no token that would open a session, signed or not', async () => {
        const email = 'hashed@example.com'
        await confirmed(email)
        const headers = await signIn(email)
        const value = decodeURIComponent(headers.get('cookie')?.split('=')[1] ?? '')
        const [token, signature] = value.split('.')
        const stored = await rows(({ db }) => db.selectFrom('sessions').selectAll().execute())
        expect(JSON.stringify(stored)).not.toContain(token)
        expect(await isSignedIn(headers)).toBe(true)
        expect(await isSignedIn(cookie(token ?? ''))).toBe(false)
        expect(await isSignedIn(cookie(`${token}.${signature?.replace(/^./, signature.startsWith('A') ? 'B' : 'A')}`))).toBe(false)
      })

      test('a visitor without the cookie is nobody, and a strange cookie too', async () => {
        expect(await site.accountOf(new Headers())).toBeUndefined()
        expect(await site.accountOf(cookie('x'.repeat(10_000)))).toBeUndefined()
      })

      test('however much used, a session ends after 90 days', async () => {
        const email = 'absolute@example.com'
        await confirmed(email)
        const headers = await signIn(email)
        now += 91 * DAY_MS
        expect(await isSignedIn(headers)).toBe(false)
        now = Date.now()
        expect(await isSignedIn(headers), 'and stays ended').toBe(false)
      })
    })

    describe('forgotten password', () => {
      test('the link sets the password once and ends every session', async () => {
        const email = 'reset@example.com'
        await confirmed(email)
        const headers = await signIn(email)
        await site.accounts.forgotPassword({ email: 'Reset@example.com', language: 'en' })
        const mail = await recorder.next(email)
        expect(mail.subject).toBe('Choose a new Mayfly password')
        const token = new URL(mail.link ?? '').hash.slice(1)
        await site.accounts.resetPassword({ token, password: 'a new password' })
        expect(await isSignedIn(headers)).toBe(false)
        await expect(site.accounts.resetPassword({ token, password: 'another one' })).rejects.toMatchObject({ code: 'link_expired' })
        await expect(site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
        await site.accounts.signIn({ email, password: 'a new password' })
      })

      test('a confirmation link is no reset link, and a reset link dies after an hour', async () => {
        const email = 'cross@example.com'
        await site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
        const confirmation = await tokenFor(email)
        await expect(site.accounts.resetPassword({ token: confirmation, password: PASSWORD })).rejects.toMatchObject({
          code: 'link_expired',
        })
        await site.accounts.confirm(confirmation)
        await site.accounts.forgotPassword({ email, language: 'en' })
        const reset = await tokenFor(email)
        now += 3_600_000
        await expect(site.accounts.resetPassword({ token: reset, password: PASSWORD })).rejects.toMatchObject({ code: 'link_expired' })
      })

      test('an unknown address gets the same answer and no mail', async () => {
        const before = recorder.mails.length
        expect(await site.accounts.forgotPassword({ email: 'nobody@example.com', language: 'en' })).toBeUndefined()
        await confirmed('marker@example.com')
        expect(recorder.mails.length).toBe(before + 1)
      })
    })

    describe('API keys', () => {
      test('a key acts for its account until it is revoked, and is kept as a hash', async () => {
        await confirmed('keys@example.com')
        const account = await site.accountOf(await signIn('keys@example.com'))
        const created = await site.apiKeys.create(account?.id ?? '', 'CI')
        expect(created.key).toMatch(/^mfk_[\w-]{43}$/)
        const headers = new Headers({ authorization: `Bearer ${created.key}` })
        expect(await site.accountOf(headers)).toEqual({ id: account?.id, by: 'api_key' })
        const [listed] = await site.apiKeys.list(account?.id ?? '')
        expect(listed).toMatchObject({ id: created.id, name: 'CI', prefix: created.key.slice(0, 12), lastUsedAt: expect.any(String) })
        const stored = await rows(({ db }) => db.selectFrom('api_keys').selectAll().execute())
        expect(JSON.stringify(stored)).not.toContain(created.key.slice(12))
        expect(await site.apiKeys.revoke('another user', created.id)).toBe(false)
        expect(await site.apiKeys.revoke(account?.id ?? '', created.id)).toBe(true)
        await expect(site.accountOf(headers)).rejects.toMatchObject({ code: 'sign_in_required' })
      })

      test('of thirty made at once, twenty are', async () => {
        await confirmed('limit@example.com')
        const account = await site.accountOf(await signIn('limit@example.com'))
        const ends = await Promise.allSettled(
          Array.from({ length: 30 }, (_, index) => site.apiKeys.create(account?.id ?? '', `key ${index}`)),
        )
        const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
        expect(refused).toEqual(Array(10).fill('api_keys_max'))
      })
    })

    describe('contact', () => {
      const form = { name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message: 'Is this\nmultiline?' }

      test('is stored, forwarded to the operator and nobody else, and marked', async () => {
        await site.contact.receive(form, 'en')
        const mail = await recorder.next('operator@example.com')
        expect(mail).toMatchObject({ recipients: ['operator@example.com'], from: 'no-reply@mayfly.test', replyTo: form.email })
        expect(mail.subject).toBe('[Mayfly] A question')
        expect(mail.text).toContain('Is this\nmultiline?')
        await site.outbox.flush()
        const [stored] = await site.contact.list(1)
        expect(stored).toMatchObject({ ...form, read_at: null, forwarded_at: expect.any(Number) })
      })

      test('header injection is refused', async () => {
        const attempts = [
          { ...form, name: 'Ada\r\nBcc: v@x.test' },
          { ...form, subject: 'A question\u2028Bcc: v@x.test' },
          { ...form, email: 'a@x.test\nBcc: v@x.test' },
          { ...form, message: 'with a bell \u0007 in it' },
        ]
        for (const attempt of attempts) await expect(site.contact.receive(attempt, 'en')).rejects.toMatchObject({ code: 'invalid_request' })
      })

      test('what looks like a file, a URL or a list of recipients stays text', async () => {
        const strange = {
          name: '{"path":"/etc/passwd"}',
          email: 'v@x.test',
          subject: '%0d%0aBcc: v2@x.test',
          message: 'file:///etc/passwd http://127.0.0.1/',
        }
        await site.contact.receive(strange, 'en')
        const mail = await recorder.next('operator@example.com')
        expect(mail.recipients).toEqual(['operator@example.com'])
        expect(mail.subject).toBe('[Mayfly] %0d%0aBcc: v2@x.test')
        expect(mail.text).toContain('{"path":"/etc/passwd"}')
        expect(mail.text).not.toContain('root:')
      })

      test('a relay that is down loses nothing: the mail waits, pauses grow, it goes out in the end', async () => {
        recorder.isDown = true
        await site.contact.receive({ ...form, subject: 'While you were out' }, 'en')
        await site.outbox.flush()
        expect(await site.outbox.waiting()).toBe(1)
        recorder.isDown = false
        await site.outbox.flush()
        expect(await site.outbox.waiting(), 'not before the pause is over').toBe(1)
        // Another process, after a restart, finds it.
        await site[Symbol.asyncDispose]()
        now += 30_000
        site = await open()
        expect((await recorder.next('operator@example.com')).subject).toBe('[Mayfly] While you were out')
        await site.outbox.flush()
        expect(await site.outbox.waiting()).toBe(0)
      })

      test('the outbox holds nothing readable', async () => {
        recorder.isDown = true
        await site.accounts.signUp({ email: 'sealed@example.com', password: PASSWORD, language: 'en' })
        await site.outbox.flush()
        const stored = JSON.stringify(await rows(({ db }) => db.selectFrom('outbox').selectAll().execute()))
        expect(stored).not.toMatch(/sealed@example|confirm/)
        recorder.isDown = false
        now += 30_000
        await site.outbox.flush()
      })
    })

    describe('operator mail', () => {
      const raw = Buffer.from('From: x@example.net\r\nSubject: \xff report\r\n\r\nbody\r\n', 'latin1')

      test('is kept byte for byte and sealed, and forwarded as it arrived', async () => {
        expect(await site.operatorInbox.receive({ recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net', raw })).toBe('stored')
        const [row] = await site.operatorInbox.list(10)
        expect(row).toMatchObject({
          head: { recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net' },
          bytes: raw.length,
          readAt: null,
        })
        expect(await site.operatorInbox.read(row?.id ?? 0)).toEqual({ recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net', raw })
        expect((await site.operatorInbox.list(1))[0]?.readAt).toEqual(expect.any(Number))
        const stored = await rows(({ db }) => db.selectFrom('operator_messages').select('sealed').execute())
        expect(Buffer.concat(stored.map(({ sealed }) => sealed)).includes('report')).toBe(false)
        const mail = await recorder.next('operator@example.com')
        expect(mail.subject).toBe('[Mayfly] Mail for abuse@mayfly.test')
        expect(mail.raw.toString()).toContain(raw.toString('base64').slice(0, 60))
      })

      test('a sender who comes again, or twice at once, makes no second message and no second letter', async () => {
        const mail = { recipient: 'abuse@mayfly.test', envelopeFrom: 'x@example.net', raw: Buffer.from('Subject: again\r\n\r\nonce\r\n') }
        const before = (await site.operatorInbox.list(1000)).length
        await Promise.all(Array.from({ length: 5 }, () => site.operatorInbox.receive(mail)))
        await site.operatorInbox.receive({ ...mail, recipient: 'Abuse@Mayfly.test', envelopeFrom: '' })
        await site.operatorInbox.receive({ ...mail, recipient: 'postmaster@mayfly.test' })
        expect(await site.operatorInbox.list(1000)).toHaveLength(before + 2)
        expect((await recorder.next('operator@example.com')).subject).toBe('[Mayfly] Mail for abuse@mayfly.test')
        expect((await recorder.next('operator@example.com')).subject).toBe('[Mayfly] Mail for postmaster@mayfly.test')
        await site.outbox.flush()
        expect(await site.outbox.waiting()).toBe(0)
      })

      test('what cannot be queued for forwarding is not stored either, so that the retry is the first', async () => {
        const mail = { recipient: 'abuse@mayfly.test', envelopeFrom: '', raw: Buffer.from('Subject: in one step\r\n\r\nx\r\n') }
        const form = { name: 'Ada L.', email: 'ada@example.com', subject: 'In one step', message: 'Stored and queued, or neither.' }
        const before = [(await site.operatorInbox.list(1000)).length, (await site.contact.list(1000)).length]
        await rows(({ db }) => sql`alter table outbox rename to outbox_away`.execute(db))
        await expect(site.operatorInbox.receive(mail)).rejects.toThrow(/outbox/)
        await expect(site.contact.receive(form, 'en')).rejects.toThrow(/outbox/)
        await rows(({ db }) => sql`alter table outbox_away rename to outbox`.execute(db))
        expect([(await site.operatorInbox.list(1000)).length, (await site.contact.list(1000)).length]).toEqual(before)
        await site.operatorInbox.receive(mail)
        await site.contact.receive(form, 'en')
        const subjects = [(await recorder.next('operator@example.com')).subject, (await recorder.next('operator@example.com')).subject]
        expect(subjects.sort()).toEqual(['[Mayfly] In one step', '[Mayfly] Mail for abuse@mayfly.test'])
      })

      test('has a size limit, and a full inbox lets read and old mail go first', async () => {
        const big = Buffer.alloc(INBOX.messageBytesMax)
        const mail = { recipient: 'postmaster@mayfly.test', envelopeFrom: '', raw: big }
        expect(await site.operatorInbox.receive({ ...mail, raw: Buffer.alloc(big.length + 1) })).toBe('message_too_large')
        recorder.isDown = true
        const [first] = await site.operatorInbox.list(1)
        for (let index = 0; index < 21; index++) {
          big.writeUInt32BE(index)
          await site.operatorInbox.receive(mail)
        }
        const kept = await site.operatorInbox.list(1000)
        expect(kept).toHaveLength(20)
        expect(kept.map(row => row.id)).not.toContain(first?.id)
      })
    })

    describe('blog views', () => {
      const visitor = { address: '192.0.2.1', userAgent: 'Firefox' }

      test('count once per visitor, article and day', async () => {
        now = Date.UTC(2026, 10, 21, 12)
        expect(await site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
        expect(await site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
        await site.views.count('identify-ai-phishing', { ...visitor, address: '192.0.2.2' })
        await site.views.count('why-use-temporary-email', visitor)
        now += DAY_MS
        expect(await site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 3 })
        expect(await site.views.all()).toEqual([
          { slug: 'why-use-temporary-email', views: 1 },
          { slug: 'identify-ai-phishing', views: 3 },
        ])
        expect(await site.views.of('identify-ai-phishing')).toEqual({ slug: 'identify-ai-phishing', views: 3 })
      })

      test('an unknown article is not counted', async () => {
        for (const slug of ['nothing', '__proto__', 'constructor']) {
          expect(await site.views.of(slug)).toBeUndefined()
          expect(await site.views.count(slug, visitor)).toBeUndefined()
        }
      })
    })

    async function signIn(email: string): Promise<Headers> {
      const { setCookies } = await site.accounts.signIn({ email, password: PASSWORD })
      return new Headers({ cookie: setCookies[0]?.split(';')[0] ?? '' })
    }

    async function isSignedIn(headers: Headers): Promise<boolean> {
      return (await site.accounts.session(headers)).signedIn !== undefined
    }
  })
}

function cookie(value: string): Headers {
  return new Headers({ cookie: `__Host-mayfly_session=${encodeURIComponent(value)}` })
}
