/** `npm run send-test -- ADDRESS [FILE]`: sends a sign-up mail with code and attachment, or a mail in a file, to this machine's server. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { CommandError, EXIT, type ExitCode } from '../client/cli/exit-codes.ts'
import { errorJson } from './command.ts'

const USAGE = `Usage: npm run send-test -- ADDRESS [FILE] [--subject TEXT] [--from ADDRESS] [--host HOST] [--port PORT] [--json]

  ADDRESS     the address shown on the site
  FILE        a mail (.eml) to send as it is, instead of one with a code and an attachment
  --subject   default: Your confirmation code
  --from      default: hello@garden-club.example
  --host      default: 127.0.0.1
  --port      default: SMTP_PORT from the environment, else 2525
  --json      prints the address, and of a mail without FILE subject and code, as one line of JSON

Exit code: 0 sent, 1 refused, 2 not understood, 4 no such address, 5 the server cannot be reached.`

type Options = {
  readonly to: string
  /** The bytes of FILE. */
  readonly raw: Buffer | undefined
  readonly subject: string
  readonly from: string
  readonly host: string
  readonly port: number
  readonly json: boolean
}

/** `undefined` if only help is wanted. */
function readOptions(args: string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      subject: { type: 'string', default: 'Your confirmation code' },
      from: { type: 'string', default: 'hello@garden-club.example' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: process.env.SMTP_PORT?.replace(/^.*:/, '') || '2525' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const [to, file, ...more] = positionals
  if (!to) throw new CommandError(EXIT.usage, 'Name the address to send to: open the site and copy the one it shows.')
  if (more.length > 0 || file?.includes('@'))
    throw new CommandError(EXIT.usage, `One address at a time: ${positionals.join(' ')}. Put a subject of several words in quotes.`)
  if (!/^\S+@\S+$/.test(to)) throw new CommandError(EXIT.usage, `${to} is not an address such as calm.river.x3k9@in.example.com.`)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandError(EXIT.usage, `${values.port} is not a port. It is a number from 1 to 65535.`)
  return {
    to,
    raw: file === undefined ? undefined : readMail(file),
    subject: values.subject,
    from: values.from,
    host: values.host,
    port,
    json: values.json,
  }
}

function readMail(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${file} cannot be read: name a file with a mail, as "Download" on the site gives it.`, { cause })
  }
}

function compose({ to, from, subject }: Options) {
  const code = randomInt(100_000, 1_000_000).toString()
  const note = 'Seeds you asked for\r\n\r\n  - sweet peas, sow in spring\r\n  - foxgloves, sow in June\r\n  - night-scented stock\r\n'
  return {
    code,
    to,
    from: { name: 'The Garden Club', address: from },
    subject,
    text: `Hello,\n\nyour confirmation code is ${code}. It is valid for ten minutes.\n\nThe list of seeds is attached.\n\nThe Garden Club`,
    html: `<div style="font-family:Georgia,serif;max-width:32rem;margin:auto;padding:1.5rem">
<h1 style="color:#2f6b4f">Welcome to the Garden Club</h1>
<p>Your confirmation code is</p>
<p style="font:700 2rem monospace;letter-spacing:.2em">${code}</p>
<p>It is valid for <strong>ten minutes</strong>. The list of seeds is attached.</p>
<p>You can also <a href="https://garden-club.example/confirm?code=${code}">confirm your address</a>.</p>
</div>`,
    attachments: [{ filename: 'seeds – spring.txt', content: note, contentType: 'text/plain; charset=utf-8' }],
  }
}

async function send(options: Options): Promise<void> {
  // The server's certificate is self-signed, and this mail is not secret.
  const transport = createTransport({
    host: options.host,
    port: options.port,
    tls: { rejectUnauthorized: false },
    connectionTimeout: 10_000,
  })
  const { to, from, raw, subject, json } = options
  const composed = raw ? undefined : compose(options)
  try {
    await transport.sendMail(composed ?? { envelope: { from, to }, raw })
  } catch (error) {
    const { message, exitCode } = remedy(error, options)
    throw new CommandError(exitCode, message, { cause: error })
  }
  if (json) console.log(JSON.stringify({ to, ...(composed && { subject, code: composed.code }) }))
  else console.log(`Sent to ${to}. It is on the screen now.`)
}

type Remedy = { readonly message: string; readonly exitCode: ExitCode }

function remedy(error: unknown, { to, host, port }: Options): Remedy {
  const refused = (message: string): Remedy => ({ message, exitCode: EXIT.failed })
  const unreachable = (message: string): Remedy => ({ message, exitCode: EXIT.unreachable })
  if (!(error instanceof Error)) return refused(String(error))
  const replyCode = 'responseCode' in error ? error.responseCode : undefined
  const reply = 'response' in error ? String(error.response) : error.message
  if (/ECONNREFUSED/.test(error.message))
    return unreachable(`Nothing listens on ${host}:${port}. Start the service with "npm start", or name its port with --port.`)
  if (/ENOTFOUND|EAI_AGAIN/.test(error.message)) return unreachable(`There is no host ${host}. Leave --host out for this machine.`)
  if (/5\.1\.1/.test(reply)) {
    const message = `${to} does not exist: it has expired or was mistyped. Copy the address from the site again.`
    return { message, exitCode: EXIT.notFound }
  }
  if (/5\.7\.1/.test(reply)) return refused(`This server takes no mail for the domain of ${to}. Its domains are in MAIL_DOMAINS.`)
  if (typeof replyCode === 'number') return refused(`The server refused the mail: ${reply}`)
  return unreachable(`The mail could not be sent: ${error.message}`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await send(options)
  else console.log(USAGE)
} catch (error) {
  const isParse = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(error instanceof CommandError) && !isParse) throw error
  const exitCode = error instanceof CommandError ? error.exitCode : EXIT.usage
  process.exitCode = exitCode
  if (process.argv.includes('--json')) console.error(errorJson(exitCode, error.message))
  else console.error(exitCode === EXIT.usage ? `${error.message}\n\n${USAGE}` : error.message)
}
