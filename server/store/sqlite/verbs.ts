/**
 * The store's methods on an open database, all synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch.
 */

import type { DatabaseSync } from 'node:sqlite'
import { createMailboxVerbs } from './mailbox-verbs.ts'
import { createMessageVerbs } from './message-verbs.ts'
import { createRemovalVerbs, type Freed } from './removal-verbs.ts'
import { PAGE_BYTES } from './schema.ts'
import { prepare } from './statements.ts'

export type Verbs = ReturnType<typeof createVerbs>

export function createVerbs(db: DatabaseSync) {
  const statements = prepare(db)
  const freed: Freed = { bytes: 0 }
  return {
    ...createMailboxVerbs(statements),
    ...createMessageVerbs(statements, freed),
    ...createRemovalVerbs(statements, freed),

    /** Bytes of mail removed since the last call; zeroing them was written to the log too. */
    takeFreedBytes(): number {
      const { bytes } = freed
      freed.bytes = 0
      return bytes
    },

    /** Rows changed since the database was opened. */
    changesSoFar(): number {
      return Number((statements.totalChanges.get() as { n: number }).n)
    },

    /** Free bytes inside the file, used before the file grows. */
    freeBytes(): number {
      return Number((statements.freePages.get() as { freelist_count: number }).freelist_count) * PAGE_BYTES
    },
  }
}
