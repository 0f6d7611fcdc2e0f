import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { KIB, MIB } from '#contract/limits.ts'
import type { Message } from '#contract/mailbox.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { type PoolOptions, type ThreadMetrics, ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { MailboxId } from '#server/store/store.ts'
import { derivePrivateKey, toKeyPair } from '../keys/hpke.ts'
import type { MailTasks } from './mail-tasks.ts'
import { MailThreads, mailThreadOptions } from './mail-threads.ts'

const privateKey = derivePrivateKey(randomBytes(32))
const keys = toKeyPair(privateKey)
const mailboxId = randomBytes(16).toString('base64url') as MailboxId
const owner = { mailboxId, privateKey }
const recipients = [{ mailboxId, publicKey: keys.publicKey, envelopeTo: [] }]

let threads: ThreadPool<MailTasks>
const start = (options: Partial<PoolOptions> = {}) => {
  threads = new MailThreads({ ...mailThreadOptions(randomBytes(32), createLog('silent')), ...options })
}
afterEach(() => threads[Symbol.asyncDispose]())

async function sealAndList(raw: Uint8Array) {
  const { value, bytes } = await threads.run('seal', { recipients, envelopeFrom: '' }, [{ raw }])
  const row = { messageId: value.messageIds[0] ?? ('' as never), arrivalCursor: 1, receivedAt: 0 }
  const [sealed = { sealedSummary: raw, sealedRaw: raw }] = bytes
  const { value: summaries } = await threads.run('summaries', { owner, rows: [row] }, [sealed])
  const opened = await threads.run('raw', { owner, messageId: row.messageId }, [sealed])
  return { summary: summaries[0], raw: opened.bytes[0]?.raw, row, sealed }
}

const sealSmall = (i: number) => threads.run('seal', { recipients, envelopeFrom: '' }, [{ raw: Buffer.from(`Subject: ${i}\r\n\r\ntext`) }])

/** Parts, header fields and nesting at the parser's limits: as much work as a message can make. */
const bomb = Buffer.concat([
  Buffer.from('Subject: heavy\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n'),
  Buffer.from(`--x\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(1_500_000)}\r\n`),
  Buffer.from('--x--\r\n'),
])

describe('the mail threads', () => {
  test('return the right result for every simultaneous job', async () => {
    start()
    const mails = Array.from({ length: 300 }, (_, i) => Buffer.from(`Subject: number ${i}\r\n\r\n${'x'.repeat(i * 37)}`))
    const done = await Promise.all(mails.map(sealAndList))
    done.forEach(({ summary, raw }, i) => {
      expect(summary?.subject).toBe(`number ${i}`)
      expect(mails[i]?.equals(raw ?? Buffer.alloc(0))).toBe(true)
    })
  })

  test('a few small mails share one thread, however often they arrive', async () => {
    start({ waitMsMax: 60_000 })
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 32 }, (_, i) => sealSmall(i)))
    expect(threads.threads).toBe(1)
  })

  test('many mails, or a few that have waited long enough, get a second one', async () => {
    start({ waitMsMax: 60_000 })
    await sealSmall(0)
    await Promise.all(Array.from({ length: 500 }, (_, i) => sealSmall(i)))
    expect(threads.threads).toBeGreaterThan(1)
    await threads[Symbol.asyncDispose]()
    start({ waitMsMax: 0 })
    await sealSmall(0)
    const first = Array.from({ length: 32 }, (_, i) => sealSmall(i))
    await new Promise(setImmediate)
    await Promise.all([...first, sealSmall(33)])
    expect(threads.threads).toBeGreaterThan(1)
  })

  test('a thread with a short job now and then is not idle', async () => {
    start({ idleMsMax: 3000 })
    const threadCounts = new Set<number>()
    for (let i = 0; i < 16; i++) {
      await sealSmall(i)
      await new Promise(resolve => setTimeout(resolve, 300))
      threadCounts.add(threads.threads)
    }
    expect([...threadCounts]).toEqual([1])
  })

  test('deliver without waiting behind whole messages that are being read', async () => {
    start({ threadsMax: 2 })
    const { row, sealed } = await sealAndList(bomb)
    const ended: string[] = []
    const end = (what: string) => () => void ended.push(what)
    const reads = Array.from({ length: 6 }, () =>
      threads.run('message', { owner, row, filter: {} }, [sealed], ['attacker']).then(end('read')),
    )
    const other = threads.run('message', { owner, row, filter: {} }, [sealed], ['victim']).then(end('read of another'))
    for (let i = 0; i < 3; i++)
      await threads
        .run('seal', { recipients, envelopeFrom: '' }, [{ raw: Buffer.from(`Subject: ${i}\r\n\r\n`) }], ['sender'])
        .then(end('delivery'))
    await Promise.all([...reads, other])
    expect(ended.lastIndexOf('delivery')).toBeLessThan(ended.length - 3)
    expect(ended.filter(what => what !== 'delivery').indexOf('read of another')).toBeLessThan(3)
  })

  test('are replaced when over their time: the message is kept or refused, and other jobs are not affected', async () => {
    // With a limit of nothing, any message that is being processed at a check counts as hostile, without a parser that really hangs.
    start({ limits: { cpuMsMax: () => 0, wallMsMax: 10_000 } })
    const heavy = Buffer.concat([Buffer.from('Subject: heavy\r\n\r\n'), Buffer.alloc(64 * 1024 * 1024, 'x')])
    const outcome = sealAndList(heavy).then(
      ({ summary }) => summary,
      ({ code }) => code,
    )
    const small = Array.from({ length: 20 }, (_, i) => Buffer.from(`Subject: ${i}\r\n\r\n`))
    const others = await Promise.all(small.map(sealAndList))
    expect(others.map(other => other.summary?.subject)).toEqual(small.map((_, i) => String(i)))
    // It depends on the machine whether a check happens once or in every step: the message is kept whole, or refused so that the sender
    // tries again.
    const kept = expect.objectContaining({ subject: 'heavy', size: heavy.length })
    expect(await outcome).toEqual(expect.toBeOneOf([kept, 'internal']))
    expect((await sealAndList(Buffer.from('Subject: after\r\n\r\n'))).summary?.subject).toBe('after')
  })

  test('give a small message less CPU time than the largest', async () => {
    const serve = new URL('../../platform/threads/serve.ts', import.meta.url)
    const spin = `import { serveTasks } from '${serve}'
      serveTasks(() => ({
        seal({ recipients: [cpuMs], isUnparsed }) {
          const start = process.threadCpuUsage()
          const usedMs = ({ user, system }) => (user + system) / 1000
          while (!isUnparsed && usedMs(process.threadCpuUsage(start)) < cpuMs);
          return { value: isUnparsed ? 'unparsed' : 'parsed' }
        },
      }))`
    const { limits } = mailThreadOptions(randomBytes(32), createLog('silent'))
    start({ code: new URL(`data:text/javascript,${encodeURIComponent(spin)}`), limits: { ...limits, wallMsMax: 600_000 } })
    const seal = async (cpuMs: number, bytes: number) => {
      const args = { recipients: [cpuMs as never], envelopeFrom: '' }
      return (await threads.run('seal', args, [{ raw: new Uint8Array(new SharedArrayBuffer(bytes)) }])).value
    }
    expect(await seal(1500, 4 * KIB)).toBe('unparsed')
    expect(await seal(100, 4 * KIB)).toBe('parsed')
    expect(await seal(1500, 24 * MIB)).toBe('parsed')
    expect(await seal(3000, 24 * MIB)).toBe('unparsed')
  }, 180_000)

  test('are replaced when out of memory, and the message is kept byte for byte with its subject', async () => {
    const counted = { deaths: 0, retries: 0 }
    const metrics: ThreadMetrics = {
      threadDied() {
        counted.deaths += 1
      },
      jobsRetried(_, jobs) {
        counted.retries += jobs
      },
    }
    start({ resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 }, metrics })
    // JSON takes 32 MiB for the control characters. An unparsed message is shown without them.
    const text = [Buffer.alloc(MIB, 'a'), Buffer.alloc(5.4 * MIB, 1)]
    const heavy = Buffer.concat([Buffer.from('Subject: heavy\r\n\r\n'), ...text])
    const { summary, raw, row, sealed } = await sealAndList(heavy)
    expect(heavy.equals(raw ?? Buffer.alloc(0))).toBe(true)
    expect(summary).toMatchObject({ subject: 'heavy', size: heavy.length })
    const { bytes } = await threads.run('message', { owner, row, filter: {} }, [sealed])
    const message: Message = JSON.parse(String(bytes[0]?.json))
    expect(message).toMatchObject({ subject: 'heavy', parseStatus: 'failed' })
    expect(counted.deaths).toBeGreaterThan(0)
    expect(counted.retries).toBe(counted.deaths)
  })

  test('refuse an invalid job without affecting others', async () => {
    start()
    const { row, sealed } = await sealAndList(Buffer.from('Subject: x\r\n\r\n'))
    const stranger = { mailboxId, privateKey: derivePrivateKey(randomBytes(32)) }
    await expect(threads.run('raw', { owner: stranger, messageId: row.messageId }, [sealed])).rejects.toMatchObject({ code: 'internal' })
    expect((await threads.run('raw', { owner, messageId: row.messageId }, [sealed])).bytes[0]?.raw.toString()).toBe('Subject: x\r\n\r\n')
  })

  test.each([
    ['code is missing', { code: new URL('./of-an-installation-cut-short.ts', import.meta.url) }],
    // The constructor throws, as it does where the system allows no more threads.
    ['settings cannot be passed', { settings: () => undefined }],
  ])('whose %s are tried again after growing pauses, and work is refused until one starts', async (_, broken) => {
    const logged: Record<string, unknown>[] = []
    const { promise: fourth, resolve: isFourth } = Promise.withResolvers<void>()
    const heard = { ...createLog('silent'), error: (line: Record<string, unknown>) => logged.push(line) === 4 && isFourth() }
    const whole = mailThreadOptions(randomBytes(32), heard as unknown as Log)
    const options = { ...whole, ...broken, startPauseMs: 8 }
    threads = new ThreadPool<MailTasks>(options)
    await expect(sealAndList(Buffer.from('Subject: too early\r\n\r\n'))).rejects.toMatchObject({ code: 'unavailable' })
    await fourth
    expect(logged.slice(0, 4).map(line => [line.failedStarts, line.pauseMs])).toEqual([
      [1, 8],
      [2, 16],
      [3, 32],
      [4, 64],
    ])
    Object.assign(options, whole)
    const early = () => sealAndList(Buffer.from('Subject: later\r\n\r\n')).catch(() => undefined)
    let done = await early()
    while (!done) done = await early()
    expect(done.summary?.subject).toBe('later')
  })

  test('end when idle, and start again with the next job', async () => {
    start({ idleMsMax: 1 })
    expect(threads.threads).toBe(0)
    threads.expectWork()
    expect(threads.threads).toBe(1)
    expect((await sealAndList(Buffer.from('Subject: first\r\n\r\n'))).summary?.subject).toBe('first')
    await vi.waitFor(() => expect(threads.threads).toBe(0), { timeout: 30_000 })
    expect((await sealAndList(Buffer.from('Subject: second\r\n\r\n'))).summary?.subject).toBe('second')
  })

  test('refuse work once they are closed', async () => {
    start()
    const pending = threads.run('seal', { recipients, envelopeFrom: '' }, [{ raw: bomb }])
    await Promise.all([expect(pending).rejects.toMatchObject({ code: 'unavailable' }), threads[Symbol.asyncDispose]()])
    await expect(threads.run('seal', { recipients, envelopeFrom: '' }, [{ raw: bomb }])).rejects.toMatchObject({ code: 'unavailable' })
  })
})
