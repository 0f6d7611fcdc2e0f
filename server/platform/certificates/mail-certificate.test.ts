import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { loadCertificate, watchCertificate } from './mail-certificate.ts'
import { selfSign } from './self-signed.ts'

const CHECK_MS = 20
const now = Date.UTC(2026, 10, 21)
let dataDir = ''
const config = (more: { tlsCertFile?: string; tlsKeyFile?: string } = {}) => ({
  dataDir,
  domains: ['mayfly.test'],
  tlsCertFile: undefined,
  tlsKeyFile: undefined,
  ...more,
})

beforeEach(async () => {
  dataDir = newFolder()
})

test('the first start generates a key, and later starts keep it', async () => {
  const made = await loadCertificate(config(), ['mayfly.test'], () => now)
  const certificate = new X509Certificate(made.cert)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  for (const name of ['mayfly.test', 'localhost', hostname().toLowerCase()]) expect(certificate.checkHost(name)).toBe(name)
  for (const ip of ['127.0.0.1', '::1']) expect(certificate.checkIP(ip)).toBe(ip)
  expect(made.isGenerated).toBe(true)
  expect(certificate.validFromDate.getTime()).toBeLessThan(now)
  expect(certificate.checkPrivateKey(createPrivateKey(made.key))).toBe(true)
  const kept = await loadCertificate(config(), ['mayfly.test'], () => now + 100 * DAY_MS)
  expect(new X509Certificate(kept.cert).fingerprint).toBe(certificate.fingerprint)
  expect((await stat(join(dataDir, 'smtp-certificate.pem'))).mode & 0o777).toBe(0o600)
})

test('one of an earlier release, for the mail host alone, is replaced; so is one with a name that MAIL_HOST no longer has', async () => {
  const earlier = selfSign('mayfly.test', now)
  await writeFile(join(dataDir, 'smtp-certificate.pem'), earlier.cert + earlier.key)
  const both = await loadCertificate(config(), ['mayfly.test', 'mx.test'], () => now)
  expect(new X509Certificate(both.cert).checkHost('localhost')).toBe('localhost')
  const one = await loadCertificate(config(), ['mayfly.test'], () => now)
  expect(new X509Certificate(one.cert).checkHost('mx.test')).toBeUndefined()
  for (const { cert } of [both, one]) expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(earlier.key))).toBe(true)
})

test('two installations have different keys', async () => {
  const first = await loadCertificate(config(), ['mayfly.test'], () => now)
  await rm(join(dataDir, 'smtp-certificate.pem'))
  expect((await loadCertificate(config(), ['mayfly.test'], () => now)).key).not.toBe(first.key)
})

test.each([
  ['ends within 30 days', 'mayfly.test', 800 * DAY_MS],
  ['names another host', 'other.test', 0],
])('a certificate that %s is replaced', async (_, hostname, later) => {
  const first = await loadCertificate(config(), ['mayfly.test'], () => now)
  const second = await loadCertificate(config(), [hostname], () => now + later)
  expect(second.cert).not.toBe(first.cert)
  expect(new X509Certificate(second.cert).checkHost(hostname)).toBe(hostname)
})

test('a damaged self-signed certificate is replaced, and missing ones of the operator are reported together', async () => {
  await writeFile(join(dataDir, 'smtp-certificate.pem'), 'not a certificate')
  expect(() => new X509Certificate('not a certificate')).toThrow()
  expect((await loadCertificate(config(), ['mayfly.test'], () => now)).cert).toContain('BEGIN CERTIFICATE')
  const missing = config({ tlsCertFile: join(dataDir, 'none.pem'), tlsKeyFile: join(dataDir, 'none.key') })
  await expect(loadCertificate(missing, ['mayfly.test'], () => now)).rejects.toThrow(
    /TLS_CERT names a file that cannot be read[\s\S]*TLS_KEY names a file that cannot be read/,
  )
})

test('a renewed certificate is noticed, also if the file was replaced', async () => {
  const [tlsCertFile, tlsKeyFile] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')]
  await Promise.all([writeFile(tlsCertFile, 'old'), writeFile(tlsKeyFile, 'old')])
  const changed = Promise.withResolvers<void>()
  const stop = watchCertificate(config({ tlsCertFile, tlsKeyFile }), CHECK_MS, changed.resolve)
  await sleep(5 * CHECK_MS)
  await writeFile(`${tlsCertFile}.new`, 'a new certificate')
  await rename(`${tlsCertFile}.new`, tlsCertFile)
  await changed.promise
  stop()
})
