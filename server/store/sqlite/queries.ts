/**
 * The store's methods on an open database, all synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch.
 */

import type { DatabaseSync } from 'node:sqlite'
import { createMailboxQueries } from './mailbox-queries.ts'
import { createMessageQueries } from './message-queries.ts'
import { createRemovalQueries, type Freed } from './removal-queries.ts'
import { PAGE_BYTES } from './schema.ts'
import { prepare } from './statements.ts'

export type Queries = ReturnType<typeof createQueries>

export function createQueries(db: DatabaseSync) {
  const statements = prepare(db)
  const freed: Freed = { bytes: 0 }
  return {
    ...createMailboxQueries(statements),
    ...createMessageQueries(statements, freed),
    ...createRemovalQueries(statements, freed),

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
