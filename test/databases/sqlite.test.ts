import { apiMailboxesSuite } from '../suites/api-mailboxes-suite.ts'
import { databaseSuite } from '../suites/database-suite.ts'
import { proMailboxesSuite } from '../suites/pro-mailboxes-suite.ts'
import { webhooksSuite } from '../suites/webhooks-suite.ts'

databaseSuite('on SQLite', async () => undefined)
proMailboxesSuite('Pro on SQLite', async () => undefined)
apiMailboxesSuite('API mailboxes on SQLite', async () => undefined)
webhooksSuite('webhooks on SQLite', async () => undefined)
