/**
 * The rehearsal itself takes minutes and needs root. Tested here: it follows docs/operations.md as it is today.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
  const { install, setup, start, settings, backup, upgrade } = readPlan(root)
  const own = new Set(REPLACED.values())
  const commands = page.map(line => line.replace(/ +#.*/, ''))
  for (const line of [...install, setup, ...start, ...settings, ...backup, ...upgrade])
    if (!own.has(line)) expect([...page, ...commands]).toContain(line)
  expect(install).toContain('npm run build')
  expect(start).toContain('mayfly doctor')
  expect(backup).toContain('mayfly restore /var/backups/mayfly')
  expect(upgrade).toEqual(['mayfly upgrade /root/upgrade.tgz', 'mayfly doctor'])
  expect(settings.map(line => line.split('=')[0])).toEqual(['ACME_EMAIL', 'MAIL_HOST', 'HTTP_PORT', 'HTTPS_PORT'])
})

test('the DNS records of the page become those of the local DNS server', () => {
  expect(readPlan(root).records).toEqual([
    '--host-record=mayfly.example,203.0.113.5',
    '--mx-host=mayfly.example,mx.mayfly.example,10',
    '--host-record=mx.mayfly.example,203.0.113.5',
    '--txt-record=mayfly.example,v=spf1 include:YOUR-RELAY -all',
    '--txt-record=KEY._domainkey.mayfly.example,v=DKIM1; k=rsa; p=KEY-OF-YOUR-RELAY',
    '--txt-record=_dmarc.mayfly.example,v=DMARC1; p=reject; rua=mailto:postmaster@mayfly.example',
  ])
})

test('a program of the laboratory that is asked for its help is not run', () => {
  const said = execFileSync(process.execPath, [join(root, 'lab/run.ts'), 'structure', '--help'], { encoding: 'utf8' })
  expect(said).toMatch(/^Counts what a reader has to hold: /)
  expect(said.trim().split('\n').length).toBeLessThan(12)
})
