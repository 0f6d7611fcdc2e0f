import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, readCommit } from './installation.ts'

let folder: string
let commit: string
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=me', '-c', 'user.email=me@here.test', ...args], { encoding: 'utf8' }).trim()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-build-'))
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '-m', 'first')
  commit = git('rev-parse', 'HEAD')
})
afterAll(() => rm(folder, { recursive: true }))

test('the version is that of package.json', () => {
  expect(build.version).toMatch(/^\d+\.\d+\.\d+$/)
})

test('the commit is read from a clone, a linked worktree, packed references and a detached HEAD', () => {
  expect(readCommit(folder)).toBe(commit)
  git('worktree', 'add', '--quiet', 'linked')
  expect(readCommit(join(folder, 'linked'))).toBe(commit)
  git('pack-refs', '--all')
  expect(readCommit(folder)).toBe(commit)
  git('checkout', '--quiet', '--detach')
  expect(readCommit(folder)).toBe(commit)
})

test('a folder that is not a clone has no commit', () => {
  expect(readCommit(tmpdir())).toBeUndefined()
})
