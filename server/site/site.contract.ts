/** What the site promises, on whichever database it stands. Run against real engines in site.test.ts. */
import { describe } from 'vitest'
import { siteUnderTest } from '#test/site-under-test.ts'
import { accountPromises } from './contract/accounts.contract.ts'
import { operatorPromises } from './contract/operator.contract.ts'
import { passwordPromises } from './contract/passwords.contract.ts'
import { viewPromises } from './contract/views.contract.ts'

export function siteContract(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    const it = siteUnderTest(createDatabase)
    viewPromises(it)
    accountPromises(it)
    passwordPromises(it)
    operatorPromises(it)
  })
}
