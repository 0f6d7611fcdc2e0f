/** Every promise of the mail store port, run against each adapter on its real engine. */
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Change,
  type MailboxId,
  type MailboxRecord,
  type MailStore,
  type MessageId,
  REMOVALS_TOLD,
  type SealedMessage,
} from './store.ts'

const START = Date.UTC(2026, 0, 1)
const QUOTA = { messagesMax: 3, bytesMax: 1000 }
const ROOMY = { messagesMax: 10_000, bytesMax: 1024 * 1024 * 1024 }

/** `open` gives an empty store on the clock it is handed; disposing of the result removes it again. */
export function storeContract(name: string, open: (clock: () => number) => Promise<MailStore>): void {
  describe(`mail store: ${name}`, () => {
    let now: number
    let store: MailStore
    beforeEach(async () => {
      now = START
      store = await open(() => now)
    })
    afterEach(() => store[Symbol.asyncDispose]())

    const create = async (lifetimeMs = 600_000) => {
      const mailbox = mailboxRecord(now + lifetimeMs)
      expect(await store.createMailbox(mailbox)).toBe('created')
      return mailbox.mailboxId
    }
    const idsOf = (changes: Change[] | undefined) => changes?.map(change => `${change.type} ${change.messageId}`)

    describe('createMailbox and findMailbox', () => {
      test('gives back what was put in, with an empty fill', async () => {
        const mailbox = mailboxRecord(now + 1000)
        expect(await store.createMailbox(mailbox)).toBe('created')
        const found = await store.findMailbox(mailbox.mailboxId)
        expect(found).toMatchObject({
          mailboxId: mailbox.mailboxId,
          createdAt: now,
          expiresAt: now + 1000,
          messageCount: 0,
          bytes: 0,
          cursor: 0,
        })
        for (const key of ['tokenHash', 'publicKey', 'sealedAddress'] as const) {
          expect(Buffer.from(found?.[key] ?? [])).toEqual(Buffer.from(mailbox[key]))
        }
      })

      test('refuses a live name and leaves its owner alone', async () => {
        const mailbox = mailboxRecord(now + 1000)
        await store.createMailbox(mailbox)
        expect(await store.createMailbox({ ...mailboxRecord(now + 9999), mailboxId: mailbox.mailboxId })).toBe('taken')
        expect((await store.findMailbox(mailbox.mailboxId))?.expiresAt).toBe(now + 1000)
      })

      test('of a hundred who want one name at once, one gets it', async () => {
        const mailboxId = anId<MailboxId>()
        const tries = Array.from({ length: 100 }, () => store.createMailbox({ ...mailboxRecord(now + 1000), mailboxId }))
        expect((await Promise.all(tries)).filter(outcome => outcome === 'created')).toHaveLength(1)
      })

      test('keeps the name of a destroyed mailbox until its own end, then gives it out empty', async () => {
        const mailboxId = await create(1000)
        await store.deliver(mailboxId, sealed('old'), QUOTA)
        await store.destroyMailbox(mailboxId)
        now = START + 999
        expect(await store.createMailbox({ ...mailboxRecord(now + 5000), mailboxId })).toBe('taken')
        now = START + 1000
        expect(await store.createMailbox({ ...mailboxRecord(now + 5000), mailboxId })).toBe('created')
        expect(await store.changesSince(mailboxId, 0, 10)).toEqual([])
      })

      test('gives out an expired name at once, without the mail of its last owner, swept or not', async () => {
        const mailboxId = await create(1000)
        await store.deliver(mailboxId, sealed('old'), QUOTA)
        now = START + 1000
        expect(await store.createMailbox({ ...mailboxRecord(now + 1000), mailboxId })).toBe('created')
        expect(await store.readMessage(mailboxId, sealed('old').messageId)).toBeUndefined()
        expect(await store.deliver(mailboxId, sealed('old'), QUOTA)).toMatchObject({ outcome: 'stored' })
        await store.sweep(10)
        expect(idsOf(await store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('old').messageId}`])
      })

      test('a mailbox that never was is not there for any verb', async () => {
        await expectGone(store, anId<MailboxId>(), anId<MessageId>())
      })
    })

    describe('deliver', () => {
      test('stores the bytes as they are, large and empty ones too', async () => {
        const mailboxId = await create()
        for (const bytes of [0, 1, 4096, 70_000, 3_000_000]) {
          const message = sealed(`of ${bytes} bytes`, bytes)
          expect(await store.deliver(mailboxId, message, ROOMY)).toMatchObject({ outcome: 'stored' })
          const read = await store.readMessage(mailboxId, message.messageId)
          expect(read).toMatchObject({ messageId: message.messageId, receivedAt: message.receivedAt, sealedAnnotation: undefined })
          expect(sha256(read?.sealedRaw)).toBe(sha256(message.sealedRaw))
          expect(sha256(read?.sealedSummary)).toBe(sha256(message.sealedSummary))
        }
      })

      test('takes bytes that are a window on a larger buffer, and bytes in shared memory', async () => {
        const mailboxId = await create()
        const window = { ...sealed('window'), sealedRaw: Buffer.from('..the window..').subarray(2, 12) }
        const shared = { ...sealed('shared'), sealedRaw: Buffer.from(new SharedArrayBuffer(8)).fill('s') }
        for (const message of [window, shared]) {
          await store.deliver(mailboxId, message, ROOMY)
          const read = await store.readMessage(mailboxId, message.messageId)
          expect(sha256(read?.sealedRaw)).toBe(sha256(message.sealedRaw))
          expect(message.sealedRaw.byteLength).toBeGreaterThan(0)
        }
      })

      test('the same content twice, also at the same time, is one message', async () => {
        const mailboxId = await create()
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.deliver(mailboxId, sealed('same'), QUOTA)))
        expect(outcomes.filter(({ outcome }) => outcome === 'stored')).toHaveLength(1)
        expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(19)
        expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1, bytes: 100 })
      })

      test('a duplicate is told as such in a full mailbox too', async () => {
        const mailboxId = await create()
        for (const text of ['1', '2', '3']) await store.deliver(mailboxId, sealed(text), QUOTA)
        expect(await store.deliver(mailboxId, sealed('2'), QUOTA)).toEqual({ outcome: 'duplicate' })
      })

      test('the same content in two mailboxes is two messages', async () => {
        for (const mailboxId of [await create(), await create()]) {
          expect(await store.deliver(mailboxId, sealed('both'), QUOTA)).toMatchObject({ outcome: 'stored' })
        }
      })

      test('holds the quota of messages, however many come at once', async () => {
        const mailboxId = await create()
        const tries = Array.from({ length: 10 }, (_, i) => store.deliver(mailboxId, sealed(`race ${i}`), QUOTA))
        const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome)
        expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(3)
        expect(outcomes.filter(outcome => outcome === 'mailbox_full')).toHaveLength(7)
      })

      test('holds the quota of bytes to the byte', async () => {
        const mailboxId = await create()
        expect(await store.deliver(mailboxId, sealed('over', 1001), QUOTA)).toEqual({ outcome: 'mailbox_full' })
        expect(await store.deliver(mailboxId, sealed('fits', 1000), QUOTA)).toMatchObject({ outcome: 'stored' })
        expect(await store.deliver(mailboxId, sealed('more', 1), QUOTA)).toEqual({ outcome: 'mailbox_full' })
        expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1, bytes: 1000 })
      })

      test('numbers changes upwards', async () => {
        const mailboxId = await create()
        const cursors: number[] = []
        for (const text of ['a', 'b', 'c']) {
          const delivered = await store.deliver(mailboxId, sealed(text), QUOTA)
          if (delivered.outcome === 'stored') cursors.push(delivered.cursor)
        }
        expect(cursors).toHaveLength(3)
        expect(cursors).toEqual(cursors.toSorted((a, b) => a - b))
        expect(new Set(cursors).size).toBe(3)
        expect((await store.findMailbox(mailboxId))?.cursor).toBe(cursors[2])
      })
    })

    describe('expiry', () => {
      test('one millisecond before the end everything works, at the end nothing does', async () => {
        const mailboxId = await create(1000)
        const message = sealed('mail')
        now = START + 999
        expect(await store.deliver(mailboxId, message, QUOTA)).toMatchObject({ outcome: 'stored' })
        expect(await store.findMailbox(mailboxId)).toBeDefined()
        now = START + 1000
        await expectGone(store, mailboxId, message.messageId)
      })

      test('what was asked before the end and what was asked after it keep apart, asked in one breath', async () => {
        const mailboxId = await create(1000)
        now = START + 999
        const before = store.deliver(mailboxId, sealed('before'), QUOTA)
        now = START + 1000
        const after = store.deliver(mailboxId, sealed('after'), QUOTA)
        expect(await before).toMatchObject({ outcome: 'stored' })
        expect(await after).toEqual({ outcome: 'mailbox_not_found' })
      })

      test('a clock that goes back brings nothing to life again', async () => {
        const mailboxId = await create(1000)
        await store.deliver(mailboxId, sealed('mail'), QUOTA)
        now = START + 1000
        expect(await store.findMailbox(mailboxId)).toBeUndefined()
        now = START + 500
        await expectGone(store, mailboxId, sealed('mail').messageId)
        const later = await create(1000)
        expect(await store.deliver(later, sealed('mail'), QUOTA)).toMatchObject({ outcome: 'stored' })
      })
    })

    describe('changesSince', () => {
      test('tells what came after a cursor, oldest first, in steps of any size', async () => {
        const mailboxId = await create()
        const sent = Array.from({ length: 7 }, (_, i) => sealed(`m${i}`))
        for (const message of sent) await store.deliver(mailboxId, message, ROOMY)
        for (const limit of [1, 2, 7, 100]) {
          const seen: Change[] = []
          for (;;) {
            const step = (await store.changesSince(mailboxId, seen.at(-1)?.cursor ?? 0, limit)) ?? []
            seen.push(...step)
            if (step.length < limit) break
          }
          expect(idsOf(seen)).toEqual(sent.map(({ messageId }) => `message ${messageId}`))
        }
      })

      test('tells a removal once, and to a newcomer only what is there', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        const cursor = (await store.findMailbox(mailboxId))?.cursor ?? 0
        await store.deliver(mailboxId, sealed('b'), QUOTA)
        await store.removeMessage(mailboxId, sealed('a').messageId)
        expect(idsOf(await store.changesSince(mailboxId, cursor, 10))).toEqual([
          `message ${sealed('b').messageId}`,
          `removed ${sealed('a').messageId}`,
        ])
        expect(idsOf(await store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('b').messageId}`])
      })

      test('tells the last removals only: mail sent and removed in a circle leaves no endless trace', async () => {
        const mailboxId = await create()
        const texts = Array.from({ length: REMOVALS_TOLD + 20 }, (_, i) => `mail ${i}`)
        await store.deliver(mailboxId, sealed('seen'), ROOMY)
        for (const text of texts)
          await Promise.all([store.deliver(mailboxId, sealed(text), ROOMY), store.removeMessage(mailboxId, sealed(text).messageId)])
        const told = await store.changesSince(mailboxId, 1, 10_000)
        expect(idsOf(told)).toEqual(texts.slice(-REMOVALS_TOLD).map(text => `removed ${sealed(text).messageId}`))
        expect(idsOf(await store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('seen').messageId}`])
      })

      test('tells an annotated message again, with its annotation, once', async () => {
        const mailboxId = await create()
        for (const text of ['a', 'b']) await store.deliver(mailboxId, sealed(text), QUOTA)
        const cursor = (await store.findMailbox(mailboxId))?.cursor ?? 0
        expect(await store.annotate(mailboxId, sealed('a').messageId, Buffer.from('verdict'))).toBe(true)
        const changes = await store.changesSince(mailboxId, cursor, 10)
        expect(idsOf(changes)).toEqual([`message ${sealed('a').messageId}`])
        expect(changes?.[0]?.type === 'message' && Buffer.from(changes[0].sealedAnnotation ?? []).toString()).toBe('verdict')
        expect(await store.changesSince(mailboxId, 0, 10)).toHaveLength(2)
      })

      test('starts over for a cursor this mailbox never gave out', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        expect(await store.changesSince(mailboxId, 1_000_000, 10)).toHaveLength(1)
      })
    })

    describe('removeMessage and annotate', () => {
      test('frees the quota, and the same content may come again', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('big', 1000), QUOTA)
        expect(await store.removeMessage(mailboxId, sealed('big').messageId)).toBe(true)
        expect(await store.readMessage(mailboxId, sealed('big').messageId)).toBeUndefined()
        expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 0, bytes: 0 })
        expect(await store.deliver(mailboxId, sealed('big', 1000), QUOTA)).toMatchObject({ outcome: 'stored' })
        expect(await store.changesSince(mailboxId, 0, 10)).toHaveLength(1)
      })

      test('of many who remove one message, one did', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        const tries = await Promise.all(Array.from({ length: 20 }, () => store.removeMessage(mailboxId, sealed('a').messageId)))
        expect(tries.filter(Boolean)).toHaveLength(1)
        expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 0, bytes: 0 })
      })

      test('neither reaches into another mailbox', async () => {
        const [mine, other] = [await create(), await create()]
        await store.deliver(other, sealed('theirs'), QUOTA)
        const { messageId } = sealed('theirs')
        expect(await store.readMessage(mine, messageId)).toBeUndefined()
        expect(await store.removeMessage(mine, messageId)).toBe(false)
        expect(await store.annotate(mine, messageId, Buffer.from('x'))).toBe(false)
        expect(await store.readMessage(other, messageId)).toBeDefined()
      })

      test('a removed message takes no annotation', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        await store.removeMessage(mailboxId, sealed('a').messageId)
        expect(await store.annotate(mailboxId, sealed('a').messageId, Buffer.from('x'))).toBe(false)
      })
    })

    describe('destroyMailbox', () => {
      test('leaves nothing for any verb, and says once that there was something', async () => {
        const mailboxId = await create()
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        const tries = await Promise.all([store.destroyMailbox(mailboxId), store.destroyMailbox(mailboxId)])
        expect(tries.toSorted()).toEqual([false, true])
        await expectGone(store, mailboxId, sealed('a').messageId)
      })

      test('racing with deliveries, none is stored in what is gone', async () => {
        const mailboxId = await create()
        const race = Array.from({ length: 40 }, (_, i) =>
          i === 20 ? store.destroyMailbox(mailboxId) : store.deliver(mailboxId, sealed(`r${i}`), ROOMY),
        )
        await Promise.all(race)
        await expectGone(store, mailboxId, sealed('r1').messageId)
        expect(await store.deliver(mailboxId, sealed('late'), ROOMY)).toEqual({ outcome: 'mailbox_not_found' })
      })

      test('removes a large mailbox whole', async () => {
        const mailboxId = await create()
        for (let i = 0; i < 6; i++) await store.deliver(mailboxId, sealed(`large ${i}`, 4_000_000), ROOMY)
        expect(await store.destroyMailbox(mailboxId)).toBe(true)
        await expectGone(store, mailboxId, sealed('large 0').messageId)
      })
    })

    describe('watch', () => {
      test('rings once at the start, after each kind of change, and ends with its signal', async () => {
        const mailboxId = await create()
        const abort = new AbortController()
        const bell = store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]()
        expect((await bell.next()).done).toBe(false)
        const changes = [
          () => store.deliver(mailboxId, sealed('a'), QUOTA),
          () => store.annotate(mailboxId, sealed('a').messageId, Buffer.from('v')),
          () => store.removeMessage(mailboxId, sealed('a').messageId),
          () => store.destroyMailbox(mailboxId),
        ]
        for (const change of changes) {
          const ring = bell.next()
          await change()
          expect((await ring).done).toBe(false)
        }
        const last = bell.next()
        abort.abort()
        expect((await last).done).toBe(true)
      })

      test('rings while nobody reads fold into one, and the reader who then asks misses nothing', async () => {
        const mailboxId = await create()
        const abort = new AbortController()
        let rings = 0
        let cursor = 0
        const seen: string[] = []
        for await (const _ of store.watch(mailboxId, abort.signal)) {
          rings += 1
          if (rings === 1) await Promise.all(Array.from({ length: 50 }, (_, i) => store.deliver(mailboxId, sealed(`b${i}`), ROOMY)))
          for (const change of (await store.changesSince(mailboxId, cursor, 100)) ?? []) {
            seen.push(change.messageId)
            cursor = change.cursor
          }
          if (seen.length >= 50 && rings >= 2) abort.abort()
        }
        expect(new Set(seen).size).toBe(50)
        expect(seen).toHaveLength(50)
      })

      test('a ring for one mailbox is not heard in another', async () => {
        const [mine, other] = [await create(), await create()]
        const abort = new AbortController()
        const bell = store.watch(mine, abort.signal)[Symbol.asyncIterator]()
        await bell.next()
        let rang = false
        const ring = bell.next().then(({ done }) => {
          rang = !done
        })
        await store.deliver(other, sealed('a'), QUOTA)
        await store.findMailbox(other)
        expect(rang).toBe(false)
        abort.abort()
        await ring
      })

      test('every watcher of a mailbox is rung', async () => {
        const mailboxId = await create()
        const abort = new AbortController()
        const bells = Array.from({ length: 5 }, () => store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]())
        await Promise.all(bells.map(bell => bell.next()))
        const rings = Promise.all(bells.map(bell => bell.next()))
        await store.deliver(mailboxId, sealed('a'), QUOTA)
        expect((await rings).every(({ done }) => !done)).toBe(true)
        abort.abort()
      })
    })

    describe('sweep and health', () => {
      test('removes what is over, no more than asked, and nothing that lives', async () => {
        const dead = await Promise.all(Array.from({ length: 7 }, () => create(1000)))
        for (const mailboxId of dead) await store.deliver(mailboxId, sealed('a'), QUOTA)
        const alive = await create(5000)
        await store.deliver(alive, sealed('a'), QUOTA)
        now = START + 1000
        expect(await store.sweep(5)).toBe(5)
        expect(await store.sweep(5)).toBe(2)
        expect(await store.sweep(5)).toBe(0)
        expect(await store.changesSince(alive, 0, 10)).toHaveLength(1)
        expect(await store.health()).toMatchObject({ ok: true, mailboxes: 1 })
      })

      test('rings those who watch what it removes', async () => {
        const mailboxId = await create(1000)
        const abort = new AbortController()
        const bell = store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]()
        await bell.next()
        const ring = bell.next()
        now = START + 1000
        await store.sweep(10)
        expect((await ring).done).toBe(false)
        abort.abort()
      })

      test('counts live mailboxes and the bytes they take', async () => {
        await Promise.all([create(), create(), create()])
        const health = await store.health()
        expect(health).toMatchObject({ ok: true, mailboxes: 3 })
        expect(health.bytesOnDisk).toBeGreaterThan(0)
      })

      test('deliveries go on during a sweep', async () => {
        for (let i = 0; i < 300; i++) await create(1000)
        const alive = await create(5000)
        now = START + 1000
        const sweeping = store.sweep(1000)
        const outcomes = await Promise.all(Array.from({ length: 30 }, (_, i) => store.deliver(alive, sealed(`s${i}`), ROOMY)))
        expect(outcomes.every(({ outcome }) => outcome === 'stored')).toBe(true)
        expect(await sweeping).toBe(300)
      })
    })

    test('refuses everything once it is disposed of', async () => {
      const mailboxId = await create()
      await store[Symbol.asyncDispose]()
      await expect(store.findMailbox(mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}

async function expectGone(store: MailStore, mailboxId: MailboxId, messageId: MessageId): Promise<void> {
  expect(await store.findMailbox(mailboxId)).toBeUndefined()
  expect(await store.deliver(mailboxId, sealed('to nobody'), QUOTA)).toEqual({ outcome: 'mailbox_not_found' })
  expect(await store.changesSince(mailboxId, 0, 10)).toBeUndefined()
  expect(await store.readMessage(mailboxId, messageId)).toBeUndefined()
  expect(await store.removeMessage(mailboxId, messageId)).toBe(false)
  expect(await store.annotate(mailboxId, messageId, Buffer.from('x'))).toBe(false)
  expect(await store.destroyMailbox(mailboxId)).toBe(false)
}

function mailboxRecord(expiresAt: number): MailboxRecord {
  const keys = { tokenHash: randomBytes(32), publicKey: randomBytes(32), sealedAddress: randomBytes(90) }
  return { mailboxId: anId<MailboxId>(), ...keys, createdAt: START, expiresAt }
}

/** A message whose id says its content, as in production. */
function sealed(text: string, bytes = 100): SealedMessage {
  const messageId = createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url') as MessageId
  return { messageId, receivedAt: START, sealedSummary: Buffer.from(`summary of ${text}`), sealedRaw: Buffer.alloc(bytes, text) }
}

function anId<Id extends MailboxId | MessageId>(): Id {
  return randomBytes(16).toString('base64url') as Id
}

function sha256(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? 'nothing')
    .digest('hex')
}
