/** What the server prints when it is ready: where everything is, and the command that sends a first mail. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#server/platform/installation.ts'
import type { StarttlsState } from '#server/smtp/context.ts'

type BannerOptions = {
  /** The address at which SMTP listens. */
  readonly host: string
  readonly httpHost: string
  readonly httpPort: number
  readonly smtpPort: number
  /** PUBLIC_URL, if set. */
  readonly publicUrl: string | undefined
  readonly starttls: StarttlsState
}

/** The defaults of `npm run send-test` (cli/send-test.ts). */
const SEND_TEST_HOST = '127.0.0.1'
const SEND_TEST_PORT = 2525

/** The packed server (scripts/pack.ts) has no npm scripts, and the image of deploy/Dockerfile nothing but what is built. */
function sendTestCommand(folder: string): string {
  if (existsSync(join(folder, 'cli'))) return 'npm run send-test --'
  const starter = join(folder, 'scripts/start.mjs')
  return existsSync(starter) ? `node ${starter} send-test` : `node ${join(folder, 'dist/server/send-test.js')}`
}

const ON_THIS_MACHINE = ['0.0.0.0', '::', SEND_TEST_HOST]

function nameOf(host: string): string {
  if (ON_THIS_MACHINE.includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** The settings that a mail library on this machine needs. */
function libraryHint({ toLocal, isGenerated, names }: StarttlsState): string {
  if (!toLocal) return 'no TLS, no login'
  if (isGenerated) return 'STARTTLS with a generated certificate, which it must not verify; no login'
  return `STARTTLS, verified if it connects to ${names.split(', ')[0]}; no login`
}

/** For a log: with JSON instead of lines. */
export function addressesOf({ host, httpHost, httpPort, smtpPort, publicUrl, starttls }: BannerOptions) {
  const reachesDefault = nameOf(host) === 'localhost'
  const site = `http://${nameOf(httpHost)}:${httpPort}`
  const options = [...(reachesDefault ? [] : ['--host', host]), ...(smtpPort === SEND_TEST_PORT ? [] : ['--port', smtpPort])]
  return {
    site,
    ...(publicUrl === undefined || publicUrl === site ? {} : { publicUrl }),
    mail: `${nameOf(host)}:${smtpPort}`,
    libraries: libraryHint(starttls),
    sendTest: [sendTestCommand(root), 'ADDRESS', ...options].join(' '),
    curl: `echo "Subject: Hello" | curl smtp://${nameOf(host)}:${smtpPort} --mail-rcpt ADDRESS --upload-file -`,
  }
}

/** For a terminal. */
export function renderBanner(options: BannerOptions): string {
  const { site, publicUrl, mail, libraries, sendTest, curl } = addressesOf(options)
  return [
    `Site:  ${site}`,
    ...(publicUrl === undefined ? [] : [`       ${publicUrl} (PUBLIC_URL)`]),
    `Mail:  ${mail}`,
    `       A mail library needs: ${libraries}`,
    'Send a first mail to the address that the site shows:',
    `  ${sendTest}`,
    `  ${curl}`,
  ].join('\n')
}
