import type { Config } from '#server/config.ts'

/** Through the relay as configured; without one the links are printed. */
export async function createMailOut({ smtpRelayUrl, mailFrom, siteName }: Config) {
  if (smtpRelayUrl === undefined) {
    return (await import('./print-links.ts')).createPrintLinks(text => process.stdout.write(text))
  }
  return (await import('./smtp-relay.ts')).createSmtpRelay({ url: smtpRelayUrl, from: mailFrom, siteName })
}
