import type { MailOut } from './mail-out.ts'

/**
 * Without a relay, links are shown to the operator so that a first start works with nothing configured. They are printed and not logged:
 * LOG_LEVEL must not hide them, and no log line ever holds a token. The address a link was made for is not told.
 */
export function createPrintLinks(print: (text: string) => void): MailOut {
  return {
    async send({ link }) {
      if (link) print(`No SMTP_RELAY_URL is set, so this link was not mailed. Open it, or hand it to whoever asked for it:\n  ${link}\n`)
    },
    async [Symbol.asyncDispose]() {},
  }
}
