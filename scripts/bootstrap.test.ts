/** Installs with the real npm, in a small project whose two packages are in folders next to it. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPTS = ['lock-file.mjs', 'bootstrap.mjs', 'node-runtime.mjs', 'npm-ci.mjs', 'run-until-end.mjs', 'run.mjs']
const tool = { name: 'tool', version: '1.0.0' }
const part = { name: 'part', version: '1.0.0' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly boot '))
  for (const script of SCRIPTS) cpSync(join(import.meta.dirname, script), join(folder, 'scripts', script))
  // Without it this would be the package of a built server, which installs nothing.
  writeFileSync(join(folder, 'scripts/build.ts'), '')
  for (const one of [tool, part]) {
    mkdirSync(join(folder, one.name))
    writeJson(`${one.name}/package.json`, one)
  }
  writeProject({ tool: 'file:tool' })
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeJson(path: string, value: unknown): void {
  writeFileSync(join(folder, path), JSON.stringify(value))
}

function writeProject(devDependencies: Record<string, string>, version = '1.0.0'): void {
  const project = { name: 'project', version, dependencies: { part: 'file:part' }, devDependencies }
  writeJson('package.json', project)
  const links = Object.fromEntries([tool, part].map(({ name }) => [`node_modules/${name}`, { resolved: name, link: true }]))
  const packages = { '': project, ...links, tool: { version: '1.0.0', dev: true }, part: { version: '1.0.0' } }
  writeJson('package-lock.json', { name: 'project', version, lockfileVersion: 3, requires: true, packages })
}

function runScript(...options: string[]) {
  return runScriptWith({}, ...options)
}

function runScriptWith(env: Record<string, string>, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'run.mjs'), ...options, '-p', '"ran"'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, ran: stdout.endsWith('ran\n'), installed: /Installing/.test(stdout), stderr }
}
const hasTool = () => existsSync(join(folder, 'node_modules/tool/package.json'))
const stamp = () => join(folder, 'node_modules/.mayfly-lock')

test('a start installs without development packages, commands that need those add them, and later starts keep them', () => {
  expect(runScript()).toMatchObject({ ran: true, installed: true })
  expect(hasTool()).toBe(false)
  expect(runScript()).toMatchObject({ ran: true, installed: false })
  expect(runScript('--dev')).toMatchObject({ ran: true, installed: true })
  expect(hasTool()).toBe(true)
  expect(runScript('--dev')).toMatchObject({ ran: true, installed: false })
  expect(runScript()).toMatchObject({ ran: true, installed: false })
  expect(hasTool()).toBe(true)
})

test('a changed lock file is installed again', () => {
  runScript()
  writeProject({ tool: 'file:tool' }, '1.0.1')
  expect(runScript()).toMatchObject({ ran: true, installed: true })
})

test('a start after an update keeps installed development packages', () => {
  runScript('--dev')
  writeProject({ tool: 'file:tool' }, '1.0.1')
  expect(runScript()).toMatchObject({ ran: true, installed: true })
  expect(hasTool()).toBe(true)
})

test('a failed installation is reported, ends the command, and is repaired by the next one', () => {
  runScript()
  const before = readFileSync(stamp(), 'utf8')
  writeProject({ tool: 'file:tool', missing: '1.0.0' }, '1.0.1')
  // Nobody answers there; from the usual registry npm asks for half a minute and more.
  const failed = runScriptWith({ npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' })
  expect(failed).toMatchObject({ ran: false, stderr: expect.stringContaining('npm ci did not finish. Check the network') })
  expect(failed.status).not.toBe(0)
  expect(existsSync(stamp())).toBe(false)
  writeProject({ tool: 'file:tool' })
  expect(runScript()).toMatchObject({ ran: true, installed: true })
  expect(readFileSync(stamp(), 'utf8')).toBe(before)
})

test('if npm stops silently in the middle, it is run once more and then reported as a failure', () => {
  const stopping = join(folder, 'npm.mjs')
  // The first `times` runs end at once with 0, as npm 10 sometimes does. The next run is npm.
  const stopFirst = (times: number) =>
    writeFileSync(
      stopping,
      `import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
for (let time = 0; time < ${times}; time++) if (!existsSync('stopped' + time)) { writeFileSync('stopped' + time, ''); process.exit(0) }
process.exit(spawnSync('npm', process.argv.slice(2), { stdio: 'inherit' }).status)
`,
    )
  stopFirst(2)
  expect(runScriptWith({ npm_execpath: stopping })).toMatchObject({ ran: false, stderr: expect.stringContaining('npm ci did not finish') })
  expect(existsSync(stamp())).toBe(false)
  stopFirst(3)
  expect(runScriptWith({ npm_execpath: stopping })).toMatchObject({ ran: true, installed: true })
})

test.each([
  ['EACCES', 243, /the right to write in/],
  ['ENOSPC', 228, /disk is full/],
  ['EROFS', 226, /read-only file system/],
])('npm ending with %s (%d) is no signal and gets its remedy', (_, code, remedy) => {
  const ending = join(folder, 'npm.mjs')
  writeFileSync(ending, `process.exit(${code})`)
  expect(runScriptWith({ npm_execpath: ending })).toMatchObject({ ran: false, status: code, stderr: expect.stringMatching(remedy) })
})

test('npm that a signal ended is not blamed', () => {
  const ending = join(folder, 'npm.mjs')
  writeFileSync(ending, 'process.exit(143)')
  expect(runScriptWith({ npm_execpath: ending })).toMatchObject({ ran: false, status: 143, stderr: '' })
})
