import { describe, expect, test } from 'vitest'
import { accountOwner } from '#server/database/rights.ts'
import type { TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'

export function passwordsSuite(features: TestDatabaseFeatures): void {
  describe('forgotten password', () => {
    test.each([true, false])('a reset revokes the API keys, and destroys the live addresses if requested: %s', async destroyMailboxes => {
      const email = `revoked-${destroyMailboxes}@example.com`
      const account = await features.newAccount(email)
      const by = await features.session(account.id)
      const { key } = await features.accounts.apiKeys.create(by, 'CI')
      const { token: mailboxToken } = await features.accounts.proMailboxes.create(by, {})
      features.accounts.passwords.forgot({ email, language: 'en' }, async () => true)
      await features.accounts.passwords.reset({
        token: await features.recorder.nextToken(email),
        password: 'a new password',
        destroyMailboxes,
      })
      expect(await features.accounts.apiKeys.owner(key)).toBeUndefined()
      expect(await features.accounts.apiKeys.list(account.id)).toEqual([])
      expect(await features.accounts.proMailboxes.list(account.id)).toHaveLength(destroyMailboxes ? 0 : 1)
      expect((await features.testMail.mail.openMailbox(mailboxToken)) === undefined).toBe(destroyMailboxes)
    })
  })

  describe('API keys', () => {
    test('a key acts for its account until it is revoked, and is stored as a hash', async () => {
      const { apiKeys } = features.accounts
      const { id } = await features.newAccount('keys@example.com')
      const created = await apiKeys.create(await features.session(id), 'CI')
      expect(created.key).toMatch(/^mfk_[\w-]{43}$/)
      expect(await apiKeys.owner(created.key)).toEqual({ id: created.id, userId: id })
      const [listed] = await apiKeys.list(id)
      expect(listed).toMatchObject({ id: created.id, name: 'CI', prefix: created.key.slice(0, 12), lastUsedAt: expect.any(String) })
      const stored = await features.withDatabase(({ db }) => db.selectFrom('api_keys').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(created.key.slice(12))
      expect(await apiKeys.revoke('another user', { owner: accountOwner('another user') }, created.id)).toBe(false)
      expect(await apiKeys.revoke(id, { owner: accountOwner(id) }, created.id)).toBe(true)
      expect(await apiKeys.owner(created.key)).toBeUndefined()
    })

    test('of thirty created at once, twenty succeed', async () => {
      const { id } = await features.newAccount('limit@example.com')
      const by = await features.session(id)
      const ends = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => features.accounts.apiKeys.create(by, `key ${index}`)))
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
      expect(refused).toEqual(Array(10).fill('api_keys_max'))
    })
  })
}
