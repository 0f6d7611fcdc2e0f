import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailStoreSuite } from '#test/suites/mail-store-suite.ts'
import { openSqliteStore } from './sqlite-store.ts'

mailStoreSuite('sqlite', clock => openSqliteStore({ folder: mkdtempSync(join(tmpdir(), 'mayfly-store-')), diskReserveBytes: 0, clock }), {
  removal: 'swept',
  readsRaw: true,
})
