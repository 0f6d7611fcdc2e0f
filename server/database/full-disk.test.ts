/** What accounts and the operator can still do when other programs have filled the disk. */
import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { canMount, mountSmallDisk } from '#test/harness/small-disk.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { type Database, openDatabase } from './database.ts'

let folder: string
beforeEach(() => {
  folder = newFolder()
})

const ballastBytes = () => statSync(join(folder, 'disk/site-ballast'), { throwIfNoEntry: false })?.size ?? 0
const block = ({ db }: Database, value: string) =>
  db.insertInto('blocks').values({ kind: 'domain', value, created_at: 1, ends_at: null }).execute()
const blocked = async ({ db }: Database) =>
  (await db.selectFrom('blocks').select('value').orderBy('value').execute()).map(({ value }) => value)
const long = 'x'.repeat(100_000)

test.skipIf(!canMount)(
  'a full disk leaves room for accounts and the operator, also for a command (needs root that may mount)',
  async () => {
    using _disk = mountSmallDisk(join(folder, 'disk'), 64 * MIB)
    const place = { dataDir: join(folder, 'disk') }
    await using server = await openDatabase(place, { keyCheck: 'x' })
    await expect.poll(ballastBytes).toBe(8 * MIB)
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'disk/others')}`, 'bs=4k'])
    for (let count = 0; count < 10; count++) await block(server, `${count}${long}`)
    {
      await using command = await openDatabase(place)
      await block(command, `by a command ${long}`)
    }
    expect(await blocked(server)).toHaveLength(11)
    expect(ballastBytes()).toBe(0)

    rmSync(join(folder, 'disk/others'))
    await expect.poll(ballastBytes).toBe(8 * MIB)
  },
)

test.skipIf(!canMount)(
  'a transaction that met the full disk is not done by half: repeated, it is done (needs root that may mount)',
  async () => {
    using _disk = mountSmallDisk(join(folder, 'disk'), 64 * MIB)
    await using server = await openDatabase({ dataDir: join(folder, 'disk') }, { keyCheck: 'x' })
    await expect.poll(ballastBytes).toBe(8 * MIB)
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'disk/others')}`, 'bs=4k'])
    const both = () =>
      server.db.transaction().execute(async db => {
        await block({ ...server, db }, `first ${long}`)
        await block({ ...server, db }, `second ${long}`)
      })
    await expect(both()).rejects.toThrow(/full/)
    expect(await blocked(server)).toEqual([])
    await both()
    expect(await blocked(server)).toHaveLength(2)
  },
)
