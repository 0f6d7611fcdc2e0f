/** The text at the terminal when the server is ready: where everything is, and the command that sends a first mail. */

type BannerOptions = {
  readonly host: string
  readonly httpPort: number
  readonly smtpPort: number
  /** PUBLIC_URL, if set. */
  readonly publicUrl: string | undefined
}

/** The defaults of `npm run send-test` (cli/send-test.ts). */
const SEND_TEST_HOST = '127.0.0.1'
const SEND_TEST_PORT = 2525

const ON_EVERY_ADDRESS = ['0.0.0.0', '::']

export function renderBanner({ host, httpPort, smtpPort, publicUrl }: BannerOptions): string {
  const reachesDefault = ON_EVERY_ADDRESS.includes(host) || host === SEND_TEST_HOST
  const name = reachesDefault ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const site = `http://${name}:${httpPort}`
  const options = [...(reachesDefault ? [] : ['--host', host]), ...(smtpPort === SEND_TEST_PORT ? [] : ['--port', smtpPort])]
  return [
    `Site:  ${site}`,
    ...(publicUrl === undefined || publicUrl === site ? [] : [`       ${publicUrl} (PUBLIC_URL)`]),
    `Mail:  ${name}:${smtpPort}`,
    'Send a first mail to the address that the site shows:',
    `  ${['npm run send-test -- ADDRESS', ...options].join(' ')}`,
  ].join('\n')
}
