/** The operator's command: `npm run mayfly -- COMMAND`. Reads the same configuration as the server and works while it runs. */
import { ConfigError, readConfig } from '#server/config.ts'
import { contact } from './contact.ts'
import { doctor } from './doctor.ts'
import { operatorMail } from './operator-mail.ts'
import { openOperatorView } from './operator-view.ts'
import { stats } from './stats.ts'

const USAGE = `npm run mayfly -- COMMAND
  contact list            the newest 50 contact messages
  contact read ID         one message; marks it as read
  contact export          all messages as CSV on standard output (RFC 4180, UTF-8 with byte order mark)
  operator-mail list      mail to postmaster and abuse
  operator-mail read ID   one of them, byte for byte on standard output
  stats                   what the site's database holds
  doctor                  checks configuration, data folder, disk, ports, DNS and TLS; says what to do`

/** Resolves to the exit code: 0 done, 1 not there or not well, 2 not understood. */
async function run([command = '', ...args]: string[]): Promise<number> {
  if (command === 'doctor') return doctor(process.env, console.log)
  const commands = { contact, 'operator-mail': operatorMail, stats }
  const known = Object.entries(commands).find(([name]) => name === command)?.[1]
  if (!known) {
    console.error(USAGE)
    return 2
  }
  await using view = await openOperatorView(readConfig(process.env))
  const code = await known(view, args, text => process.stdout.write(text))
  if (code === 2) console.error(USAGE)
  return code
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
