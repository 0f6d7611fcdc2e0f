/** `contact delete` while the server is running. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(startTestServer())

const mayfly = (...args: string[]) => runMayfly(args, { DATA_DIR: site.folder })

test('delete removes a message and its waiting copy from every file', async () => {
  const form = { name: 'Somebody private', email: 'ada@example.com', subject: 'A needle', message: 'Forget me: needle-4711.' }
  expect((await site.visitor().post(routes.contact, { ...form, language: 'en' })).status).toBe(202)
  const id = /^new (\d+) /.exec((await mayfly('contact', 'list')).out)?.[1] ?? ''
  await site.withDatabase(async ({ db }) => {
    const waiting = {
      sealed: 'x',
      attempts: 0,
      is_retry: 0,
      next_attempt_at: Date.now() * 2,
      gives_up_at: Date.now() * 2,
      network: '',
      domain: '',
    }
    await db
      .insertInto('outbox')
      .values({ ...waiting, contact_message_id: Number(id) })
      .execute()
  })
  expect(await mayfly('contact', 'delete', id)).toEqual({ code: 0, out: `Contact message ${id} is deleted.\n`, err: '' })
  expect(await mayfly('contact', 'delete', id)).toMatchObject({ code: 4, out: '' })
  expect((await mayfly('contact', 'list')).out).toBe('There are no contact messages.\n')
  const waits = await site.withDatabase(({ db }) =>
    db.selectFrom('outbox').select('id').where('contact_message_id', '=', Number(id)).execute(),
  )
  expect(waits).toEqual([])
  // In another process, because closing a file drops the locks that this process, where the server runs, has on it.
  const hasNeedle = () => spawnSync('grep', ['-rqa', 'needle-4711', site.folder]).status === 0
  await expect.poll(hasNeedle).toBe(false)
})
