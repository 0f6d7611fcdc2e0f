/**
 * The rehearsal itself takes minutes and needs root. Tested here: it follows docs/operations.md as it is today, and a release is complete.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { REPLACED, readPlan } from './plan.ts'

const root = resolve(import.meta.dirname, '../..')

test('every line that the rehearsal replaces is in the page, and the rest is run word for word', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('\n')
  for (const replaced of REPLACED.keys())
    expect(
      page.filter(line => replaced.test(line)),
      String(replaced),
    ).not.toHaveLength(0)
  const { install, start, settings, backup, upgrade } = readPlan(root)
  const own = new Set(REPLACED.values())
  const commands = page.map(line => line.replace(/ +#.*/, ''))
  for (const line of [...install, ...start, ...settings, ...backup, ...upgrade])
    if (!own.has(line)) expect([...page, ...commands]).toContain(line)
  expect(install).toContain('npm run build')
  expect(start).toContain('mayfly doctor')
  expect(backup).toContain('mayfly restore /var/backups/mayfly/today')
  expect(upgrade).toContain('mayfly backup /var/backups/mayfly/before-upgrade')
  expect(settings.map(line => line.split('=')[0])).toEqual(['ACME_EMAIL', 'MAIL_HOST', 'HTTP_PORT', 'HTTPS_PORT'])
})

test('the DNS records of the page become those of the local DNS server', () => {
  expect(readPlan(root).records).toEqual([
    '--host-record=mayfly.example,203.0.113.5',
    '--mx-host=mayfly.example,mx.mayfly.example,10',
    '--host-record=mx.mayfly.example,203.0.113.5',
    '--txt-record=mayfly.example,v=spf1 include:YOUR-RELAY -all',
    '--txt-record=_dmarc.mayfly.example,v=DMARC1; p=reject; rua=mailto:postmaster@mayfly.example',
  ])
})

test('a packed release contains its lock file, which npm omits under its usual name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-pack-'))
  try {
    execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), folder], { stdio: 'ignore' })
    const [release = ''] = readdirSync(folder)
    const files = execFileSync('tar', ['tzf', join(folder, release)])
      .toString()
      .split('\n')
    for (const needed of [
      'npm-shrinkwrap.json',
      'package.json',
      'scripts/start.mjs',
      'server/main.ts',
      'deploy/mayfly.service',
      'docs/operations.md',
    ]) {
      expect(files).toContain(`package/${needed}`)
    }
    expect(files.filter(file => /^package\/(?:node_modules|dist|data)\//.test(file))).toEqual([])
    expect(readdirSync(root)).not.toContain('npm-shrinkwrap.json')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
