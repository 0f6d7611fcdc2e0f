/** The process that torture.ts kills: the SMTP edge, the core and the store on DATA_DIR. Says its port on stdout. */
import { randomBytes } from 'node:crypto'
import { readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'
import { createMail } from '#server/mail/create-mail.ts'
import { loadSecret } from '#server/mail/secret.ts'
import { startSmtp } from '#server/smtp/smtp.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'

const config = readConfig({ SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: process.argv[2] })
const log = createLog('warn')
const store = await openSqliteStore({ folder: config.dataDir, diskReserveBytes: 0, clock: Date.now })
const mail = createMail({ store, secret: loadSecret(config.dataDir), config, clock: Date.now, random: randomBytes, log })
const smtp = await startSmtp({ mail, config, log, clock: Date.now })
console.log(`port ${smtp.port}`)
