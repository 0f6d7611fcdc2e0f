import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { openControlPort, type ServerIdentity } from '#server/operator/control.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { currentFormats } from '#server/platform/formats.ts'
import { loadSecret } from '#server/start/data-folder.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { openOperatorContext } from './operator-context.ts'

test('a command of another release does not change the database under a running server', async () => {
  const dataDir = newFolder()
  loadSecret(dataDir, undefined)
  await (await openDatabase({ dataDir }))[Symbol.asyncDispose]()
  let formats = { ...currentFormats(), site: currentFormats().site - 1 }
  const identify = (): ServerIdentity => ({ pid: 1, version: '0.0.9', formats, httpPort: 1, smtpPort: 1, startedAt: 1, settings: {} })
  const control = {
    copyMailTo: async () => undefined,
    destroyAddress: async () => false,
    destroyAccount: async () => false,
    createProbe: async () => ({ email: '', token: '' }),
    identify,
    noteProxy: () => undefined,
  }
  await using _control = await openControlPort(dataDir, control)
  const open = async () => {
    await using context = await openOperatorContext(readConfig({ DATA_DIR: dataDir }))
    return context.database.dialect
  }
  await expect(open()).rejects.toThrow('A server of version 0.0.9 uses this database')
  formats = currentFormats()
  expect(await open()).toBe('sqlite')
})
