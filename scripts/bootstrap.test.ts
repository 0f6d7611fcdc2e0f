/** Installing with the real npm, in a small project whose only package is in a folder beside it. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPTS = ['bootstrap.mjs', 'node-runtime.mjs', 'npm-ci.mjs', 'run-until-end.mjs', 'run.mjs']
const tool = { name: 'tool', version: '1.0.0' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly boot '))
  for (const script of SCRIPTS) cpSync(join(import.meta.dirname, script), join(folder, 'scripts', script))
  mkdirSync(join(folder, 'tool'))
  writeJson('tool/package.json', tool)
  writeProject({ tool: 'file:tool' })
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeJson(path: string, value: unknown): void {
  writeFileSync(join(folder, path), JSON.stringify(value))
}

function writeProject(devDependencies: Record<string, string>, version = '1.0.0'): void {
  const project = { name: 'project', version, devDependencies }
  writeJson('package.json', project)
  const packages = { '': project, 'node_modules/tool': { resolved: 'tool', link: true }, tool: { version: '1.0.0', dev: true } }
  writeJson('package-lock.json', { name: 'project', version, lockfileVersion: 3, requires: true, packages })
}

function runScript(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'run.mjs'), ...options, '-p', '"ran"'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, ran: stdout.endsWith('ran\n'), installed: /Installing/.test(stdout), stderr }
}
const hasTool = () => existsSync(join(folder, 'node_modules/tool/package.json'))
const stamp = () => join(folder, 'node_modules/.mayfly-lock')

test('a start installs without development packages, once; what needs those installs them, and then a start needs nothing', () => {
  expect(runScript()).toMatchObject({ ran: true, installed: true })
  expect(hasTool()).toBe(false)
  expect(runScript()).toMatchObject({ ran: true, installed: false })
  expect(runScript('--dev')).toMatchObject({ ran: true, installed: true })
  expect(hasTool()).toBe(true)
  expect(runScript('--dev')).toMatchObject({ ran: true, installed: false })
  expect(runScript()).toMatchObject({ ran: true, installed: false })
  expect(hasTool()).toBe(true)
})

test('another lock file is installed again', () => {
  runScript()
  writeProject({ tool: 'file:tool' }, '1.0.1')
  expect(runScript()).toMatchObject({ ran: true, installed: true })
})

test('an installation that failed is named, ends the command, and is made good by the next one', () => {
  runScript()
  const before = readFileSync(stamp(), 'utf8')
  writeProject({ tool: 'file:tool', missing: '1.0.0' }, '1.0.1')
  const failed = runScript()
  expect(failed).toMatchObject({ ran: false, stderr: expect.stringContaining('npm ci did not finish. Check the network') })
  expect(failed.status).not.toBe(0)
  expect(existsSync(stamp())).toBe(false)
  writeProject({ tool: 'file:tool' })
  expect(runScript()).toMatchObject({ ran: true, installed: true })
  expect(readFileSync(stamp(), 'utf8')).toBe(before)
})
