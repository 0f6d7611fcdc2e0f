import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'
import { openDataFolder } from './data-folder.ts'

test('missing folders of the path are created for the owner only', async () => {
  const folder = newFolder()
  const dataDir = join(folder, 'not', 'yet', 'there')
  await Promise.all([openDataFolder(dataDir), openDataFolder(dataDir)])
  await openDataFolder(dataDir)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect(await readdir(dataDir)).toEqual([])
  await writeFile(join(dataDir, 'made-later'), '')
  expect((await stat(join(dataDir, 'made-later'))).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform === 'win32')(
  'removes other users’ access to an existing folder and its files (Windows has no such modes)',
  async () => {
    const folder = newFolder()
    for (const name of ['secret', 'mail.db', 'site.db-wal', 'notes of the operator']) {
      await writeFile(join(folder, name), '')
      await chmod(join(folder, name), 0o644)
    }
    await chmod(folder, 0o755)
    await openDataFolder(folder)
    await writeFile(join(folder, 'later'), '')
    const readMode = async (name: string) => (await stat(join(folder, name))).mode & 0o777
    expect(await Promise.all(['.', 'secret', 'mail.db', 'site.db-wal', 'later'].map(readMode))).toEqual([0o700, 0o600, 0o600, 0o600, 0o600])
    expect(await readMode('notes of the operator')).toBe(0o644)
  },
)

test('a file at that path is an error', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'file'), '')
  await expect(openDataFolder(join(folder, 'file'))).rejects.toThrow('EEXIST')
  await expect(openDataFolder(join(folder, 'file', 'data'))).rejects.toThrow('EEXIST')
})

test.runIf(process.platform === 'linux')('creating a folder below /proc fails instead of trying forever', async () => {
  await expect(openDataFolder('/proc/mayfly/data')).rejects.toThrow('ENOENT')
})
