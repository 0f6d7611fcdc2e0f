/**
 * Delivers to a store until it is killed, through a second in which no sync succeeds, and prints each message id, and the size of the
 * journal, once it is acknowledged.
 */
import { randomBytes } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'

const [folder = '', failSyncs = '', mails = '10', journal = ''] = process.argv.slice(2)
const journalBytes = () => statSync(journal).size
const anId = <Id>() => randomBytes(16).toString('base64url') as Id
const store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
const mailboxId = anId<MailboxId>()
const keys = { tokenHash: randomBytes(32), publicKey: randomBytes(32), sealedAddress: randomBytes(80), mac: randomBytes(32) }
const createdAt = Date.now()
await store.createMailbox({ mailboxId, ...keys, createdAt, expiresAt: createdAt + 3_600_000 })
console.log(`mailbox ${mailboxId}`)

async function deliver(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const messageId = anId<MessageId>()
    const message = { messageId, receivedAt: Date.now(), sealedSummary: randomBytes(300), sealedRaw: randomBytes(20_000) }
    const quota = { messagesMax: 100_000, bytesMax: 1e9 }
    await store.deliver(mailboxId, message, quota, createdAt).then(
      () => console.log(`stored ${messageId} ${journalBytes()}`),
      () => console.log('refused'),
    )
  }
}

await deliver(Number(mails))
writeFileSync(failSyncs, '')
await deliver(3)
rmSync(failSyncs)
await deliver(Number(mails))
console.log('done')
setInterval(() => undefined, 1000)
