/** The turns of outgoing mail, at a real relay. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { serve } from '#server/platform/limits/clients.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import type { TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'

export function outboxSuite(features: TestDatabaseFeatures): void {
  describe('turns in the outbox', () => {
    const enqueue = (to: string, from: string, subject = 'Your link') =>
      serve(networksAround(from), () => features.outbox.enqueue({ to, subject, text: '' }, { givesUpAfterMs: 600_000 }))

    test('mails to a domain that the relay is slow to accept delay no other, and are sent one at a time', async () => {
      {
        using stall = features.recorder.stall(/@tarpit\.example$/)
        for (let n = 0; n < 12; n++) await enqueue(`one-${n}@tarpit.example`, `203.0.113.${n}`)
        await expect.poll(() => stall.recipients).toHaveLength(1)
        await enqueue('one@quick-one.example', '198.51.100.1')
        await features.recorder.next('one@quick-one.example')
        expect(stall.recipients).toEqual(['one-0@tarpit.example'])
      }
      await features.outbox.flush()
      const sent = features.recorder.mails.flatMap(({ recipients }) => recipients).filter(to => /^one-.*tarpit/.test(to))
      expect(sent, 'each once, in their order').toEqual(Array.from({ length: 12 }, (_, n) => `one-${n}@tarpit.example`))
    })

    test('slow domains of one network hold half of the senders', async () => {
      {
        using stall = features.recorder.stall(/@two-\d\.example$/)
        for (let n = 0; n < 6; n++) await enqueue(`two@two-${n}.example`, `203.0.113.${n}`)
        await expect.poll(() => stall.recipients).toHaveLength(2)
        await enqueue('two@quick-two.example', '192.0.2.1')
        await features.recorder.next('two@quick-two.example')
        expect(stall.recipients).toHaveLength(2)
      }
      await features.outbox.flush()
    })

    test('networks and domains that were slow lately hold half of the senders together', async () => {
      const enqueueAll = async () => {
        for (let n = 0; n < 4; n++) await enqueue(`three@three-${n}.example`, `203.0.${n}.1`)
      }
      {
        using stall = features.recorder.stall(/@three-\d\.example$/)
        await enqueueAll()
        await expect.poll(() => stall.recipients).toHaveLength(4)
        // A sending counts as slow from two seconds on.
        await sleep(2100)
      }
      await features.outbox.flush()
      {
        using stall = features.recorder.stall(/@three-\d\.example$/)
        await enqueueAll()
        await expect.poll(() => stall.recipients).toHaveLength(2)
        await enqueue('three@quick-three.example', '198.18.0.1')
        await features.recorder.next('three@quick-three.example')
        expect(stall.recipients).toHaveLength(2)
      }
      await features.outbox.flush()
    })

    test('mails to one recipient keep their order, whoever caused them', async () => {
      const subjects = Array.from({ length: 15 }, (_, n) => `link ${n}`)
      for (const [n, subject] of subjects.entries())
        await enqueue('five@example.net', n % 3 === 0 ? '198.51.100.7' : `203.0.${n}.1`, subject)
      await features.outbox.flush()
      const sent = features.recorder.mails.filter(({ recipients }) => recipients.includes('five@example.net'))
      expect(sent.map(({ subject }) => subject)).toEqual(subjects)
    })

    test('a first attempt comes before attempts that failed before', async () => {
      features.recorder.isDown = true
      for (const subject of ['one', 'two']) await enqueue('four@example.org', '198.51.100.1', subject)
      await features.outbox.flush()
      features.recorder.isDown = false
      features.now += 60_000
      await enqueue('four@example.org', '198.51.100.1', 'new')
      await features.outbox.flush()
      const sent = features.recorder.mails.filter(({ recipients }) => recipients.includes('four@example.org'))
      expect(sent.map(({ subject }) => subject)).toEqual(['new', 'one', 'two'])
    })
  })
}
