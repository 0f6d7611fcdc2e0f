import type { Transporter } from 'nodemailer'
import type { MailOut } from './mail-out.ts'
import { oneLine } from './one-line.ts'

/** A relay that does not respond in this time counts as down; the outbox tries again later. */
const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 60_000
/** RFC 5322 2.1.1 allows 998; no real subject is this long. */
const SUBJECT_CHARS_MAX = 250

/** Sends mail by SMTP through the relay of `SMTP_RELAY_URL`. nodemailer is loaded with the first mail. */
export function createSmtpRelay(options: { url: string; from: string; siteName: string }): MailOut {
  let transport: Promise<Transporter> | undefined
  return {
    async send(mail) {
      transport ??= connect(options.url)
      await (await transport).sendMail({
        from: { name: oneLine(options.siteName), address: options.from },
        to: { name: '', address: mail.to },
        replyTo: mail.replyTo === undefined ? undefined : { name: '', address: mail.replyTo },
        subject: oneLine(mail.subject).slice(0, SUBJECT_CHARS_MAX),
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        attachments: mail.enclosed
          ? [
              {
                filename: 'original.eml',
                contentType: 'message/rfc822',
                content: Buffer.from(mail.enclosed),
                contentTransferEncoding: 'base64',
              },
            ]
          : [],
      })
    },
    async [Symbol.asyncDispose]() {
      if (transport) (await transport).close()
    },
  }
}

async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // Otherwise nodemailer would read files and URLs named in a mail, and its text is untrusted.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
