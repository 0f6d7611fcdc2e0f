import { describe, expect, test, vi } from 'vitest'
import type { MessageList, MessageSummary } from '#contract/mailbox.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import type { StreamListener } from '#web/lib/mailbox/live-stream.ts'
import { INITIAL_INBOX, openInbox } from './inbox-store.ts'

function mail(id: string): MessageSummary {
  return {
    id,
    cursor: '1',
    subject: id,
    from: { name: '', address: 'a@b.example' },
    envelopeTo: [],
    receivedAt: '2026-11-21T10:00:00.000Z',
    preview: '',
    size: 1,
    attachments: [],
    attachmentCount: 0,
    codes: [],
    parseStatus: 'ok',
    verdict: 'unknown',
    verdictReason: 'unchecked',
  }
}

const NO_ANSWER = new ProblemError('network')

/** An inbox whose fetches the test answers one by one. */
function open() {
  const pending: PromiseWithResolvers<MessageList>[] = []
  const arrived: string[][] = []
  let stream: StreamListener | undefined
  let expired = 0
  const left = new AbortController()
  let state = INITIAL_INBOX
  const inbox = openInbox(
    {
      onChange: changed => {
        state = changed
      },
      list: () => {
        const answer = Promise.withResolvers<MessageList>()
        pending.push(answer)
        return answer.promise
      },
      join: listener => {
        stream = listener
      },
      onArrived: messages => arrived.push(messages.map(message => message.id)),
      onEndChanged: () => expired++,
    },
    left.signal,
  )
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    inbox,
    state: () => state,
    arrived,
    left,
    expired: () => expired,
    stream: () => stream,
    ids: () => state.messages.map(message => message.id),
    /** Answers the oldest open question for the list. */
    async answer(ids: string[], cursor = '1') {
      pending.shift()?.resolve({ messages: ids.map(mail), cursor })
      await settle()
    },
    async fail(error = new Error('refused')) {
      pending.shift()?.reject(error)
      await settle()
    },
    hear: (id: string, cursor: string, more: Partial<MessageSummary> = {}) =>
      stream?.onEvent({ type: 'message', message: { ...mail(id), ...more } }, cursor, true),
  }
}

describe('the inbox', () => {
  test('shows the first list without announcing it, then streams from its cursor', async () => {
    const page = open()
    expect(page.state()).toMatchObject({ status: 'initial', isFetching: true })
    await page.answer(['b', 'a'], '7')
    expect(page.state()).toMatchObject({ status: 'loaded', isFetching: false })
    expect(page.ids()).toEqual(['b', 'a'])
    expect(page.arrived).toEqual([])
    expect(page.stream()?.cursor()).toBe('7')
  })

  test('offers the code of a mail, but not that of a contradicted sender', async () => {
    const page = open()
    await page.answer([], '0')
    page.hear('a', '1', { codes: ['481516'] })
    page.hear('b', '2', { codes: ['481516'], verdict: 'contradicted' })
    expect(page.state().messages.map(({ id, codes }) => [id, ...codes])).toEqual([['b'], ['a', '481516']])
  })

  test('an end that moved is asked for, and the list stays as it is', async () => {
    const page = open()
    await page.answer(['a'], '1')
    page.stream()?.onEvent({ type: 'extended', expiresAt: '2026-11-22T10:00:00.000Z' }, '2', true)
    expect([page.expired(), page.ids(), page.arrived]).toEqual([1, ['a'], []])
  })

  test('a mail received twice is shown and announced once', async () => {
    const page = open()
    await page.answer([], '0')
    page.hear('a', '1')
    page.hear('a', '1')
    void page.inbox.refresh()
    await page.answer(['a'], '1')
    expect(page.ids()).toEqual(['a'])
    expect(page.arrived).toEqual([['a']])
    expect([...page.state().fresh]).toEqual(['a'])
  })

  test('a list requested before a mail arrived does not remove that mail', async () => {
    const page = open()
    await page.answer(['a'], '1')
    void page.inbox.refresh()
    page.hear('b', '2')
    await page.answer(['a'], '1')
    expect(page.ids()).toEqual(['b', 'a'])
    expect(page.stream()?.cursor()).toBe('2')
    expect(page.arrived).toEqual([['b']])
  })

  test('a list requested before a mail was deleted does not restore it', async () => {
    const page = open()
    await page.answer(['b', 'a'], '2')
    void page.inbox.refresh()
    page.inbox.hide('a')
    await page.answer(['b', 'a'], '2')
    expect(page.ids()).toEqual(['b'])
  })

  test('a failed fetch keeps the previous list', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = open()
    await page.answer(['a'], '1')
    void page.inbox.refresh()
    await page.fail()
    expect(page.state()).toMatchObject({ status: 'loaded', isFetching: false })
    expect(page.ids()).toEqual(['a'])
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('a failed first fetch shows the empty inbox, and the next success starts the stream', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = open()
    await page.fail()
    expect(page.state().status).toBe('loaded')
    expect(page.stream()).toBeUndefined()
    void page.inbox.refresh()
    await page.answer(['a'], '1')
    expect(page.stream()?.cursor()).toBe('1')
    warn.mockRestore()
  })

  test('later authentication results update the row in its place', async () => {
    const page = open()
    await page.answer(['b', 'a'], '2')
    const authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' } as const
    page.stream()?.onEvent({ type: 'message', message: { ...mail('a'), authentication } }, '3', true)
    expect(page.ids()).toEqual(['b', 'a'])
    expect(page.state().messages[1]?.authentication).toEqual(authentication)
    expect(page.arrived).toEqual([])
  })

  test.each(['connected', 'receiving'] as const)('a server that has %s when the address ends is refused', async step => {
    const page = open()
    await page.answer([], '0')
    page.stream()?.onDelivery({ type: 'delivery', step, server: 'mx.a.example', encrypted: true })
    page.stream()?.onEvent({ type: 'expired' }, undefined, true)
    expect(page.state().delivery).toMatchObject({ step: 'refused', reason: 'ended', server: 'mx.a.example' })
  })

  test('a list of a mailbox that the server no longer knows is its end, and no warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = open()
    await page.answer(['a'], '1')
    void page.inbox.refresh()
    await page.fail(new ProblemError('mailbox_not_found', { status: 404 }))
    expect(page.expired()).toBe(1)
    expect(page.ids(), 'until the page has seen it go').toEqual(['a'])
    void page.inbox.refresh()
    page.left.abort()
    await page.fail(new ProblemError('mailbox_not_found', { status: 404 }))
    expect(page.expired(), 'a page that was left hears of no end').toBe(1)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('the end of a stream is reported, and a page that was left gets nothing', async () => {
    const page = open()
    await page.answer([], '0')
    page.stream()?.onEvent({ type: 'expired' }, undefined, true)
    expect(page.expired()).toBe(1)
    page.left.abort()
    page.hear('a', '1')
    expect(page.ids()).toEqual([])
    expect(page.arrived).toEqual([])
  })
})

describe('a server that does not answer', () => {
  test('is away only while the list cannot be fetched either', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = open()
    await page.answer(['a'])
    page.stream()?.onState('away', 20_000)
    expect(page.state().live, 'the stream alone may be blocked').toBe('polling')
    await page.fail(NO_ANSWER)
    expect(page.state()).toMatchObject({ live: 'away', status: 'loaded' })
    expect(page.ids()).toEqual(['a'])
    void page.inbox.refresh()
    await page.answer(['a', 'b'])
    expect(page.state().live).toBe('polling')
    page.stream()?.onState('live')
    expect(page.state()).toMatchObject({ live: 'live', retryAtMs: undefined })
    vi.restoreAllMocks()
  })

  test('is tried again if it did not answer from the start', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const page = open()
    await page.fail(NO_ANSWER)
    expect(page.state().live).toBe('away')
    vi.advanceTimersByTime(20_000)
    await page.answer(['a'])
    expect(page.state().live).toBe('connecting')
    expect(page.ids()).toEqual(['a'])
    page.stream()?.onState('live')
    expect(page.state().live).toBe('live')
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
})
