import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { MailboxId } from '#server/store/store.ts'
import {
  BODY,
  envelope,
  listMessages,
  mime,
  READER,
  receive as receiveMail,
  startMail,
  startMailForEachTest,
} from '#test/harness/mayfly/start-mail.ts'
import type { OperatorMail } from './delivery/envelope.ts'
import type { MailCore } from './mail-core.ts'
import type { OpenMailbox } from './mailboxes.ts'

const core = startMailForEachTest()

const readMessage = async (mail: MailCore, mailbox: OpenMailbox, id: string): Promise<Message> =>
  JSON.parse(Buffer.from((await mail.readMessage(mailbox, id, READER)) ?? []).toString())

describe('a mail from the final dot to its reader', () => {
  test('is listed, read, downloaded and returned byte for byte', async () => {
    const { email, mailbox } = await core.openNew()
    const raw = mime('=?utf-8?q?Gr=C3=BC=C3=9Fe?=')
    expect(await core.mail.checkRecipient(email)).toMatchObject({ kind: 'mailbox', address: email })
    expect(await receiveMail(core.mail, envelope(email), raw)).toBe('delivered')

    const list = await listMessages(core.mail, mailbox)
    const [row] = list?.messages ?? []
    expect(row).toMatchObject({
      subject: 'Grüße',
      from: { address: 'jane@sender.test' },
      preview: BODY,
      size: raw.length,
      parseStatus: 'ok',
      codes: [],
      attachments: [{ index: 0, filename: 'data.bin', size: 6, contentType: 'application/octet-stream', inline: false }],
      receivedAt: new Date(core.clock.now()).toISOString(),
    })
    const id = row?.id ?? ''
    const message = await readMessage(core.mail, mailbox, id)
    expect(message).toMatchObject({ text: expect.stringContaining(BODY), envelopeFrom: 'bounce@sender.test' })
    expect(message?.to).toEqual([{ name: 'somebody else', address: 'not-the-recipient@elsewhere.test' }])
    expect(Buffer.from((await core.mail.readRaw(mailbox, id, READER)) ?? []).equals(raw)).toBe(true)
    const attachment = await core.mail.readAttachment(mailbox, id, 0, READER)
    expect([...(attachment?.bytes ?? [])]).toEqual([0, 1, 2, 250, 251, 255])
    expect(await core.mail.readAttachment(mailbox, id, 1, READER)).toBeUndefined()
  })
})

test('is listed in the order of arrival, even after the clock went back', async () => {
  const { email, mailbox } = await core.openNew()
  const start = core.clock.now()
  for (const [subject, time] of [
    ['first', 5000],
    ['second', 1000],
    ['third', 3000],
  ] as const) {
    core.clock.set(start + time)
    expect(await receiveMail(core.mail, envelope(email), mime(subject))).toBe('delivered')
  }
  expect(await core.subjects(mailbox)).toEqual(['third', 'second', 'first'])
})

describe('who gets a mail', () => {
  test('the envelope alone decides, in any spelling, once per mailbox', async () => {
    const { email, mailbox } = await core.openNew()
    const [local, domain] = email.split('@')
    const spellings = [email, email.toUpperCase(), `${local}+shop@${domain}`, `${email}.`, `"${local}"@${domain}`]
    for (const address of spellings) expect(await core.mail.checkRecipient(address)).toMatchObject({ kind: 'mailbox', address })
    expect(await core.sendTo(...spellings)).toBe('delivered')
    expect(await core.subjects(mailbox)).toEqual(['to 5'])
  })

  test('unknown, expired and destroyed addresses get the same reply, and foreign domains another', async () => {
    const expired = await core.mail.createAddress({ lifetimeSeconds: 1 })
    const destroyed = await core.openNew()
    await core.mail.destroyMailbox(destroyed.mailbox)
    core.clock.advance(1000)
    for (const address of ['never.was@mayfly.test', expired.email, destroyed.email]) {
      expect(await core.mail.checkRecipient(address)).toBe('mailbox_not_found')
      expect(await core.sendTo(address)).toBe('mailbox_not_found')
    }
    for (const address of ['x@elsewhere.test', 'x@sub.mayfly.test', 'x', '@', '', 'x@']) {
      expect(await core.mail.checkRecipient(address)).toBe(['x', ''].includes(address) ? 'mailbox_not_found' : 'domain_not_served')
    }
    for (const token of [expired.token, destroyed.token, 'x', '', 'A'.repeat(64)])
      expect(await core.mail.openMailbox(token)).toBeUndefined()
  })

  test('each recipient gets a copy that no other can open', async () => {
    const [one, other] = [await core.openNew(), await core.openNew()]
    expect(await core.sendTo(one.email, other.email)).toBe('delivered')
    const [row] = (await listMessages(core.mail, one.mailbox))?.messages ?? []
    expect(await core.subjects(other.mailbox)).toEqual(['to 2'])
    expect(await core.mail.readMessage(other.mailbox, row?.id ?? '', READER)).toBeUndefined()
    expect(await core.mail.readRaw(other.mailbox, row?.id ?? '', READER)).toBeUndefined()
    expect(await core.mail.deleteMessage(other.mailbox, row?.id ?? '')).toBe(false)
    await expect(core.mail.readRaw({ ...one.mailbox, privateKey: other.mailbox.privateKey }, row?.id ?? '', READER)).rejects.toMatchObject({
      code: 'internal',
    })
  })

  test('when some recipients are gone the sender is asked to retry, and delivered copies are recognised', async () => {
    const [one, other] = [await core.openNew(), await core.openNew()]
    const raw = mime('again')
    const gone = await core.openNew()
    const found = (await Promise.all([one.email, gone.email].map(email => core.mail.checkRecipient(email)))).filter(
      to => typeof to === 'object',
    )
    await core.mail.destroyMailbox(gone.mailbox)
    expect(await core.mail.receive({ ...envelope(), recipients: found }, raw)).toBe('partly_delivered')
    expect(await receiveMail(core.mail, envelope(one.email, other.email), raw)).toBe('delivered')
    expect([await core.subjects(one.mailbox), await core.subjects(other.mailbox)]).toEqual([['again'], ['again']])
  })

  test('expiry is exact to the millisecond', async () => {
    const { email, token, expiresAt, mailbox } = await core.openNew()
    core.clock.set(expiresAt - 1)
    expect(await core.sendTo(email)).toBe('delivered')
    expect(await core.subjects(mailbox)).toEqual(['to 1'])
    const atRcpt = await core.mail.checkRecipient(email)
    if (typeof atRcpt === 'string') throw new Error('a live mailbox is found')
    core.clock.set(expiresAt)
    expect(await receiveMail(core.mail, envelope(email), mime('too late'))).toBe('mailbox_not_found')
    expect(await core.mail.receive({ ...envelope(), recipients: [atRcpt] }, mime('too late'))).toBe('mailbox_not_found')
    expect(await core.mail.openMailbox(token)).toBeUndefined()
    expect(await listMessages(core.mail, mailbox)).toBeUndefined()
    expect(await core.mail.changesSince(mailbox, 0, READER)).toBeUndefined()
  })
})

describe('changes and notifications', () => {
  test('a watcher sees additions and removals by cursor', async () => {
    const { email, mailbox } = await core.openNew()
    const abort = new AbortController()
    const seen: string[] = []
    let cursor = 0
    await core.sendTo(email)
    for await (const _ of core.mail.watch(mailbox.mailboxId, abort.signal)) {
      for (const change of (await core.mail.changesSince(mailbox, cursor, READER))?.changes ?? []) {
        cursor = change.cursor
        seen.push(change.type)
        if (change.type === 'message') await core.mail.deleteMessage(mailbox, change.message.id)
        else abort.abort()
      }
    }
    expect(seen).toEqual(['message', 'removed'])
  })

  test('authentication results are added after delivery', async () => {
    await using other = await startMail(join(core.folder, 'other'), {
      authenticator: {
        authenticate: async () => ({ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', domain: 'sender.test' }),
        held: () => [],
      },
    })
    const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await other.mail.openMailbox(token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    const abort = new AbortController()
    await receiveMail(other.mail, envelope(email), mime('signed'))
    for await (const _ of other.mail.watch(mailbox.mailboxId, abort.signal)) {
      if ((await listMessages(other.mail, mailbox))?.messages[0]?.authentication) abort.abort()
    }
    const [row] = (await listMessages(other.mail, mailbox))?.messages ?? []
    expect(row?.authentication).toMatchObject({ dmarc: 'pass', domain: 'sender.test' })
    expect(await readMessage(other.mail, mailbox, row?.id ?? '')).toMatchObject({ authentication: { dkim: 'pass' } })
  })

  test('authentication results that are known before are stored with an unsigned mail of that author, in one step', async () => {
    const results = { spf: 'pass', dkim: 'none', dmarc: 'pass', arc: 'none', domain: 'sender.test' } as const
    const checked: unknown[] = []
    await using other = await startMail(join(core.folder, 'other'), {
      authenticator: {
        async authenticate(_, mail) {
          checked.push(`${mail.author}${'raw' in mail ? ', signed' : ''}`)
          return undefined
        },
        held: () => [{ author: 'sender.test', results }],
      },
    })
    const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await other.mail.openMailbox(token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    const text = (from: string, more = '') => Buffer.from(`From: ${from}\r\n${more}Subject: Hello\r\n\r\nHello ${from}${more}.\r\n`)
    const mails = [text('a@sender.test'), text('a@other.test'), text('a@sender.test', 'DKIM-Signature: v=1; d=sender.test\r\n')]
    for (const raw of mails) await receiveMail(other.mail, envelope(email), raw)
    const { changes = [] } = (await other.mail.changesSince(mailbox, 0, READER)) ?? {}
    const rows = changes.flatMap(change => (change.type === 'message' ? [change.message] : []))
    expect(rows.map(({ authentication }) => authentication)).toEqual([results, undefined, undefined])
    expect(rows[0]?.verdict).toBe('vouched')
    expect(checked).toEqual(['other.test', 'sender.test, signed'])
  })

  test('authentication results that come after the mailbox has expired are not written', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await using other = await startMail(join(core.folder, 'other'), {
      authenticator: {
        async authenticate() {
          await answered
          return { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' }
        },
        held: () => [],
      },
    })
    const [expired, live] = [
      await other.mail.createAddress({ lifetimeSeconds: 60 }),
      await other.mail.createAddress({ lifetimeSeconds: 600 }),
    ]
    const annotated: MailboxId[] = []
    const { promise: last, resolve: isLast } = Promise.withResolvers<void>()
    const addAuthentication = other.store.addAuthentication.bind(other.store)
    other.store.addAuthentication = (mailboxId, ...rest) => {
      annotated.push(mailboxId)
      if (mailboxId === live.mailboxId) isLast()
      return addAuthentication(mailboxId, ...rest)
    }
    expect(await receiveMail(other.mail, envelope(expired.email, live.email), mime('slow name servers'))).toBe('delivered')
    other.clock.set(expired.expiresAt)
    answer()
    await last
    expect(annotated).toEqual([live.mailboxId])
  })
})

describe('the operator', () => {
  test('gets mail to postmaster and abuse under that name, and a failing inbox is a temporary error', async () => {
    const accepted: string[] = []
    const recipients: string[] = []
    let isBroken = false
    const receive = async ({ recipient, raw }: OperatorMail) => {
      if (isBroken) throw new AppError('unavailable')
      if (raw.length > 1000) return 'message_too_large' as const
      accepted.push(sha256(raw))
      recipients.push(recipient)
      return 'stored' as const
    }
    await using other = await startMail(join(core.folder, 'other'), { receiveOperatorMail: receive })
    const raw = mime('for the operator')
    for (const to of ['Postmaster', 'postmaster@mayfly.test', 'ABUSE@box.test', 'abuse+x@box.test']) {
      expect(await other.mail.checkRecipient(to)).toMatchObject({ kind: 'operator', address: to })
      expect(await receiveMail(other.mail, envelope(to), raw)).toBe('delivered')
    }
    expect(accepted).toEqual(Array(4).fill(sha256(raw)))
    expect(recipients).toEqual(['postmaster@mayfly.test', 'postmaster@mayfly.test', 'abuse@box.test', 'abuse@box.test'])
    expect(await receiveMail(other.mail, envelope('postmaster@mayfly.test'), mime('x'.repeat(2000)))).toBe('message_too_large')
    isBroken = true
    other.heardLog.allow(/A message could not be received/)
    expect(await receiveMail(other.mail, envelope('postmaster@mayfly.test'), raw)).toBe('unavailable')
  })
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
