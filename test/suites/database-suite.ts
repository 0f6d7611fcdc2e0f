/** Everything that uses the database. Run with real engines in test/databases/. */
import { describe } from 'vitest'
import { startDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'
import { accountsSuite } from './accounts-suite.ts'
import { blogViewsSuite } from './blog-views-suite.ts'
import { operatorSuite } from './operator-suite.ts'
import { outboxSuite } from './outbox-suite.ts'
import { passkeysSuite } from './passkeys-suite.ts'
import { passwordsSuite } from './passwords-suite.ts'

export function databaseSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    const features = startDatabaseFeatures(createDatabase)
    blogViewsSuite(features)
    accountsSuite(features)
    passwordsSuite(features)
    passkeysSuite(features)
    operatorSuite(features)
    outboxSuite(features)
  })
}
