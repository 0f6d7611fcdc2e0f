/** A data folder that this user may not write, from outside: as root the server is run as nobody, who has no rights of its own anywhere. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { serverBuilt } from '#test/harness/mayfly/build-server.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { canMount } from '#test/harness/small-disk.ts'
import { newFolder } from '#test/harness/until-end.ts'

const root = resolve(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }
const user = isRoot ? NOBODY : {}
const canRun = spawnSync(process.execPath, ['--version'], { cwd: root, ...user }).status === 0

let folder: string
beforeAll(serverBuilt)
beforeEach(() => {
  folder = newFolder()
  chmodSync(folder, 0o755)
})

/** What a start that must not work says; `command` runs it, as the user who has no rights when left out. */
async function refusal(dataDir: string, command?: readonly [string, ...string[]]): Promise<string> {
  const [program, ...args] = command ?? [process.execPath]
  const child = spawn(program, [...args, 'dist/server/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(command ? {} : user),
  })
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect([code, out]).toEqual([1, ''])
  return said
}

const cannotBeWritten = (dataDir: string) =>
  `The data folder ${dataDir} cannot be written by this user. Grant the right, or choose another folder with DATA_DIR.\n`

test.skipIf(!canRun)(
  'a folder of another user, one inside it, and one below a closed folder are refused (needs a checkout that others may read)',
  async () => {
    const theirs = join(folder, 'theirs')
    mkdirSync(theirs)
    chmodSync(theirs, isRoot ? 0o755 : 0o555)
    if (isRoot) expect(await refusal(theirs)).toBe(cannotBeWritten(theirs))
    expect(await refusal(join(theirs, 'not', 'there'))).toBe(cannotBeWritten(join(theirs, 'not', 'there')))
    expect(readdirSync(theirs)).toEqual([])
    mkdirSync(join(folder, 'closed', 'data'), { recursive: true })
    chmodSync(join(folder, 'closed'), 0)
    expect(await refusal(join(folder, 'closed', 'data'))).toBe(cannotBeWritten(join(folder, 'closed', 'data')))
    chmodSync(join(folder, 'closed'), 0o755)
  },
)

test.skipIf(!isRoot || !canRun)('files left by a start as root are reported (needs root)', async () => {
  await (await startServerProcess({ dataDir: folder })).stop()
  const give = (...names: string[]) => {
    for (const name of names) chownSync(join(folder, name), NOBODY.uid, NOBODY.gid)
  }
  const foreign = (name: string) =>
    `${join(folder, name)} belongs to another user, and this one may not use it: a start as another user (sudo) made it, or a restored backup. ` +
    'Give the whole data folder to this user (chown -R), or choose another folder with DATA_DIR.\n'
  give('.')
  const left = readdirSync(folder).filter(name => ['ballast', 'mail.db', 'secret', 'site.db'].includes(name))
  expect(left).toEqual(expect.arrayContaining(['mail.db', 'secret', 'site.db']))
  // A start that ends at once leaves no ballast.
  for (const name of left.sort()) {
    expect(await refusal(folder)).toBe(foreign(name))
    give(name)
  }
})

test.skipIf(!canMount)('a read-only file system is refused, with and without a folder on it (needs root that may mount)', async () => {
  const disk = join(folder, 'disk')
  const image = join(folder, 'image')
  mkdirSync(join(image, 'data'), { recursive: true })
  mkdirSync(disk)
  const mounted = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `mount --bind -o ro '${image}' '${disk}' && exec "$@"`,
    'sh',
    process.execPath,
  ] as const
  for (const name of ['data', 'new']) expect(await refusal(join(disk, name), mounted)).toBe(cannotBeWritten(join(disk, name)))
  expect(readdirSync(image)).toEqual(['data'])
})
