import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from '../store.contract.ts'
import { openSqliteStore } from './sqlite-store.ts'

storeContract('sqlite', clock => openSqliteStore({ folder: mkdtempSync(join(tmpdir(), 'mayfly-store-')), diskReserveBytes: 0, clock }))
