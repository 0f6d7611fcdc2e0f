/** What the site promises, on whichever database it stands. Run against real engines in site.test.ts. */
import { describe } from 'vitest'
import { siteUnderTest } from '#test/site-under-test.ts'
import { accountsSuite } from './accounts-suite.ts'
import { blogViewsSuite } from './blog-views-suite.ts'
import { operatorSuite } from './operator-suite.ts'
import { passwordsSuite } from './passwords-suite.ts'

export function siteSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    const it = siteUnderTest(createDatabase)
    blogViewsSuite(it)
    accountsSuite(it)
    passwordsSuite(it)
    operatorSuite(it)
  })
}
