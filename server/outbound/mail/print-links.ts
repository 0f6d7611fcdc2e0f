import type { MailOut } from './mail-out.ts'

/**
 * Without a relay, links are printed for the operator, so that a first start works without configuration. They are not logged: LOG_LEVEL
 * must not hide them, and no log line may contain a token. The recipient's address is not printed.
 */
export function createPrintLinks(print: (text: string) => void): MailOut {
  return {
    async send({ link }) {
      if (link) print(`No SMTP_RELAY_URL is set, so this link was not mailed. Open it, or hand it to whoever asked for it:\n  ${link}\n`)
    },
    async [Symbol.asyncDispose]() {},
  }
}
