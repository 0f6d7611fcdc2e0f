/** Changing between releases that lie side by side, with real servers. `npm run lab -- rehearsal` builds one and uses systemd. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identifyServer } from '#server/operator/control.ts'
import { currentFormats } from '#server/platform/formats.ts'
import { root, version } from '#server/platform/installation.ts'
import { siteBuilt } from '#test/harness/mayfly/build-server.ts'
import { rollback, upgrade } from './releases.ts'

let place: string
let child: ChildProcess | undefined
let machine: Parameters<typeof rollback>[2]
const said: unknown[] = []
const write = (text: unknown) => said.push(text)
const at = (...names: string[]) => join(place, ...names)
const running = () => identifyServer(at('data'))
const linked = (name: string) => readlinkSync(at(name)).replace('releases/', '')

/** This very program under another name, with one file changed. */
function addRelease(name: string, change: (folder: string) => void): void {
  const folder = at('releases', name)
  for (const part of ['package.json', 'cli', 'client', 'contract', 'reader', 'server', 'dist/server']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  for (const part of ['node_modules', 'dist/web', 'content']) symlinkSync(join(root, part), join(folder, part))
  change(folder)
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

async function stop(): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

beforeAll(async () => {
  await siteBuilt()
  place = mkdtempSync(join(tmpdir(), 'mayfly-releases-'))
  mkdirSync(at('data'))
  writeFileSync(at('mayfly.env'), `DATA_DIR=${at('data')}\nHOST=127.0.0.1\nHTTP_PORT=0\nSMTP_PORT=0\nDNS_SERVERS=off\nLOG_LEVEL=error\n`)
  addRelease('current-one', () => undefined)
  addRelease('same-formats', () => undefined)
  const { mail } = currentFormats()
  addRelease('older', folder => edit(join(folder, 'server/platform/formats.ts'), `mail: ${mail}`, `mail: ${mail - 1}`))
  addRelease('broken', folder => writeFileSync(join(folder, 'dist/server/main.js'), 'process.exitCode = 1\n'))
  symlinkSync('releases/current-one', at('current'))
  machine = {
    place,
    settings: at('mayfly.env'),
    systemd: place,
    async restart() {
      await stop()
      const args = [`--env-file=${at('mayfly.env')}`, 'dist/server/main.js']
      child = spawn(process.execPath, args, { cwd: at('current'), env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'inherit'] })
      while ((await running())?.pid !== child.pid) {
        if (child.exitCode !== null) throw new Error('It ended at once.')
        await sleep(50)
      }
    },
    backup: () => undefined,
  }
  await machine.restart()
}, 60_000)
afterAll(async () => {
  await stop()
  rmSync(place, { recursive: true })
})
beforeEach(() => {
  said.length = 0
})

test('a release that does not know the format of what is stored is refused before the switch, with the way out', async () => {
  const before = await running()
  await expect(rollback(['older'], write, machine)).rejects.toThrow(
    `older cannot take over, and nothing was changed. The mail store is in format ${currentFormats().mail}, written by a newer version, and this is version ${version}`,
  )
  await expect(rollback(['older'], write, machine)).rejects.toThrow('restore the backup that was made before the upgrade')
  expect(await running()).toEqual(before)
  expect(linked('current')).toBe('current-one')
})

test('a release that does not start gives way to the one before', async () => {
  await expect(rollback(['broken'], write, machine)).rejects.toThrow('broken did not start, so current-one runs again.')
  expect(linked('current')).toBe('current-one')
  expect(await running()).toBeDefined()
})

test('an upgrade that starts on trial and not in its place leaves no release behind', async () => {
  const source = at('source')
  const main = `if (!process.env.DATA_DIR.includes('mayfly-trial-')) process.exit(1)
console.log('"Ready"')
setInterval(() => undefined, 1000)
`
  mkdirSync(join(source, 'cli'), { recursive: true })
  const build = 'mkdir -p dist/server && cp main.js dist/server'
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'mayfly', version: '9.9.9', scripts: { build } }))
  writeFileSync(join(source, 'main.js'), main)
  writeFileSync(join(source, 'cli/mayfly.ts'), `console.log('${JSON.stringify({ formats: currentFormats() })}')`)
  const before = readdirSync(at('releases'))
  await expect(upgrade([source], write, machine)).rejects.toThrow('9.9.9 did not start, so current-one runs again.')
  expect(said).toContain('Trying whether 9.9.9 starts …\n')
  expect(readdirSync(at('releases'))).toEqual(before)
  expect(await running()).toBeDefined()
})

test('rollback changes to a named release, and without a name back to the one before', async () => {
  await rollback(['same-formats'], write, machine)
  expect([linked('current'), linked('previous')]).toEqual(['same-formats', 'current-one'])
  expect(readlinkSync(`/proc/${(await running())?.pid}/cwd`)).toBe(at('releases/same-formats'))
  await rollback([], write, machine)
  expect([linked('current'), linked('previous')]).toEqual(['current-one', 'same-formats'])
  expect(said.at(-1)).toContain('current-one runs. To go back: mayfly rollback')
})

test('without systemd nothing is fetched, built or switched: it says what to do instead', async () => {
  if (machine === undefined) throw new TypeError('There is a machine')
  const bare = { ...machine, systemd: at('no-systemd') }
  const before = readdirSync(at('releases'))
  const remedy = `Unpack the other release into a folder of its own in ${at('releases')}, run "npm run build" there, let ${at('current')} link`
  // Its source does not exist, which would be the first thing to fail.
  await expect(upgrade([at('nowhere.tgz')], write, bare)).rejects.toThrow(remedy)
  await expect(rollback(['same-formats'], write, bare)).rejects.toThrow(remedy)
  expect([said, readdirSync(at('releases')), linked('current')]).toEqual([[], before, 'current-one'])
})

test('the password in a Git URL is not in the message', async () => {
  for (const [source, told] of [
    ['https://op:hidden@127.0.0.1:1/mayfly.git', '-- https://***@127.0.0.1:1/mayfly.git'],
    ['https://token@127.0.0.1:1/mayfly.tgz', 'https:/***@127.0.0.1:1/mayfly.tgz -C'],
  ] as const) {
    const error = await upgrade([source], write, machine).catch(thrown => thrown)
    expect(error.message).toContain(told)
    expect(error.message).not.toMatch(/hid|token/)
  }
})

test('there must be such a release', async () => {
  await expect(rollback(['0.0.7'], write, machine)).rejects.toThrow('There are: broken, current-one, older, same-formats')
  mkdirSync(at('other'))
  writeFileSync(at('other/package.json'), '{"name":"other"}')
  mkdirSync(at('releases/.new-interrupted'))
  await expect(upgrade([at('other')], write, machine)).rejects.toThrow(`${at('other')} is no release of Mayfly.`)
  for (const damaged of ['{', 'null', '{"name":"mayfly"}', '{"name":"mayfly","version":"1/../.."}']) {
    writeFileSync(at('other/package.json'), damaged)
    await expect(upgrade([at('other')], write, machine), damaged).rejects.toThrow(`${at('other')} is no release of Mayfly.`)
  }
  // Its folder is no clone.
  await expect(upgrade([], write, machine)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('needs the new release'),
  })
  for (const source of [at('nowhere.tgz'), '', `${at('nowhere')}#main`])
    await expect(upgrade([source], write, machine), source).rejects.toThrow('does not exist: name a packed release, a folder or a Git URL.')
  mkdirSync(at('releases/empty'))
  await expect(rollback(['empty'], write, machine)).rejects.toThrow(
    /^empty cannot take over, and nothing was changed\. Error: Cannot find module '[^\n]*'$/,
  )
  rmSync(at('releases/empty'), { recursive: true })
  expect(readdirSync(at('releases')).filter(name => name.startsWith('.'))).toEqual([])
  expect(existsSync(at('current/package.json'))).toBe(true)
})
