import { describe, expect, test } from 'vitest'
import { envelope, mime, receive, startMailForEachTest } from '#test/harness/mayfly/start-mail.ts'

const core = startMailForEachTest()

describe('chosen addresses', () => {
  test('are given once, in the requested domain', async () => {
    const created = await core.mail.createAddress({ localPart: ' Jane.Doe ', domain: 'BOX.test', lifetimeSeconds: 60 })
    expect(created.email).toBe('jane.doe@box.test')
    await expect(core.mail.createAddress({ localPart: 'jane.doe', domain: 'box.test', lifetimeSeconds: 60 })).rejects.toMatchObject({
      code: 'local_part_taken',
    })
    await expect(core.mail.createAddress({ domain: 'gmail.com', lifetimeSeconds: 60 })).rejects.toMatchObject({ code: 'domain_not_served' })
    for (const localPart of ['a', 'a b', '.a.b', 'a..b', 'a@b', 'x'.repeat(33), 'näme', 'a+b+c', '']) {
      await expect(core.mail.createAddress({ localPart, lifetimeSeconds: 60 })).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('are never a role name or look like one', async () => {
    const names = [
      'admin',
      'Administrator',
      'web.master',
      'host-master',
      'post_master',
      'p0stmaster',
      'ABUSE',
      'adm1n',
      'root',
      'noreply',
      'no-reply',
    ]
    const lookAlikes = [
      'mailer-daemon',
      'support',
      'billing',
      'ssladmin',
      'ssl-check',
      'autoconfig',
      'admin+x',
      'аdmin',
      'ａｄｍｉｎ',
      'postrnaster',
      'admin1',
      'secur1ty',
    ]
    for (const localPart of [...names, ...lookAlikes]) {
      await expect(core.mail.createAddress({ localPart, lifetimeSeconds: 60 }), localPart).rejects.toMatchObject({
        code: 'local_part_reserved',
      })
    }
  })

  test('a new owner of an old name sees no old mail, and the old token stays invalid', async () => {
    const first = await core.mail.createAddress({ localPart: 'heirloom', lifetimeSeconds: 60 })
    await core.sendTo(first.email)
    core.clock.set(first.expiresAt)
    const second = await core.mail.createAddress({ localPart: 'heirloom', lifetimeSeconds: 60 })
    const mailbox = await core.mail.openMailbox(second.token)
    expect(mailbox && (await core.subjects(mailbox))).toEqual([])
    expect(await core.mail.openMailbox(first.token)).toBeUndefined()
    expect(await receive(core.mail, envelope(second.email), mime('new'))).toBe('delivered')
    expect(mailbox && (await core.subjects(mailbox))).toEqual(['new'])
  })
})
