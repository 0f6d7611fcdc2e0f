import { generateKeyPairSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { describe, expect, test } from 'vitest'
import { KIB } from '#contract/limits.ts'
import { summarise } from '#reader/summary.ts'
import { createLog } from '#server/platform/log.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { withAuthors } from '#test/harness/mayfly/with-authors.ts'
import { type DnsFault, startDnsServer } from '#test/harness/servers/dns-server.ts'
import { type Authenticator, createAuthenticator } from './authenticate.ts'
import { readAuthentication as readResults } from './authentication-results.ts'
import { holdingAnswers, rememberSilence } from './lookups.ts'
import { senderVerdict } from './sender-verdict.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const ZONE = new Map([
  ['sender.test', 'v=spf1 ip4:192.0.2.1 -all'],
  ['_dmarc.sender.test', 'v=DMARC1; p=reject'],
  ['xn--mnchen-3ya.test', 'v=spf1 ip4:192.0.2.1 -all'],
  ['_dmarc.xn--mnchen-3ya.test', 'v=DMARC1; p=reject'],
  ['s1._domainkey.sender.test', `v=DKIM1; k=rsa; p=${key}`],
])
const resolve = (domain: string, type: string) => {
  const record = type === 'TXT' ? ZONE.get(domain) : undefined
  return record ? Promise.resolve([[record]]) : Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
}
/** Its reader is told that the sender is unverified. */
const NOT_CHECKED = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' }
const envelope = {
  from: 'a@sender.test',
  clientAddress: '192.0.2.1',
  helo: 'mx.sender.test',
}
const PLAIN =
  'From: A <a@sender.test>\r\nTo: b@mayfly.test\r\nSubject: Hello\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@sender.test>\r\n\r\nHello.\r\n'

type Results = Parameters<typeof readResults>
function readAuthentication(connection: Results[0], raw: Uint8Array, ...more: [Results[2], Results[3]?]) {
  return readResults(connection, withAuthors(raw), ...more)
}

async function signed(message = PLAIN) {
  // The library reads `signatureData`, but its types ask for the same three fields next to it.
  const identity = {
    signingDomain: 'sender.test',
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const { signatures } = await dkimSign(Buffer.from(message), {
    ...identity,
    canonicalization: 'relaxed/relaxed',
    signatureData: [identity],
  })
  return Buffer.from(signatures + message)
}

const arc = (name: string) => (count: number) =>
  Array.from({ length: count }, (_, i) => `${name}: i=${i + 1}; a=rsa-sha256; d=sender.test; s=s1\r\n`).join('')

describe('authentication results', () => {
  test('are about the author whom the mail thread found, since the thread of all checks has no limit for reading a From', async () => {
    const mail = { ...withAuthors(await signed()), author: 'xn--mnchen-3ya.test' }
    expect(await readResults(envelope, mail, resolve)).toMatchObject({ dkim: 'pass', dmarc: 'fail', domain: 'sender.test' })
    const changed = { ...mail, author: 'sender.test', fieldCounts: { ...mail.fieldCounts, subject: 2 } }
    expect(await readResults(envelope, changed, resolve)).toMatchObject({ dkim: 'fail', dmarc: 'pass', domainBy: 'spf' })
  })

  test('a signed mail from the right server passes everything, and the results name the domain', async () => {
    expect(await readAuthentication(envelope, await signed(), resolve)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      arc: 'none',
      policy: 'reject',
      policyDomain: 'sender.test',
      domain: 'sender.test',
      domainBy: 'dkim',
    })
  })

  test('a changed body breaks the signature', async () => {
    const bytes = Buffer.from((await signed()).toString('latin1').replace('Hello.', 'Hullo.'), 'latin1')
    expect(await readAuthentication({ ...envelope, clientAddress: '198.51.100.9' }, bytes, resolve)).toMatchObject({
      spf: 'fail',
      dmarc: 'fail',
      dkim: expect.not.stringMatching('pass'),
    })
  })

  test('an unsigned mail of an unknown domain is `none`, with no domain', async () => {
    const stranger = PLAIN.replaceAll('sender.test', 'nobody.test')
    expect(await readAuthentication({ ...envelope, from: 'a@nobody.test' }, Buffer.from(stranger), resolve)).toEqual({
      spf: 'none',
      dkim: 'none',
      dmarc: 'none',
      arc: 'none',
    })
  })

  test('a second From makes DMARC fail, because the checked sender must be the one shown', async () => {
    const bytes = Buffer.from(`From: Boss <boss@bank.test>\r\n${(await signed()).toString('latin1')}`, 'latin1')
    expect((await readAuthentication(envelope, bytes, resolve)).dmarc).not.toBe('pass')
  })

  test.each([
    'x<a@bank.test<b@sender.test>',
    '<a@bank.test,b@sender.test>',
    'a@bank.test :b@sender.test',
    '"a@bank.test b@sender.test"',
    '"a@bank.test> b@sender.test"',
    `"a@bank.test${' '.repeat(400)}"@sender.test`,
    'a@bank.test, b@sender.test',
  ])('From: %s does not pass, because the domain that is shown was not checked', async from => {
    const raw = await signed(PLAIN.replace('A <a@sender.test>', from))
    const { from: shown } = summarise(raw, envelope.from)
    expect(shown.address).toContain('a@bank.test')
    const results = await readAuthentication(envelope, raw, resolve)
    expect(results).toMatchObject({ spf: 'pass', dkim: 'pass', domain: 'sender.test' })
    expect(results.dmarc).toMatch(/^(?:permerror|none)$/)
    expect(senderVerdict(shown, results).verdict).not.toBe('vouched')
  })

  test.each([
    'A <a@mail.sender.test>',
    '"boss@bank.test" <a@SENDER.test>',
    'A <a@sender.test.>',
    'A <a@sender.test>, B <b@sender.test>',
    '"a b"@sender.test',
    '=?utf-8?q?boss=40bank.test?= <a@send_er.sender.test>',
  ])('From: %s passes: its own domain or the one above it was checked', async from => {
    const raw = await signed(PLAIN.replace('A <a@sender.test>', from))
    expect(await readAuthentication(envelope, raw, resolve)).toMatchObject({ dmarc: 'pass', domain: 'sender.test', domainBy: 'dkim' })
  })

  test('a sender with an international domain passes in either spelling', async () => {
    for (const domain of ['MÜNCHEN.test', 'xn--mnchen-3ya.test']) {
      const raw = Buffer.from(PLAIN.replaceAll('sender.test', domain))
      const results = await readAuthentication({ ...envelope, from: 'a@xn--mnchen-3ya.test' }, raw, resolve)
      expect(results).toMatchObject({ dmarc: 'pass', domain: 'xn--mnchen-3ya.test' })
    }
  })

  test('a resolver that is down causes a temporary error, not an exception', async () => {
    const down = () => Promise.reject(Object.assign(new Error('down'), { code: 'ETIMEOUT' }))
    expect(await readAuthentication(envelope, await signed(), down)).toMatchObject({ spf: 'temperror' })
  })

  test('a check that is ended says what it knows, and does not wait for its turn', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const silent = (domain: string, type: string) =>
      domain === '_dmarc.sender.test' ? new Promise<never>(() => undefined) : resolve(domain, type)
    const { resolve: answers } = holdingAnswers(silent, () => 0, ended)
    const reading = readAuthentication(envelope, Buffer.from(PLAIN), answers, { ended })
    void setImmediate().then(end)
    expect(await reading).toMatchObject({ spf: 'pass', dmarc: 'temperror' })
  })

  test('names of a domain whose servers were silent are waited for less, until one has an answer', async () => {
    const replies: Record<string, () => Promise<string[]>> = {
      'a.silent.test': () => Promise.reject(Object.assign(new Error('silent'), { code: 'ETIMEOUT' })),
      'c.silent.test': () => Promise.resolve(['192.0.2.1']),
    }
    const never = () => new Promise<never>(() => undefined)
    const ask = rememberSilence(
      name => (replies[name] ?? never)(),
      () => 0,
    )
    await expect(ask('a.silent.test', 'A')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    await expect(ask('b.silent.test', 'A')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    const other = ask('b.other.test', 'A')
    await expect(ask('c.silent.test', 'A')).resolves.toEqual(['192.0.2.1'])
    const patient = ask('d.silent.test', 'A')
    await ask('a.silent.test', 'A').catch(() => undefined)
    await ask('b.silent.test', 'A').catch(() => undefined)
    expect(await Promise.race([patient, other, Promise.resolve('waiting')])).toBe('waiting')
  })

  test('signatures of many selectors do not cause hundreds of lookups', async () => {
    let lookups = 0
    const [signature] = (await signed()).toString('latin1').split('From: A')
    const flood = Array.from({ length: 10 }, (_, i) => signature?.replace('s=s1', `s=s${i}`)).join('')
    await readAuthentication(envelope, Buffer.from(flood + PLAIN, 'latin1'), (domain, type) => {
      lookups++
      return resolve(domain, type)
    })
    expect(lookups).toBeGreaterThanOrEqual(10)
    expect(lookups).toBeLessThanOrEqual(40)
  })

  describe('a forged sender whose domain has a policy is contradicted', () => {
    const forger = { from: 'x@forger.test', clientAddress: '198.51.100.9', helo: 'mx.forger.test' }
    const mxs = Array.from({ length: 9 }, (_, i) => `mx:m${i}.forger.test`).join(' ')
    const forgersZone = (spf: string) => async (domain: string, type: string) => {
      if (domain === 'forger.test' && type === 'TXT') return [[spf]]
      if (type === 'MX') return Array.from({ length: 10 }, (_, i) => ({ exchange: `${i}.${domain}`, priority: i })) as never
      return type === 'A' ? ['192.0.2.99'] : resolve(domain, type)
    }
    const flood = async () => {
      const [signature = ''] = (await signed()).toString('latin1').split('From: A')
      const own = signature.replace('d=sender.test', 'd=forger.test')
      return Buffer.from(Array.from({ length: 10 }, (_, i) => own.replace('s=s1', `s=s${i}`)).join('') + PLAIN)
    }

    test.each([
      ['two senders', 'From: a@sender.test, x@forger.test\r\n'],
      ['two From fields', 'From: a@sender.test\r\nFrom: x@forger.test\r\n'],
      ['a sender that the library reads in another way', 'From: x<a@sender.test<x@forger.test>\r\n'],
    ])('with %s', async (_, from) => {
      const raw = Buffer.from(PLAIN.replace('From: A <a@sender.test>\r\n', from))
      const results = await readAuthentication(forger, raw, forgersZone('v=spf1 ip4:198.51.100.9 -all'))
      expect(summarise(raw, forger.from).from.address).toBe('a@sender.test')
      expect(results).toMatchObject({ spf: 'pass', dmarc: 'fail', policy: 'reject', domain: 'forger.test' })
    })

    test('when the mail needs as many lookups as SPF allows', async () => {
      const results = await readAuthentication(forger, await flood(), forgersZone(`v=spf1 ${mxs} -all`))
      expect(results).toMatchObject({ spf: 'fail', dmarc: 'fail' })
    })

    test('when name servers of the mail do not reply, before its results are too late', async () => {
      let now = 0
      const silent = async (domain: string, type: string) => {
        if (!domain.endsWith('forger.test')) return resolve(domain, type)
        now += 3000
        throw Object.assign(new Error('no reply'), { code: 'ETIMEOUT' })
      }
      expect(await readAuthentication(forger, await flood(), silent, { nowMs: () => now })).toMatchObject({ dmarc: 'fail' })
      expect(now).toBeLessThan(20_000)
    })
  })

  test('of two senders of one domain, or of another domain that is signed for, none is called forged', async () => {
    for (const from of ['a@sender.test, b@other.test', 'a@sender.test, b@sender.test'])
      expect((await readAuthentication(envelope, await signed(PLAIN.replace('A <a@sender.test>', from)), resolve)).dmarc).not.toBe('fail')
  })

  test.each<[form: string, header: (count: number) => string, ordinary: number, tooMany: number]>([
    ['bytes', count => `A: ${'a'.repeat(count)}\r\n`, 250 * KIB, 256 * KIB],
    ['lines', count => `A: a\r\n${' y\r\n'.repeat(count)}`, 4900, 5000],
    ['line ends without LF', count => `A: ${'\rx'.repeat(count)}\r\n`, 4900, 5000],
    ['fields', count => 'A: a\r\n'.repeat(count), 900, 1000],
    ['spaces in a row', count => `A: ${' '.repeat(count)}x\r\n`, 999, 1001],
    ['bytes of a field that is parsed', count => `Received: ${'ab'.repeat(count / 2)}\r\n`, 32 * KIB - 20, 32 * KIB],
    ['lines of it that have no colon', count => `Received: a\r\n${'abcdef\r\n'.repeat(count / 8)}`, 4 * KIB, 33 * KIB],
    ['bytes of it after a fold', count => `Received\r\n : ${'ab'.repeat(count / 2)}\r\n`, 32 * KIB - 20, 32 * KIB],
    ['DKIM signatures', count => 'DKIM-Signature: a=rsa-sha256; d=sender.test; s=s1\r\n'.repeat(count), 9, 10],
    [
      'names that a signature signs',
      count => `DKIM-Signature: a=rsa-sha256; d=sender.test; s=s1; h=from${':a'.repeat(count)}\r\n`,
      990,
      1000,
    ],
    [
      'lengths of the body that signatures name',
      count => Array.from({ length: count }, (_, i) => `DKIM-Signature: a=rsa-sha256; d=sender.test; s=s1; l=${i}\r\n`).join(''),
      2,
      3,
    ],
    ['ARC seals', arc('ARC-Seal'), 10, 11],
    ['ARC signatures', arc('ARC-Message-Signature'), 10, 11],
  ])(
    'a mail with too many %s is judged by SPF alone, so that nobody can write one that is not checked',
    async (_, header, ordinary, tooMany) => {
      const check = async (count: number, clientAddress = envelope.clientAddress) => {
        const raw = Buffer.from((await signed()).toString('latin1').replace('\r\n\r\n', `\r\n${header(count)}\r\n`), 'latin1')
        const results = await readAuthentication({ ...envelope, clientAddress }, raw, resolve)
        return { results, ...senderVerdict(summarise(raw, envelope.from).from, results) }
      }
      expect((await check(ordinary)).results).toMatchObject({ spf: 'pass', dmarc: 'pass' })
      const bySpf = { results: { spf: 'pass', dkim: 'permerror', dmarc: 'pass' }, verdictReason: 'server' }
      expect(await check(tooMany)).toMatchObject(bySpf)
      expect(await check(tooMany, '198.51.100.9')).toMatchObject({ results: { spf: 'fail', dmarc: 'fail' }, verdict: 'contradicted' })
    },
  )
})

/** ASN.1: a tag, a length and bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, 0x82, bytes.length >> 8, bytes.length & 0xff), bytes])
}
/** rsaEncryption, without parameters. */
const RSA = Buffer.from('300d06092a864886f70d0101010500', 'hex')

/** Takes seconds to hash for each MiB: lines have a tab and end with a bare LF, and signatures name all of it and two lengths. */
function dearBody(kib = 8 * KIB): Buffer {
  const signatures = ['relaxed/relaxed', 'simple/simple', 'relaxed/simple'].flatMap((form, i) =>
    ['', `; l=${kib * 900}`, '; l=1'].map(
      length => `DKIM-Signature: v=1; a=rsa-sha${i === 0 ? 1 : 256}; c=${form}; d=sender.test; s=s1; h=from; bh=YQ==; b=YQ==${length}\r\n`,
    ),
  )
  return Buffer.from(`${signatures.join('')}${PLAIN}${'a\t\n'.repeat((kib * KIB) / 3)}`)
}

describe('CPU time', () => {
  /** No turn comes too late, however busy the machine is. */
  const NEVER_LATE = { turnMsMax: 300_000 }
  const cpuMs = async (run: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  test('bodies are read by network in turn, so that many of one do not delay another', async () => {
    const done: string[] = []
    const check = async (clientAddress: string, raw: Uint8Array) => {
      await readAuthentication({ ...envelope, clientAddress }, raw, resolve)
      done.push(clientAddress)
    }
    const [small, large] = await Promise.all([signed(), signed(`${PLAIN}${'a\t b\r\n'.repeat(50_000)}`)])
    const attackers = Array.from({ length: 8 }, (_, i) => check(`203.0.113.${i}`, large))
    await Promise.all([...attackers, check('198.51.100.9', small)])
    expect(done.indexOf('198.51.100.9')).toBeLessThan(4)
  })

  test('whoever has used little CPU time is checked before those whose signatures are dear to verify', async () => {
    // A public exponent as long as the key: each verification takes milliseconds.
    const keyOf = (integers: readonly Buffer[]) =>
      der(0x30, Buffer.concat([RSA, der(3, Buffer.concat([Buffer.of(0), der(0x30, ...integers)]))]))
    const dear = keyOf([der(2, Buffer.of(0), Buffer.alloc(384, 0xd7)), der(2, Buffer.of(0), Buffer.alloc(383, 0xff))]).toString('base64')
    const empty = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    const signature = (n: number) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=simple/relaxed; d=evil.test; s=dear${n}; h=from; bh=${empty}; b=${Buffer.alloc(384, 5).toString('base64')}\r\n`
    const hostile = Buffer.from(`${Array.from({ length: 10 }, (_, n) => signature(n)).join('')}From: a@evil.test\r\n\r\n`)
    let dearKeys = 0
    const answer = async (domain: string, type: string) => {
      await setImmediate()
      if (!domain.startsWith('dear')) return await resolve(domain, type)
      dearKeys++
      return [[`v=DKIM1; k=rsa; p=${dear}`]]
    }
    const check = (network: number, raw: Uint8Array) =>
      readAuthentication({ ...envelope, clientAddress: `100.64.${network}.1` }, raw, answer, NEVER_LATE)
    const small = await signed()
    const others = Array.from({ length: 20 }, (_, network) => check(network, hostile))
    while (dearKeys < 25) await setImmediate()
    const beforeStart = dearKeys
    const honest = await check(20, small)
    const meanwhile = dearKeys - beforeStart
    console.info(`dear keys asked for during the check of the honest mail: ${meanwhile} of ${others.length * 10}`)
    expect(honest).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
    expect(await Promise.all(others)).toMatchObject(Array(20).fill({ dkim: 'fail' }))
    expect(meanwhile).toBeLessThan(30)
  })

  test('when the turn of a body comes too late, SPF still counts and nobody is called forged', async () => {
    const [raw, large] = await Promise.all([signed(), signed(`${PLAIN}${'a\t b\r\n'.repeat(300_000)}`)])
    const reading = readAuthentication(envelope, large, resolve)
    const late = (clientAddress: string) => readAuthentication({ ...envelope, clientAddress }, raw, resolve, { turnMsMax: 0 })
    const unknown = { dkim: 'temperror', arc: 'temperror' }
    expect(await Promise.all([late('192.0.2.1'), late('198.51.100.9')])).toMatchObject([
      { ...unknown, spf: 'pass', dmarc: 'pass' },
      { ...unknown, spf: 'fail', dmarc: 'temperror' },
    ])
    expect(await reading).toMatchObject({ dkim: 'pass' })
    expect(await readAuthentication(envelope, raw, resolve)).toMatchObject({ dkim: 'pass' })
  })

  test('while many bodies wait that are dear to hash, ordinary ones are read before them, and a small one has an early turn', async () => {
    const [signature = ''] = (await signed()).toString('latin1').split('From: A')
    const seals = ['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results'].map(name => arc(name)(3))
    const body = `${PLAIN}${`${'QUJD'.repeat(19)}\r\n`.repeat(400)}`
    // Two signatures and the newest of three ARC sets need the body: 100 kB to hash. For each field it would be over 256 KiB.
    const small = Buffer.concat([Buffer.from(signature + seals.join('')), await signed(body)])
    const honest = await signed(`${PLAIN}${`${'QUJD'.repeat(19)}\r\n`.repeat(13_000)}`)
    const mails = [...Array(12).fill(dearBody(KIB)), honest, small]
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const done: number[] = []
    const check = async (network: number) => {
      const connection = { ...envelope, clientAddress: `203.0.${network}.1` }
      const read = await readAuthentication(connection, mails[network], resolve, { ...NEVER_LATE, ...(network < 12 && { ended }) })
      if (done.push(network) === 2) end()
      return read
    }
    const results = await Promise.all(mails.keys().map(check))
    expect(results.slice(12)).toMatchObject([{ dkim: 'pass' }, { dkim: 'pass' }])
    // They came last.
    expect(done.slice(0, 2)).toEqual([13, 12])
  }, 180_000)

  test('a body that needs more than one turn goes on in the next, so that nobody is called forged because others wait', async () => {
    const check = (clientAddress: string, raw: Uint8Array, ended?: Promise<void>) =>
      readAuthentication({ ...envelope, clientAddress }, raw, resolve, { ...NEVER_LATE, ...(ended && { ended }) })
    const forwarded = (raw: Uint8Array, ended?: Promise<void>) => check('198.51.100.9', raw, ended)
    const dear = (kib: number) => signed(dearBody(kib).toString())
    const [sample, small] = await Promise.all([dear(128), signed()])
    await forwarded(sample)
    // On any machine this takes about 250 ms: less than the 500 that it may, and more than the 60 of its turn beside 63 others.
    const raw = await dear(Math.ceil((128 * 250) / (await cpuMs(() => forwarded(sample)))))
    const others = () => Array.from({ length: 63 }, (_, i) => check(`203.0.${i}.1`, small))
    const [whole] = await Promise.all([forwarded(raw), ...others()])
    expect(whole).toMatchObject({ spf: 'fail', dkim: 'pass', dmarc: 'pass' })
    // This check is ended when another mail had its turn, and most of the body is unread.
    const before = others()
    const ended = Promise.race(before).then(() => undefined)
    const [late] = await Promise.all([forwarded(dearBody(KIB), ended), ...before])
    expect(late).toMatchObject({ spf: 'fail', dkim: 'temperror', dmarc: 'temperror' })
  }, 60_000)

  test('a check that is ended verifies no more signatures', async () => {
    const raw = await signed()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const asked: string[] = []
    const answer = async (domain: string, type: string) => {
      asked.push(domain)
      if (domain.includes('_domainkey')) {
        end()
        await setImmediate()
      }
      return await resolve(domain, type)
    }
    const results = await readAuthentication(envelope, raw, answer, { ...NEVER_LATE, ended })
    expect(asked).toContain('s1._domainkey.sender.test')
    expect(results).toMatchObject({ spf: 'pass', dkim: 'temperror', dmarc: 'pass' })
  })

  test('a body that takes seconds for each MiB is given up, so that SPF alone counts, and the next message is checked', async () => {
    const hostile = dearBody()
    const [ordinary, largest] = await Promise.all([signed(), signed(`${PLAIN}${`${'QUJD'.repeat(19)}\r\n`.repeat(55_000)}`)])
    const checked = () => Promise.all([hostile, ordinary, largest].map(raw => readAuthentication(envelope, raw, resolve, NEVER_LATE)))
    const results = await checked()
    // Read to its end, the signature is wrong.
    expect(results[0]).toMatchObject({ spf: 'pass', dkim: 'permerror', dmarc: 'pass', arc: 'permerror' })
    expect(results.slice(1)).toMatchObject([
      { dmarc: 'pass', dkim: 'pass' },
      { dmarc: 'pass', dkim: 'pass' },
    ])
  })

  test('records that no domain needs are not read', async () => {
    const zone = (text: string) => (domain: string, type: string) =>
      domain === 'sender.test' && type === 'TXT' ? Promise.resolve([[text.slice(0, 255), text.slice(255)]]) : resolve(domain, type)
    const costOf = (text: string, spf: string) =>
      cpuMs(async () => expect(await readAuthentication(envelope, Buffer.from(PLAIN), zone(text))).toMatchObject({ spf }))
    const long = await costOf(`v=spf1 ${'ip4:198.51.100.0/24 '.repeat(3000)}ip4:192.0.2.1 -all`, 'pass')
    const hostile = await costOf(`v=spf1 redirect=a.${'a'.repeat(60_000)}! -all`, 'permerror')
    // Both have 60,000 characters. Without a limit it takes about a hundred times as long.
    expect(hostile).toBeLessThan(5 * long)
  })
})

describe('authenticator thread', () => {
  test('asks the configured DNS server and returns the results', async () => {
    await using dns = await serveZone()
    await using authenticator = createAuthenticator({
      dnsServers: [dns.address],
      log: createLog('silent'),
      telemetry: testTelemetry(),
    })
    expect(await authenticator.authenticate(envelope, withAuthors(await signed()))).toMatchObject({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      domain: 'sender.test',
    })
  })

  test.each(['REFUSED', 'SERVFAIL', 'silent'] as const)('asks the second server where the first is %s', async fault => {
    await using first = await serveZone({ fault })
    await using second = await serveZone()
    await using authenticator = createAuthenticator({
      dnsServers: [first.address, second.address],
      log: createLog('silent'),
      telemetry: testTelemetry(),
    })
    expect(await authenticator.authenticate(envelope, withAuthors(await signed()))).toMatchObject({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
    })
    expect(first.asked).not.toEqual([])
  })

  test('reads the message of one sender after that of another whose body takes too long', async () => {
    await using dns = await serveZone()
    await using authenticator = createAuthenticator({
      dnsServers: [dns.address],
      log: createLog('silent'),
      telemetry: testTelemetry(),
    })
    const hostile = dearBody(2 * KIB)
    const [first, second] = await Promise.all([
      authenticator.authenticate(envelope, withAuthors(hostile)),
      authenticator.authenticate(envelope, withAuthors(await signed())),
    ])
    expect(first).toMatchObject({ spf: 'pass', dkim: 'permerror' })
    expect(second).toMatchObject({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
  })

  test('checks no more mail when too many wait, and settles the rest when it is closed', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>(bound => silent.bind(0, '127.0.0.1', bound))
    const gaps: string[] = []
    const telemetry = testTelemetry({ authenticationSkipped: reason => void gaps.push(reason) })
    const authenticator = createAuthenticator({ dnsServers: [`127.0.0.1:${silent.address().port}`], log: createLog('silent'), telemetry })
    const raw = await signed()
    const all = Array.from({ length: 100 }, () => authenticator.authenticate(envelope, withAuthors(raw)))
    expect(await all[99]).toEqual(NOT_CHECKED)
    expect(new Set(gaps)).toEqual(new Set(['too_busy']))
    await authenticator[Symbol.asyncDispose]()
    expect((await Promise.all(all)).every(results => results?.spf !== 'pass')).toBe(true)
    silent.close()
  })
})

describe('checks that the thread has not finished', () => {
  const flood = async (authenticate: Authenticator['authenticate']) => {
    const raw = await signed()
    return Promise.all(Array.from({ length: 64 }, () => authenticate(envelope, withAuthors(raw))))
  }

  test('end when their caller gives up, so that the thread is not taken for one that does not respond', async () => {
    await using dns = await serveZone()
    // One query to a silent server takes longer than the thread may.
    const times = { resultsMsMax: 100, answerMsMax: 2500 }
    const gaps: string[] = []
    const telemetry = testTelemetry({ authenticationSkipped: reason => void gaps.push(reason) })
    await using authenticator = createAuthenticator({ dnsServers: [dns.address], log: createLog('silent'), telemetry, times })
    const from = (domain: string) =>
      authenticator.authenticate(
        { ...envelope, from: `a@${domain}`, helo: `mx.${domain}` },
        withAuthors(Buffer.from(PLAIN.replaceAll('sender.test', domain))),
      )
    await expect.poll(async () => (await from('sender.test'))?.spf, { timeout: 30_000 }).toBe('pass')
    gaps.length = 0
    dns.isSilent = true
    const silent = Array.from({ length: 64 }, (_, n) => from(`silent${n}.test`))
    for (const results of await Promise.all(silent)) expect(results).toEqual(NOT_CHECKED)
    expect(new Set(gaps)).toEqual(new Set(['too_slow', 'too_busy']))
    await sleep(2 * times.answerMsMax)
    expect(gaps).not.toContain('failed')
  }, 60_000)

  test('end with a thread that does not respond, and the next thread works', async () => {
    await using dns = await serveZone()
    // Less than one query may take, but enough for a thread to start under load.
    const times = { resultsMsMax: 10_000, answerMsMax: 2500 }
    const [gaps, lines] = [[] as string[], [] as string[]]
    const log = createLog('warn', { json: line => lines.push(line) })
    const telemetry = testTelemetry({ authenticationSkipped: reason => void gaps.push(reason) })
    await using authenticator = createAuthenticator({ dnsServers: [dns.address], log, telemetry, times })
    dns.isSilent = true
    for (const results of await flood(authenticator.authenticate)) expect(results).toEqual(NOT_CHECKED)
    expect(new Set(gaps)).toEqual(new Set(['too_busy', 'failed']))
    expect(lines.filter(line => line.includes('could not be checked'))).toHaveLength(1)
    dns.isSilent = false
    const results = async () => (await authenticator.authenticate(envelope, withAuthors(await signed())))?.dmarc
    await expect.poll(results, { timeout: 50_000, interval: 100 }).toBe('pass')
  })
})

/** A real DNS server for the zone above. */
async function serveZone(given: { fault?: DnsFault } = {}) {
  const server = { isSilent: false }
  const zone = Object.fromEntries(Array.from(ZONE, ([name, record]) => [`${name} TXT`, [record]]))
  const dns = await startDnsServer(zone, { fault: () => (server.isSilent ? 'silent' : given.fault) })
  return Object.assign(server, dns)
}
