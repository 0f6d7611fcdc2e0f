import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { generateKeyPair } from './hpke.ts'
import {
  createSealMemory,
  deriveMessageKey,
  importSealingKey,
  MESSAGE_KEY_BYTES,
  Openers,
  openSealed,
  openWithMessageKey,
  SenderContexts,
  sealAuthentication,
  sealMessage,
} from './seal.ts'

const ENC_BYTES = 32
const owner = generateKeyPair()
const sealingKey = importSealingKey(owner.publicKey)
const boundTo = (messageId: string) => ({ mailboxId: 'mailbox' as MailboxId, messageId: messageId as MessageId })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A message as it is stored. */
function seal({ senderFor }: SenderContexts, messageId: string, raw = Buffer.from(`raw of ${messageId}`)) {
  const [summary, sealedRaw] = sealMessage(sealingKey, boundTo(messageId), Buffer.from(`summary of ${messageId}`), raw, { senderFor })
  return { summary: Buffer.concat(summary), raw: Buffer.concat(sealedRaw) }
}

test('messages of one context are opened by their owner, and only by their own keys', () => {
  const contexts = new SenderContexts()
  const ids = ['one', 'two', 'three']
  const sealed = ids.map(id => seal(contexts, id))
  const keys = sealed.map(({ summary }) => deriveMessageKey(owner, summary))
  expect(new Set(keys.map(String)).size).toBe(3)
  for (const [i, id] of ids.entries()) {
    const { summary, raw } = sealed[i] ?? expect.fail()
    expect(String(openSealed(owner, 'summary', boundTo(id), summary))).toBe(`summary of ${id}`)
    expect(String(openSealed(owner, 'raw', boundTo(id), raw))).toBe(`raw of ${id}`)
    for (const [j, key] of keys.entries()) {
      expect(key.byteLength).toBe(MESSAGE_KEY_BYTES)
      const open = () => String(openWithMessageKey(key, 'raw', boundTo(id), raw))
      if (i === j) expect(open()).toBe(`raw of ${id}`)
      else expect(open).toThrow()
    }
  }
})

test('the first message of a context has no salt, as in earlier builds, and the same bytes are sealed differently later', () => {
  const contexts = new SenderContexts()
  const [first, second, third] = [seal(contexts, 'same'), seal(contexts, 'same'), seal(contexts, 'same')]
  expect((first.raw[ENC_BYTES - 1] ?? 0) & 0x80).toBe(0)
  expect((second.raw[ENC_BYTES - 1] ?? 0) & 0x80).toBe(0x80)
  expect(second.raw.length - first.raw.length).toBe(16)
  expect(second.raw.equals(third.raw)).toBe(false)
  expect(second.raw.subarray(ENC_BYTES, ENC_BYTES + 16).equals(third.raw.subarray(ENC_BYTES, ENC_BYTES + 16))).toBe(false)
})

test('a changed bit opens nothing, also in the salt and in the bit that announces it', () => {
  const contexts = new SenderContexts()
  for (const { summary } of [seal(contexts, 'id'), seal(contexts, 'id')]) {
    for (let bit = 0; bit < summary.length * 8; bit++) {
      const changed = Buffer.from(summary)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => openSealed(owner, 'summary', boundTo('id'), changed)).toThrow()
    }
    for (let length = 0; length < summary.length; length++) {
      expect(() => openSealed(owner, 'summary', boundTo('id'), summary.subarray(0, length))).toThrow()
    }
  }
})

test('authentication results, and a message sealed into shared memory, can be opened too', () => {
  const contexts = new SenderContexts()
  seal(contexts, 'before')
  const results = sealAuthentication(sealingKey, boundTo('id'), Buffer.from('results'), contexts.senderFor)
  expect(String(openSealed(owner, 'annotation', boundTo('id'), Buffer.concat(results)))).toBe('results')
  const large = Buffer.alloc(3 * 1024 * 1024, 'large ')
  const { raw } = seal(contexts, 'large', large)
  expect(Buffer.from(openSealed(owner, 'raw', boundTo('large'), raw)).equals(large)).toBe(true)
})

test('copies of a large mail are sealed into the same memory, one after the other', () => {
  const large = Buffer.alloc(1024 * 1024, 'large ')
  const memory = createSealMemory(large.byteLength)
  for (const id of ['first', 'second']) {
    const [, [raw]] = sealMessage(sealingKey, boundTo(id), Buffer.from('summary'), large, { memory })
    expect(Buffer.from(openSealed(owner, 'raw', boundTo(id), raw ?? Buffer.alloc(0))).equals(large)).toBe(true)
    expect(raw?.buffer).toBe(memory)
  }
})

test('the key of a reader is imported once in five seconds, and not kept longer', () => {
  const openers = new Openers()
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const first = openers.openerFor(one)
  expect(openers.openerFor(two).publicKey).not.toEqual(first.publicKey)
  vi.advanceTimersByTime(4999)
  expect(openers.openerFor(Buffer.from(one))).toBe(first)
  vi.advanceTimersByTime(1)
  const imported = openers.openerFor(one)
  expect(imported).not.toBe(first)
  expect(imported.publicKey).toEqual(first.publicKey)
})

test('a key pair generated in advance is used once', () => {
  const encs = new Set<string>()
  const contexts = new SenderContexts()
  for (let i = 0; i < 20; i++) {
    const [, raw] = sealMessage(importSealingKey(owner.publicKey), boundTo('id'), Buffer.from('summary'), Buffer.from('raw'), contexts)
    encs.add(Buffer.concat(raw).toString('hex', 0, ENC_BYTES))
    expect(String(openSealed(owner, 'raw', boundTo('id'), Buffer.concat(raw)))).toBe('raw')
    if (i % 3 === 0) vi.advanceTimersByTime(20)
  }
  expect(encs.size).toBe(20)
})

test('a context is forgotten five seconds after it was created', () => {
  const contexts = new SenderContexts()
  const enc = () => {
    const { raw } = seal(contexts, 'id')
    raw[ENC_BYTES - 1] = (raw[ENC_BYTES - 1] ?? 0) & 0x7f
    return raw.toString('hex', 0, ENC_BYTES)
  }
  const first = enc()
  vi.advanceTimersByTime(4999)
  expect(enc()).toBe(first)
  vi.advanceTimersByTime(1)
  expect(enc()).not.toBe(first)
})
