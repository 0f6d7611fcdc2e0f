/** Pro addresses on a database and a real mail core, with a clock that the test sets. Run in test/databases/. */

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
import { forgetMailboxes } from '#server/database/mailbox-rows.ts'
import { AppError } from '#server/errors.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { CreatedAddress } from '#server/mail/mailboxes.ts'
import { startMail, type TestMail, testDomains } from '../harness/mayfly/start-mail.ts'
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
  })
}
