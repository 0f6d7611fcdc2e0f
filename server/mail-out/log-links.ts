import type { Log } from '#server/log.ts'
import type { MailOut } from './mail-out.ts'

/**
 * Without a relay, links are told to the operator so that a first start works with nothing configured (decision 23).
 * The one log line that holds a token; it never holds the address it was made for.
 */
export function createLogLinks(log: Log): MailOut {
  return {
    async send({ link }) {
      if (link) log.info({ link }, 'No SMTP_RELAY_URL is set, so this link was not mailed: open it, or hand it to whoever asked for it')
    },
    async [Symbol.asyncDispose]() {},
  }
}
