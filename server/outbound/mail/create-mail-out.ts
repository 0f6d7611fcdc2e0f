import type { Config } from '#server/platform/config/config.ts'

/** Sends through the configured relay; without one it prints links. */
export async function createMailOut({ smtpRelayUrl, mailFrom, siteName }: Config) {
  if (smtpRelayUrl === undefined) {
    return (await import('./print-links.ts')).createPrintLinks(text => process.stdout.write(text))
  }
  return (await import('./smtp-relay.ts')).createSmtpRelay({ url: smtpRelayUrl, from: mailFrom, siteName })
}
