import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { OpenMailbox } from '#server/mail/mail.ts'
import { createToken } from '#server/mail/token.ts'
import type { MailboxId } from '#server/store/store.ts'
import { startMail, type TestMail } from '#test/start-mail.ts'

const BODY = 'Bring the periwinkle umbrella.'
const mime = (subject: string, body = BODY) =>
  Buffer.from(
    [
      'From: Jané <jane@sender.test>'.replace('é', '=?utf-8?q?=C3=A9?='),
      'To: somebody else <not-the-recipient@elsewhere.test>',
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      body,
      '--b',
      'Content-Type: application/octet-stream; name=data.bin',
      'Content-Disposition: attachment; filename=data.bin',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from([0, 1, 2, 250, 251, 255]).toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  )

let folder: string
let it: TestMail
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-mail-'))
  it = await startMail(folder)
})
afterEach(async () => {
  await it[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function openNew() {
  const created = await it.mail.createAddress({ lifetimeSeconds: 600 })
  const mailbox = await it.mail.openMailbox(created.token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  return { ...created, mailbox }
}
const envelope = (...recipients: string[]) => ({
  from: 'bounce@sender.test',
  recipients,
  clientAddress: '127.0.0.1',
  helo: 'sender.test',
  secure: false,
})

const sendTo = (...recipients: string[]) => it.mail.receive(envelope(...recipients), mime(`to ${recipients.length}`))
const readMessage = async ({ mail }: TestMail, mailbox: OpenMailbox, id: string): Promise<Message> =>
  JSON.parse(Buffer.from((await mail.readMessage(mailbox, id)) ?? []).toString())
const subjects = async (mailbox: OpenMailbox) => (await it.mail.listMessages(mailbox))?.messages.map(message => message.subject)

describe('a mail from the final dot to its reader', () => {
  test('is listed, read, downloaded and given back byte for byte', async () => {
    const { email, mailbox } = await openNew()
    const raw = mime('=?utf-8?q?Gr=C3=BC=C3=9Fe?=')
    expect(await it.mail.checkRecipient(email)).toBe('accepted')
    expect(await it.mail.receive(envelope(email), raw)).toBe('delivered')

    const list = await it.mail.listMessages(mailbox)
    const [row] = list?.messages ?? []
    expect(row).toMatchObject({
      subject: 'Grüße',
      from: { address: 'jane@sender.test' },
      preview: BODY,
      size: raw.length,
      parseStatus: 'ok',
      codes: [],
      attachments: [{ index: 0, filename: 'data.bin', size: 6, contentType: 'application/octet-stream', inline: false }],
      receivedAt: new Date(it.clock()).toISOString(),
    })
    const id = row?.id ?? ''
    const message = await readMessage(it, mailbox, id)
    expect(message).toMatchObject({ text: expect.stringContaining(BODY), envelopeFrom: 'bounce@sender.test' })
    expect(message?.to).toEqual([{ name: 'somebody else', address: 'not-the-recipient@elsewhere.test' }])
    expect(Buffer.from((await it.mail.readRaw(mailbox, id)) ?? []).equals(raw)).toBe(true)
    const attachment = await it.mail.readAttachment(mailbox, id, 0)
    expect([...(attachment?.bytes ?? [])]).toEqual([0, 1, 2, 250, 251, 255])
    expect(await it.mail.readAttachment(mailbox, id, 1)).toBeUndefined()
  })
})

describe('whom a mail reaches', () => {
  test('the envelope alone decides, in any spelling, once', async () => {
    const { email, mailbox } = await openNew()
    const [local, domain] = email.split('@')
    const spellings = [email, email.toUpperCase(), `${local}+shop@${domain}`, `${email}.`, `"${local}"@${domain}`]
    for (const spelling of spellings) expect(await it.mail.checkRecipient(spelling)).toBe('accepted')
    expect(await sendTo(...spellings)).toBe('delivered')
    expect(await subjects(mailbox)).toEqual(['to 5'])
  })

  test('never-was, expired and destroyed are the same; foreign is foreign', async () => {
    const expired = await it.mail.createAddress({ lifetimeSeconds: 1 })
    const destroyed = await openNew()
    await it.mail.destroyMailbox(destroyed.mailbox)
    it.setTime(it.clock() + 1000)
    for (const address of ['never.was@mayfly.test', expired.email, destroyed.email, 'postmaster@mayfly.test', 'abuse@box.test']) {
      expect(await it.mail.checkRecipient(address)).toBe('mailbox_not_found')
      expect(await sendTo(address)).toBe('mailbox_not_found')
    }
    for (const address of ['x@elsewhere.test', 'x@sub.mayfly.test', 'x', '@', '', 'x@']) {
      expect(await it.mail.checkRecipient(address)).toBe(address === 'x' ? 'mailbox_not_found' : 'domain_not_served')
    }
    for (const token of [expired.token, destroyed.token, 'x', '', 'A'.repeat(64)]) expect(await it.mail.openMailbox(token)).toBeUndefined()
  })

  test('each of several gets a copy of its own that no other can open', async () => {
    const [one, other] = [await openNew(), await openNew()]
    expect(await sendTo(one.email, other.email)).toBe('delivered')
    const [row] = (await it.mail.listMessages(one.mailbox))?.messages ?? []
    expect(await subjects(other.mailbox)).toEqual(['to 2'])
    expect(await it.mail.readMessage(other.mailbox, row?.id ?? '')).toBeUndefined()
    expect(await it.mail.readRaw(other.mailbox, row?.id ?? '')).toBeUndefined()
    expect(await it.mail.removeMessage(other.mailbox, row?.id ?? '')).toBe(false)
    await expect(it.mail.readRaw({ ...one.mailbox, privateKey: other.mailbox.privateKey }, row?.id ?? '')).rejects.toMatchObject({
      code: 'internal',
    })
  })

  test('some gone: the sender is asked again, and the copies fold', async () => {
    const [one, other] = [await openNew(), await openNew()]
    const raw = mime('again')
    expect(await it.mail.receive(envelope(one.email, 'never.was@mayfly.test'), raw)).toBe('partly_delivered')
    expect(await it.mail.receive(envelope(one.email, other.email), raw)).toBe('delivered')
    expect([await subjects(one.mailbox), await subjects(other.mailbox)]).toEqual([['again'], ['again']])
  })

  test('a full mailbox says so, and has room again after a removal', async () => {
    const { email, mailbox } = await openNew()
    for (let i = 0; i < 100; i++) expect(await it.mail.receive(envelope(email), mime(`mail ${i}`))).toBe('delivered')
    expect(await it.mail.receive(envelope(email), mime('one more'))).toBe('mailbox_full')
    expect(await it.mail.receive(envelope(email), mime('mail 7'))).toBe('delivered')
    const [row] = (await it.mail.listMessages(mailbox))?.messages ?? []
    expect(await it.mail.removeMessage(mailbox, row?.id ?? '')).toBe(true)
    expect(await it.mail.receive(envelope(email), mime('one more'))).toBe('delivered')
    expect(await subjects(mailbox)).toHaveLength(100)
  })

  test('the end is exact: the last millisecond counts, the next does not (F09)', async () => {
    const { email, token, expiresAt, mailbox } = await openNew()
    it.setTime(expiresAt - 1)
    expect(await sendTo(email)).toBe('delivered')
    expect(await subjects(mailbox)).toEqual(['to 1'])
    it.setTime(expiresAt)
    expect(await it.mail.receive(envelope(email), mime('too late'))).toBe('mailbox_not_found')
    expect(await it.mail.openMailbox(token)).toBeUndefined()
    expect(await it.mail.listMessages(mailbox)).toBeUndefined()
    expect(await it.mail.changesSince(mailbox, 0)).toBeUndefined()
  })
})

describe('nothing readable at rest', () => {
  test('neither address, sender, subject, body, file name nor token is in any file, live or over', async () => {
    const { email, token, mailbox } = await openNew()
    await it.mail.receive(envelope(email), mime('Unmistakable subject'))
    expect(await subjects(mailbox)).toEqual(['Unmistakable subject'])
    const words = [
      email,
      email.split('@')[0] ?? '',
      'jane@sender.test',
      'bounce@sender.test',
      'Unmistakable subject',
      'periwinkle',
      'data.bin',
      token,
    ]
    expect(wordsIn(folder, words)).toEqual([])
    it.setTime(it.clock() + 600_000)
    await it.store.sweep(10)
    expect(wordsIn(folder, words)).toEqual([])
    expect(readdirSync(folder).length).toBeGreaterThan(0)
  })
})

describe('changes and the bell', () => {
  test('a watcher sees what comes and goes, by cursor', async () => {
    const { email, mailbox } = await openNew()
    const abort = new AbortController()
    const seen: string[] = []
    let cursor = 0
    await sendTo(email)
    for await (const _ of it.mail.watch(mailbox.mailboxId, abort.signal)) {
      for (const change of (await it.mail.changesSince(mailbox, cursor)) ?? []) {
        cursor = change.cursor
        seen.push(change.type)
        if (change.type === 'message') await it.mail.removeMessage(mailbox, change.message.id)
        else abort.abort()
      }
    }
    expect(seen).toEqual(['message', 'removed'])
  })

  test('the verdict on the sender is added after delivery', async () => {
    await using other = await startMail(join(folder, 'other'), {
      authenticate: async () => ({ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', domain: 'sender.test' }),
    })
    const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await other.mail.openMailbox(token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    const abort = new AbortController()
    await other.mail.receive(envelope(email), mime('signed'))
    for await (const _ of other.mail.watch(mailbox.mailboxId, abort.signal)) {
      if ((await other.mail.listMessages(mailbox))?.messages[0]?.authentication) abort.abort()
    }
    const [row] = (await other.mail.listMessages(mailbox))?.messages ?? []
    expect(row?.authentication).toMatchObject({ dmarc: 'pass', domain: 'sender.test' })
    expect(await readMessage(other, mailbox, row?.id ?? '')).toMatchObject({ authentication: { dkim: 'pass' } })
  })
})

describe('the operator', () => {
  test('gets what is sent to postmaster and abuse, and a failure of his inbox is temporary', async () => {
    const accepted: string[] = []
    let isBroken = false
    const accept = async (_: unknown, raw: Uint8Array) => {
      if (isBroken) throw new AppError('unavailable')
      if (raw.length > 1000) return 'message_too_large' as const
      accepted.push(sha256(raw))
      return 'stored' as const
    }
    await using other = await startMail(join(folder, 'other'), { operatorInbox: { accept } })
    const raw = mime('for the operator')
    for (const to of ['Postmaster', 'postmaster@mayfly.test', 'ABUSE@box.test', 'abuse+x@box.test']) {
      expect(await other.mail.checkRecipient(to)).toBe('accepted')
      expect(await other.mail.receive(envelope(to), raw)).toBe('delivered')
    }
    expect(accepted).toEqual(Array(4).fill(sha256(raw)))
    expect(await other.mail.receive(envelope('postmaster@mayfly.test'), mime('x'.repeat(2000)))).toBe('message_too_large')
    isBroken = true
    expect(await other.mail.receive(envelope('postmaster@mayfly.test'), raw)).toBe('unavailable')
  })
})

describe('chosen addresses', () => {
  test('are given once, in the domain asked for', async () => {
    const created = await it.mail.createAddress({ localPart: ' Jane.Doe ', domain: 'BOX.test', lifetimeSeconds: 60 })
    expect(created.email).toBe('jane.doe@box.test')
    await expect(it.mail.createAddress({ localPart: 'jane.doe', domain: 'box.test', lifetimeSeconds: 60 })).rejects.toMatchObject({
      code: 'local_part_taken',
    })
    await expect(it.mail.createAddress({ domain: 'gmail.com', lifetimeSeconds: 60 })).rejects.toMatchObject({ code: 'domain_not_served' })
    for (const localPart of ['a', 'a b', '.a.b', 'a..b', 'a@b', 'x'.repeat(33), 'näme', 'a+b+c', '']) {
      await expect(it.mail.createAddress({ localPart, lifetimeSeconds: 60 })).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('are never a role or what looks like one (A16)', async () => {
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
      await expect(it.mail.createAddress({ localPart, lifetimeSeconds: 60 }), localPart).rejects.toMatchObject({
        code: 'local_part_reserved',
      })
    }
  })

  test('a new owner of an old name sees no old mail, and the old token stays dead (A17)', async () => {
    const first = await it.mail.createAddress({ localPart: 'heirloom', lifetimeSeconds: 60 })
    await sendTo(first.email)
    it.setTime(first.expiresAt)
    const second = await it.mail.createAddress({ localPart: 'heirloom', lifetimeSeconds: 60 })
    const mailbox = await it.mail.openMailbox(second.token)
    expect(mailbox && (await subjects(mailbox))).toEqual([])
    expect(await it.mail.openMailbox(first.token)).toBeUndefined()
    expect(await it.mail.receive(envelope(second.email), mime('new'))).toBe('delivered')
    expect(mailbox && (await subjects(mailbox))).toEqual(['new'])
  })
})

describe('tokens and links', () => {
  test('ten thousand tokens share nothing, and a token with any character changed opens nothing (W01)', async () => {
    const { token } = await it.mail.createAddress({ lifetimeSeconds: 600 })
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect(await it.mail.openMailbox(changed)).toBeUndefined()
    }
    const secrets = new Set(Array.from({ length: 10_000 }, () => createToken(anId(), randomBytes).token.slice(22)))
    expect(secrets.size).toBe(10_000)
  })

  test('a link opens its attachment for a minute and nothing else, and dies with the mailbox (W04)', async () => {
    const { email, token, mailbox } = await openNew()
    await sendTo(email)
    const [row] = (await it.mail.listMessages(mailbox))?.messages ?? []
    const id = row?.id ?? ''
    const link = await it.mail.createAttachmentLink(mailbox, id, 0)
    expect(link?.expiresAt).toBe(new Date(it.clock() + 60_000).toISOString())
    const capability = decodeURIComponent(link?.url.split('/').at(-1) ?? '')
    for (const secret of [token, mailbox.mailboxId, id, email]) expect(capability).not.toContain(secret)
    expect(await it.mail.createAttachmentLink(mailbox, id, 1)).toBeUndefined()
    expect(await it.mail.createAttachmentLink(mailbox, 'x', 0)).toBeUndefined()
    const twice = [await it.mail.openAttachmentLink(capability), await it.mail.openAttachmentLink(capability)]
    expect(twice.map(attachment => [...(attachment?.bytes ?? [])])).toEqual(Array(2).fill([0, 1, 2, 250, 251, 255]))
    for (let at = 0; at < capability.length; at++) {
      const changed = `${capability.slice(0, at)}${capability[at] === 'A' ? 'B' : 'A'}${capability.slice(at + 1)}`
      expect(await it.mail.openAttachmentLink(changed)).toBeUndefined()
    }
    for (const broken of ['', capability.slice(1), `${capability}A`]) expect(await it.mail.openAttachmentLink(broken)).toBeUndefined()
    it.setTime(it.clock() + 59_999)
    expect(await it.mail.openAttachmentLink(capability)).toBeDefined()
    it.setTime(it.clock() + 1)
    expect(await it.mail.openAttachmentLink(capability)).toBeUndefined()
    const fresh = await it.mail.createAttachmentLink(mailbox, id, 0)
    await it.mail.destroyMailbox(mailbox)
    expect(await it.mail.openAttachmentLink(fresh?.url.split('/').at(-1) ?? '')).toBeUndefined()
  })
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const anId = () => randomBytes(16).toString('base64url') as MailboxId

function wordsIn(path: string, words: string[]): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(entry => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return words.filter(word => bytes.includes(word)).map(word => `${entry.name}: ${word}`)
    })
}
