import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { loadSecret } from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = newFolder()
})

test('the secret is generated once, readable for the owner alone, and then reused', () => {
  const secret = loadSecret(folder)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  expect(loadSecret(folder)).toBe(secret)
  expect(readdirSync(folder)).toEqual(['secret'])
})

test('a secret from the configuration is not written', () => {
  expect(loadSecret(folder, 'given by the operator, long enough')).toBe('given by the operator, long enough')
  expect(readdirSync(folder)).toEqual([])
})

test('an incomplete secret is refused and not changed', () => {
  writeFileSync(join(folder, 'secret'), 'abc\n')
  expect(() => loadSecret(folder)).toThrow(/fewer than 32 characters/)
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('abc\n')
})

test('a secret that is missing next to a database is not generated again', () => {
  for (const name of ['mail.db', 'site.db']) {
    writeFileSync(join(folder, name), '')
    expect(() => loadSecret(folder)).toThrow(/secret is missing, and nothing in .*\.db can be read without it\. Put it back/)
    expect(loadSecret(folder, 'given by the operator, long enough')).toBe('given by the operator, long enough')
    expect(readdirSync(folder)).toEqual([name])
    rmSync(join(folder, name))
  }
})

test('the secret has a check value that is the same in every release, differs for another, and does not reveal it', () => {
  const secret = loadSecret(folder)
  // Databases keep it.
  expect(deriveKeyCheck('a secret of a test, which is known to all')).toBe('P0FV89DptqWOa4_hOsKcj1K9o451VG4R_TcMHaTPNIg')
  expect(deriveKeyCheck(secret)).not.toBe(deriveKeyCheck(`${secret} `))
  expect(deriveKeyCheck(secret)).not.toContain(secret)
})
