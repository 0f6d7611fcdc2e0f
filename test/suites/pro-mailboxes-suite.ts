/** Pro addresses on a database and a real mail core, with a clock that the test sets. Run in test/databases/. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, PRO_LIFETIME_SECONDS, PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { deleteUser } from '#server/accounts/account-endings.ts'
import { ChosenNames, forgetNameOwner } from '#server/accounts/chosen-names.ts'
import { OwnedMailboxes, proOwner } from '#server/accounts/owned-mailboxes.ts'
import { ProMailboxes } from '#server/accounts/pro-mailboxes.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { forgetMailboxes, hashMailbox } from '#server/database/mailbox-rows.ts'
import { AppError } from '#server/errors.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { CreatedAddress } from '#server/mail/mailboxes.ts'
import { envelope, listMessages, mime, receive, startMail, type TestMail, testDomains } from '../harness/mayfly/start-mail.ts'
import { newSession, sweepAll, testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'

const QUARANTINE_MS = 90 * DAY_MS

type ProCaller = Awaited<ReturnType<typeof newSession>>
const DOMAINS = testDomains('mayfly.test', 'box.test')

export function proMailboxesSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    let folder: string
    let core: TestMail
    let database: Database
    let pro: ProMailboxes
    let owned: OwnedMailboxes
    let user: ProCaller
    let users = 0

    const access = () => testDatabaseAccess(database, { clock: core.clock.now })
    const open = (mail: MailCore = core.mail) => {
      const owned = new OwnedMailboxes({ ...access(), mail })
      return { owned, pro: new ProMailboxes({ ...access(), mail, owned, domains: () => DOMAINS }) }
    }
    const sweep = () => sweepAll(access())
    const pass = (ms: number) => core.clock.advance(ms)

    async function newUser(): Promise<ProCaller> {
      const id = `user-${++users}`
      const row = { id, email: `${id}@example.com`, email_key: id, password_hash: '', language: 'en', created_at: 0 }
      await database.db.insertInto('users').values(row).execute()
      return await newSession(database, id)
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'mayfly-pro-'))
      core = await startMail(folder)
      database = await openDatabase({ databaseUrl: await createDatabase(), dataDir: folder })
      ;({ pro, owned } = open())
    })
    beforeEach(async () => {
      user = await newUser()
    })
    afterAll(async () => {
      await database[Symbol.asyncDispose]()
      await core[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    test('of twenty simultaneous requests for the tenth address, exactly one succeeds', async () => {
      for (let made = 1; made < PRO_MAILBOXES_MAX; made++) await pro.create(user, {})
      const ends = await Promise.allSettled(Array.from({ length: 20 }, () => pro.create(user, {})))
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
      expect(refused).toEqual(Array(19).fill('mailboxes_max'))
      expect(await pro.list(user.accountId)).toHaveLength(PRO_MAILBOXES_MAX)
    })

    test('a name is refused to others for 90 days after it expired, but never to its last owner', async () => {
      const other = await newUser()
      const endsAt = core.clock.now() + PRO_LIFETIME_SECONDS * 1000
      await pro.create(user, { localPart: 'quarantined' })
      core.clock.set(endsAt + QUARANTINE_MS - 1)
      await sweep()
      await expect(pro.create(other, { localPart: 'Quarantined' })).rejects.toMatchObject({ code: 'local_part_taken' })
      await pro.create(user, { localPart: 'quarantined' })
      // The owner took it again, so the 90 days start with the expiry of this one.
      pass(PRO_LIFETIME_SECONDS * 1000 + QUARANTINE_MS - 1)
      await expect(pro.create(other, { localPart: 'quarantined' })).rejects.toMatchObject({ code: 'local_part_taken' })
      pass(1)
      expect(await pro.create(other, { localPart: 'quarantined' })).toMatchObject({ email: 'quarantined@mayfly.test' })
    })

    test('beyond a number of names, who chose most loses those that end first', async () => {
      const { db } = database
      await db.deleteFrom('chosen_names').execute()
      const names = new ChosenNames(access(), 20)
      const claim = (owner: string, count: number) =>
        Promise.all(Array.from({ length: count }, (_, n) => names.claim(db, owner, named(`${owner}-${n}`), core.clock.now() + 1000 * n)))
      const named = (localPart: string) => ({ domain: 'mayfly.test', localPart })
      await claim('modest', 4)
      await claim('greedy', 16)
      await names.makeRoom()
      const left = () => db.selectFrom('chosen_names').select('owner_id').execute()
      expect(await left()).toHaveLength(20)
      await claim('greedy', 18)
      await names.makeRoom()
      expect((await left()).map(({ owner_id }) => owner_id).sort()).toEqual([...Array(16).fill('greedy'), ...Array(4).fill('modest')])
      const isFree = (name: string) =>
        names.claim(db, 'other', named(name), core.clock.now()).then(
          () => true,
          error => error.code,
        )
      expect(await Promise.all(['greedy-0', 'greedy-1'].map(isFree))).toEqual([true, true])
      expect(await Promise.all(['greedy-2', 'greedy-17', 'modest-0'].map(isFree))).toEqual(Array(3).fill('local_part_taken'))

      // Together these former accounts have more names than anyone, and lose none.
      await db.deleteFrom('chosen_names').execute()
      for (const former of ['a', 'b', 'c', 'd']) {
        await claim(former, 3)
        await forgetNameOwner(db, former)
      }
      await claim('greedy', 9)
      await names.makeRoom()
      expect((await left()).filter(({ owner_id }) => owner_id === 'greedy')).toHaveLength(8)
      expect(new Set((await left()).map(({ owner_id }) => owner_id)).size).toBe(5)
    })

    test('a name that is refused for another reason is not taken', async () => {
      const isOverLimit = () => Promise.reject(new AppError('rate_limited'))
      await expect(pro.create(user, { localPart: 'never.charged' }, isOverLimit)).rejects.toMatchObject({ code: 'rate_limited' })
      expect(await pro.create(await newUser(), { localPart: 'never.charged' })).toMatchObject({ email: 'never.charged@mayfly.test' })
    })

    test('of twenty accounts that choose one name at once, exactly one gets it', async () => {
      const claimants = await Promise.all(Array.from({ length: 20 }, newUser))
      const ends = await Promise.allSettled(claimants.map(claimant => pro.create(claimant, { localPart: 'contested' })))
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
      expect(refused).toEqual(Array(19).fill('local_part_taken'))
      expect((await Promise.all(claimants.map(({ accountId }) => pro.list(accountId)))).flat()).toHaveLength(1)
    })

    test('the encrypted token is deleted when its mailbox is destroyed or has expired', async () => {
      const sealed = () => database.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', proOwner(user.accountId)).execute()
      const made = await pro.create(user, {})
      const mailbox = await core.mail.openMailbox(made.token)
      if (!mailbox) throw new Error('the new mailbox does not open')
      await core.mail.destroyMailbox(mailbox)
      await forgetMailboxes(access(), [mailbox.mailboxId])
      expect(await sealed()).toEqual([])
      await pro.create(user, {})
      pass(PRO_LIFETIME_SECONDS * 1000 - 1)
      await sweep()
      expect(await sealed()).toHaveLength(1)
      pass(1)
      await sweep()
      expect(await sealed()).toEqual([])
    })

    test('deleting an account revokes the tokens and keeps its names reserved', async () => {
      const made = [await pro.create(user, { localPart: 'left.behind' }), await pro.create(user, {})]
      expect(await deleteUser(access(), { userId: user.accountId })).toBe(true)
      expect(await owned.destroyOfAccount(user.accountId)).toBe(2)
      for (const { token } of made) expect(await core.mail.openMailbox(token)).toBeUndefined()
      await expect(pro.create(await newUser(), { localPart: 'left.behind' })).rejects.toMatchObject({ code: 'local_part_taken' })
    })

    describe.each(['before', 'after'] as const)('an account that is deleted %s its mailbox is created', when => {
      const made: CreatedAddress[] = []
      const interrupted = (meanwhile: () => Promise<unknown>) =>
        open({
          ...core.mail,
          createAddresses: (request, count, reserve) =>
            core.mail
              .createAddresses(request, count, async drafts => {
                await reserve?.(drafts)
                made.push(...drafts)
                if (when === 'before') await meanwhile()
              })
              .then(async created => {
                if (when === 'after') await meanwhile()
                return created
              }),
        }).pro
      const isGone = async () => {
        for (const { email, token } of made) {
          expect(await core.mail.openMailbox(token)).toBeUndefined()
          expect(await core.mail.checkRecipient(email)).toBe('mailbox_not_found')
        }
        expect(
          await database.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', proOwner(user.accountId)).execute(),
        ).toEqual([])
      }

      test('leaves nothing', async () => {
        const ended = async () => {
          await deleteUser(access(), { userId: user.accountId })
          await owned.destroyOfAccount(user.accountId)
        }
        await expect(interrupted(ended).create(user, {})).rejects.toMatchObject({ code: 'sign_in_required' })
        await isGone()
      })

      test('leaves nothing when both were interrupted: the next sweep goes on', async () => {
        const killed = () => new Promise<never>(() => undefined)
        const ended = async () => {
          await deleteUser(access(), { userId: user.accountId })
          return await killed()
        }
        void interrupted(ended).create(user, {})
        await expect.poll(async () => database.db.selectFrom('users').select('id').where('id', '=', user.accountId).execute()).toEqual([])
        await owned.destroyEnding()
        await isGone()
        // A request that was still about to create it cannot any more.
        if (when === 'before') for (const { mailboxId } of made) expect(await core.store.destroyMailbox(mailboxId)).toBe(false)
      })
    })

    test('a mailbox whose process died before it was handed out is destroyed a minute later', async () => {
      const drafts: CreatedAddress[] = []
      const dying = open({
        ...core.mail,
        async createAddresses(request, count, reserve) {
          drafts.push(...(await core.mail.createAddresses(request, count, reserve)))
          return await new Promise<never>(() => undefined)
        },
      })
      void dying.pro.create(user, {})
      await expect.poll(() => drafts.length).toBe(1)
      const [draft = expect.fail()] = drafts
      await owned.destroyEnding()
      expect(await core.mail.isLive(draft.mailboxId)).toBe(true)
      pass(60_000)
      await owned.destroyEnding()
      expect(await core.mail.isLive(draft.mailboxId)).toBe(false)
      expect(await database.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', proOwner(user.accountId)).execute()).toEqual(
        [],
      )
    })

    describe('keeping an address', () => {
      const LIFETIME_MS = PRO_LIFETIME_SECONDS * 1000
      const visitorAddress = () => core.mail.createAddress({ lifetimeSeconds: 600 })
      const rowsOf = ({ mailboxId }: CreatedAddress) =>
        database.db
          .selectFrom('owned_mailboxes')
          .select(['owner', 'destroy_at'])
          .where('mailbox_hash', '=', hashMailbox(access().secretBox, 'owned_mailboxes', mailboxId))
          .execute()
      const endOf = async ({ mailboxId }: CreatedAddress) => (await core.store.findMailbox(mailboxId))?.expiresAt
      /** A mail core in which the extension of mailboxes begins with this. */
      const extendingAfter = (meanwhile: () => Promise<unknown>, core: MailCore) =>
        open({ ...core, extendMailbox: (token, expiresAt) => meanwhile().then(() => core.extendMailbox(token, expiresAt)) })

      test('makes it one of the account with its mail and push messages, for 24 hours from its creation', async () => {
        const address = await visitorAddress()
        await receive(core.mail, envelope(address.email), mime('before'))
        const hash = hashMailbox(access().secretBox, 'push_subscriptions', address.mailboxId)
        const push = { id: randomUUID(), mailbox_hash: hash, browser_hash: randomUUID(), sealed: '', created_at: 0 }
        await database.db
          .insertInto('push_subscriptions')
          .values({ ...push, expires_at: address.expiresAt })
          .execute()
        pass(599_999)
        const accepted = await core.mail.checkRecipient(address.email)
        if (typeof accepted === 'string') return expect.fail(accepted)
        const kept = await pro.keep(user, address.token)
        const expiresAt = new Date(address.createdAt + LIFETIME_MS).toISOString()
        expect(kept).toMatchObject({
          email: address.email,
          token: address.token,
          expiresAt,
          lifetimeSeconds: PRO_LIFETIME_SECONDS,
          kept: true,
        })
        expect(await pro.keep(user, address.token), 'again').toEqual(kept)
        pass(1)
        await sweep()
        await core.store.sweep(100)
        const underWay = { ...envelope(address.email), recipients: [accepted] }
        expect(await core.mail.receive(underWay, mime('after')), 'its recipient was accepted before').toBe('delivered')
        const mailbox = (await core.mail.openMailbox(address.token)) ?? expect.fail()
        expect((await listMessages(core.mail, mailbox))?.messages.map(({ subject }) => subject)).toEqual(['after', 'before'])
        expect(await pro.list(user.accountId)).toMatchObject([{ token: address.token, expiresAt }])
        const subscriptions = database.db.selectFrom('push_subscriptions').select('expires_at').where('id', '=', push.id)
        expect(await subscriptions.execute()).toEqual([{ expires_at: address.createdAt + LIFETIME_MS }])
        core.clock.set(address.createdAt + LIFETIME_MS)
        await sweep()
        expect([await core.mail.openMailbox(address.token), await rowsOf(address), await subscriptions.execute()]).toEqual([
          undefined,
          [],
          [],
        ])
      })

      test('is refused for an address that has ended, is somebody else’s, or is one too many, and changes nothing then', async () => {
        const [ended, theirs, mine] = [await visitorAddress(), await visitorAddress(), await visitorAddress()]
        await core.mail.destroyMailbox(ended)
        await pro.keep(await newUser(), theirs.token)
        await expect(pro.keep(user, ended.token)).rejects.toMatchObject({ code: 'mailbox_not_found' })
        await expect(pro.keep(user, theirs.token)).rejects.toMatchObject({ code: 'forbidden' })
        await expect(pro.keep(user, mine.token, () => Promise.reject(new AppError('rate_limited')))).rejects.toMatchObject({
          code: 'rate_limited',
        })
        await expect(pro.keep({ ...user, sessionId: randomUUID() }, mine.token)).rejects.toMatchObject({ code: 'sign_in_required' })
        for (let made = 0; made < PRO_MAILBOXES_MAX; made++) await pro.create(user, {})
        await expect(pro.keep(user, mine.token)).rejects.toMatchObject({ code: 'mailboxes_max' })
        expect([await endOf(mine), await rowsOf(mine), await rowsOf(ended)]).toEqual([mine.expiresAt, [], []])
        expect(await rowsOf(theirs)).toHaveLength(1)
      })

      test('by ten accounts at once is done by exactly one', async () => {
        const address = await visitorAddress()
        const callers = await Promise.all(Array.from({ length: 10 }, newUser))
        const ends = await Promise.allSettled(callers.map(caller => pro.keep(caller, address.token)))
        expect(ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))).toEqual(Array(9).fill('forbidden'))
        expect(await rowsOf(address)).toMatchObject([{ destroy_at: null }])
      })

      test('is completed by the next sweep if the process died in between', async () => {
        const address = await visitorAddress()
        await receive(core.mail, envelope(address.email), mime('kept'))
        const dying = extendingAfter(() => new Promise<never>(() => undefined), core.mail)
        void dying.pro.keep(user, address.token)
        await expect.poll(() => rowsOf(address)).toMatchObject([{ destroy_at: -1 }])
        expect([await pro.list(user.accountId), await endOf(address)]).toEqual([[], address.expiresAt])
        await owned.destroyEnding()
        expect(await pro.list(user.accountId)).toMatchObject([{ token: address.token, lifetimeSeconds: PRO_LIFETIME_SECONDS }])
        expect(await endOf(address)).toBe(address.createdAt + LIFETIME_MS)
      })

      test('leaves nothing if the address ended before the next sweep', async () => {
        const address = await visitorAddress()
        void extendingAfter(() => new Promise<never>(() => undefined), core.mail).pro.keep(user, address.token)
        await expect.poll(() => rowsOf(address)).toHaveLength(1)
        pass(600_000)
        await owned.destroyEnding()
        expect([await rowsOf(address), await pro.list(user.accountId), await endOf(address)]).toEqual([[], [], undefined])
      })

      test('waits for a mail store that is away, and can be repeated', async () => {
        const address = await visitorAddress()
        const away = extendingAfter(() => Promise.reject(new AppError('unavailable')), core.mail)
        await expect(away.pro.keep(user, address.token)).rejects.toMatchObject({ code: 'unavailable' })
        await away.owned.destroyEnding()
        expect(await rowsOf(address)).toMatchObject([{ destroy_at: -1 }])
        expect(await pro.keep(user, address.token)).toMatchObject({ kept: true })
        expect(await rowsOf(address)).toMatchObject([{ destroy_at: null }])
      })

      test.each(['before', 'after'] as const)(
        'by an account that is deleted %s the extension leaves no address without an owner',
        async when => {
          const address = await visitorAddress()
          const ended = async () => {
            await deleteUser(access(), { userId: user.accountId })
            await owned.destroyOfAccount(user.accountId)
          }
          const { pro: interrupted } = open({
            ...core.mail,
            async extendMailbox(token, expiresAt) {
              if (when === 'before') await ended()
              const isExtended = await core.mail.extendMailbox(token, expiresAt)
              if (when === 'after') await ended()
              return isExtended
            },
          })
          await expect(interrupted.keep(user, address.token)).rejects.toMatchObject({ code: 'mailbox_not_found' })
          expect([await rowsOf(address), await endOf(address)]).toEqual([[], undefined])
        },
      )

      test('and deleting the address or the account at the same time end with all of it or nothing', async () => {
        for (let round = 0; round < 12; round++) {
          const [address, caller] = [await visitorAddress(), await newUser()]
          const deleteIt = async () => {
            await core.mail.destroyMailbox(address)
            await forgetMailboxes(access(), [address.mailboxId])
          }
          const deleteAccount = async () => {
            await deleteUser(access(), { userId: caller.accountId })
            await owned.destroyOfAccount(caller.accountId)
          }
          const keep = () => pro.keep(caller, address.token)
          const other = round % 2 === 0 ? deleteIt : deleteAccount
          const ends = await Promise.allSettled(round % 4 < 2 ? [keep(), other()] : [other(), keep()])
          await owned.destroyEnding()
          const end = await endOf(address)
          if (end !== undefined) expect(end, JSON.stringify(ends)).toBe(address.expiresAt)
          expect(await rowsOf(address)).toEqual([])
        }
      })
    })
  })
}
