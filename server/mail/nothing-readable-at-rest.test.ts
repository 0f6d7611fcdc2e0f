import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MailboxId } from '#server/store/store.ts'
import { envelope, listMessages, mime, READER, receive, startMailForEachTest } from '#test/harness/mayfly/start-mail.ts'
import { createToken } from './keys/token.ts'

const core = startMailForEachTest()

describe('nothing readable at rest', () => {
  test('neither address, sender, subject, body, file name nor token is in any file, live or expired', async () => {
    const { email, token, mailbox } = await core.openNew()
    await receive(core.mail, envelope(email), mime('Unmistakable subject'))
    expect(await core.subjects(mailbox)).toEqual(['Unmistakable subject'])
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
    expect(wordsIn(core.folder, words)).toEqual([])
    core.clock.advance(600_000)
    await core.store.sweep(10)
    expect(wordsIn(core.folder, words)).toEqual([])
    expect(readdirSync(core.folder).length).toBeGreaterThan(0)
  })
})

describe('tokens and links', () => {
  test('ten thousand tokens have nothing in common, and a token with any character changed opens nothing', async () => {
    const { token } = await core.mail.createAddress({ lifetimeSeconds: 600 })
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect(await core.mail.openMailbox(changed)).toBeUndefined()
    }
    const secrets = new Set(Array.from({ length: 10_000 }, () => createToken(anId()).token.slice(22)))
    expect(secrets.size).toBe(10_000)
  })

  test('a link opens its attachment for a minute and nothing else, and stops working with the mailbox', async () => {
    const { email, token, mailbox } = await core.openNew()
    await core.sendTo(email)
    const [row] = (await listMessages(core.mail, mailbox))?.messages ?? []
    const id = row?.id ?? ''
    const created = await core.mail.createAttachmentLink(mailbox, id, 0, READER)
    expect(created?.expiresAt).toBe(core.clock.now() + 60_000)
    const { link = '' } = created ?? {}
    for (const secret of [token, mailbox.mailboxId, id, email]) expect(link).not.toContain(secret)
    expect(await core.mail.createAttachmentLink(mailbox, id, 1, READER)).toBeUndefined()
    expect(await core.mail.createAttachmentLink(mailbox, 'x', 0, READER)).toBeUndefined()
    const twice = [await core.mail.openAttachmentLink(link, READER), await core.mail.openAttachmentLink(link, READER)]
    expect(twice.map(attachment => [...(attachment?.bytes ?? [])])).toEqual(Array(2).fill([0, 1, 2, 250, 251, 255]))
    for (let at = 0; at < link.length; at++) {
      const changed = `${link.slice(0, at)}${link[at] === 'A' ? 'B' : 'A'}${link.slice(at + 1)}`
      expect(await core.mail.openAttachmentLink(changed, READER)).toBeUndefined()
    }
    for (const broken of ['', link.slice(1), `${link}A`]) expect(await core.mail.openAttachmentLink(broken, READER)).toBeUndefined()
    core.clock.advance(59_999)
    expect(await core.mail.openAttachmentLink(link, READER)).toMatchObject({ filename: 'data.bin' })
    core.clock.advance(1)
    expect(await core.mail.openAttachmentLink(link, READER)).toBeUndefined()
    const fresh = await core.mail.createAttachmentLink(mailbox, id, 0, READER)
    await core.mail.destroyMailbox(mailbox)
    expect(await core.mail.openAttachmentLink(fresh?.link ?? '', READER)).toBeUndefined()
  })
})

const anId = () => randomBytes(16).toString('base64url') as MailboxId

function wordsIn(path: string, words: string[]): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(entry => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return words.filter(word => bytes.includes(word)).map(word => `${entry.name}: ${word}`)
    })
}
