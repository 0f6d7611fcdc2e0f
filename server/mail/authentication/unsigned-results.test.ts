import { describe, expect, test } from 'vitest'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { createLog } from '#server/platform/log.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { createAuthenticator } from './authenticate.ts'
import { isUnsigned, shownAuthors } from './shown-authors.ts'
import { UnsignedResults } from './unsigned-results.ts'

const NONE = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' } as const
const PASS = { ...NONE, spf: 'pass' } as const
const connection = { clientAddress: '192.0.2.1', helo: 'mx.sender.test', from: 'a@sender.test' }
const mail = { author: 'sender.test', areSeveral: false }

describe('which mail is unsigned', () => {
  const read = (header: string) => {
    const raw = Buffer.from(`${header}\r\n\r\nHello.\r\n`, 'latin1')
    const { author, areSeveral } = shownAuthors(parseMessage(raw))
    return isUnsigned(raw) ? { author, areSeveral } : undefined
  }

  test('its author is read, and whether there are several', () => {
    expect(read('Subject: Hi\r\nFrom: A <a@SENDER.test>\r\nTo: b@mayfly.test,\r\n\tc@mayfly.test')).toEqual(mail)
    expect(read('From: a@sender.test, b@other.test')).toEqual({ author: 'sender.test', areSeveral: true })
    expect(read('From: a@sender.test\r\nFrom: a@sender.test')).toMatchObject({ areSeveral: true })
    expect(read('Subject: Hi')).toEqual({ author: '', areSeveral: false })
  })

  test.each([
    'From: a@sender.test\r\nDKIM-Signature: v=1',
    'From: a@sender.test\r\ndkim-signature\t: v=1',
    'From: a@sender.test\r\nARC-Seal: i=1',
    'From: a@sender.test\nSubject: Hi',
    'From: a@sender.test\r\nSubject: Hi\rFrom: b@other.test',
    'From: a@sender.test\r\nSubject\r\n : Hi',
    'From : a@sender.test',
    ' From: a@sender.test',
    'From a@sender.test Sat Nov 21 10:00:00 2026\r\nFrom: a@sender.test',
    'From: a@sender.test\r\nSubject: Hi\r\n \r\n there',
    `From: a@sender.test\r\nX: ${'a'.repeat(20_000)}`,
    `From: a@sender.test\r\n${'X: y\r\n'.repeat(600)}Y: z`,
    `From: a@sender.test\r\nX:${' '.repeat(1500)}z`,
  ])('not where it is signed, or two parsers may disagree: %j', header => {
    expect(read(header)).toBeUndefined()
  })
})

describe('results of unsigned mail', () => {
  test('are held for their author, network and domain, until the answers of DNS end', () => {
    let nowMs = 0
    const results = new UnsignedResults(() => nowMs)
    results.keep(connection, mail, PASS, 1000)
    expect(results.find({ ...connection, from: 'b@SENDER.test' })).toEqual([{ author: 'sender.test', results: PASS }])
    for (const other of [
      { from: 'a@other.test' },
      { from: '' },
      { helo: 'mx' },
      { clientAddress: '192.0.2.2' },
      { from: '"a@"@sender.test' },
    ])
      expect(results.find({ ...connection, ...other })).toEqual([])
    nowMs = 1000
    expect(results.find(connection)).toEqual([])
  })

  test('are not held for several authors, or where an answer does not hold', () => {
    const results = new UnsignedResults(() => 0)
    results.keep(connection, { ...mail, areSeveral: true }, PASS, 1000)
    results.keep(connection, mail, PASS, 0)
    expect(results.find(connection)).toEqual([])
  })

  test('of one check are those of all the same mails that come meanwhile', async () => {
    const results = new UnsignedResults()
    const { promise, resolve } = Promise.withResolvers<typeof PASS>()
    const started: string[] = []
    const start = (from: string) =>
      results.join({ ...connection, from }, mail, () => {
        started.push(from)
        return promise
      })
    const all = Promise.all(['a@sender.test', 'a@sender.test', 'b@sender.test'].map(start))
    resolve(PASS)
    expect(await all).toEqual([PASS, PASS, PASS])
    // A macro may tell these two apart.
    expect(started).toEqual(['a@sender.test', 'b@sender.test'])
    await start('a@sender.test')
    expect(started).toHaveLength(3)
  })
})

describe('results that the thread computes', () => {
  const MACRO = 'v=spf1 exists:%{l}.ok.macro.test -all'
  const zone = {
    'sender.test TXT': ['v=spf1 ip4:192.0.2.1 -all'],
    '_dmarc.sender.test TXT': ['v=DMARC1; p=reject'],
    'macro.test TXT': [MACRO],
    'a.ok.macro.test A': ['127.0.0.2'],
    'slow.test TXT': ['v=spf1 ip4:192.0.2.1 -all'],
  }
  const from = (domain: string, local = 'a') => ({ ...connection, from: `${local}@${domain}` })

  test('hold for as long as all answers do, the missing ones too', async () => {
    await using dns = await startDnsServer(zone, { ttlS: 300 })
    await using authenticator = createAuthenticator({ dnsServers: [dns.address], log: createLog('silent'), telemetry: testTelemetry() })
    const results = await authenticator.authenticate(connection, mail)
    expect(results).toMatchObject({ spf: 'pass', dkim: 'none', dmarc: 'pass', domain: 'sender.test' })
    expect(authenticator.held(connection)).toEqual([{ author: 'sender.test', results }])
    const unknown = { author: 'nobody.test', areSeveral: false }
    expect(await authenticator.authenticate(from('nobody.test'), unknown)).toEqual(NONE)
    expect(authenticator.held(from('nobody.test'))).toHaveLength(1)
  })

  test('hold no longer than an answer, or where a server failed, or a macro asks for the sender', async () => {
    const fault = (name: string) => (name === '_dmarc.slow.test' ? 'SERVFAIL' : undefined)
    await using dns = await startDnsServer(zone, { ttlS: 300, fault })
    await using short = await startDnsServer(zone, { ttlS: 0 })
    const options = { log: createLog('silent'), telemetry: testTelemetry() }
    await using authenticator = createAuthenticator({ dnsServers: [dns.address], ...options })
    await using hasty = createAuthenticator({ dnsServers: [short.address], ...options })
    expect(await hasty.authenticate(connection, mail)).toMatchObject({ spf: 'pass' })
    expect(hasty.held(connection)).toEqual([])
    expect(await authenticator.authenticate(from('slow.test'), { author: 'slow.test', areSeveral: false })).toMatchObject({ spf: 'pass' })
    expect(authenticator.held(from('slow.test'))).toEqual([])
    const macro = { author: 'macro.test', areSeveral: false }
    expect(await authenticator.authenticate(from('macro.test'), macro)).toMatchObject({ spf: 'pass' })
    expect(await authenticator.authenticate(from('macro.test', 'b'), macro)).toMatchObject({ spf: 'fail' })
    expect(authenticator.held(from('macro.test'))).toEqual([])
  })
})
