/** Outgoing mail: confirmation and reset links, contact messages, mail forwarded to the operator; and the relay that takes it. */
import type { Transporter } from 'nodemailer'
import type { Config } from '#server/platform/config/config.ts'

/** Every field is plain text, some of it untrusted. An adapter must never read one as a file name, URL or header line. */
export type OutgoingMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  /** One valid address. */
  readonly replyTo?: string | undefined
  /** The link that the mail is for. Without a relay it is printed for the operator, and nothing else of the mail. */
  readonly link?: string | undefined
  /** A forwarded mail, byte for byte, as `message/rfc822`. */
  readonly enclosed?: Uint8Array | undefined
}

export interface MailOut extends AsyncDisposable {
  /** Resolves when the relay has accepted the mail. Otherwise, and when `signal` aborts, rejects, and the caller keeps the mail. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>
}

/** Sends through the configured relay; without one it prints links. */
export function createMailOut({ smtpRelayUrl, mailFrom, siteName }: Config): MailOut {
  if (smtpRelayUrl === undefined) return createPrintLinks(text => process.stdout.write(text))
  return createSmtpRelay({ url: smtpRelayUrl, from: mailFrom, siteName })
}

/** A relay that does not respond in this time counts as down; the outbox tries again later. */
const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 60_000
/** RFC 5322 2.1.1 allows 998; no real subject is this long. */
const SUBJECT_CHARS_MAX = 250

/** Sends mail by SMTP through the relay of `SMTP_RELAY_URL`. nodemailer is loaded with the first mail. */
function createSmtpRelay(options: { url: string; from: string; siteName: string }): MailOut {
  let transport: Promise<Transporter> | undefined
  return {
    async send(mail, signal) {
      transport ??= connect(options.url)
      await (await transport).sendMail({
        signal,
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
    requireTLS: mustEncrypt(url),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // Otherwise nodemailer would read files and URLs named in a mail, and its text is untrusted.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A password never goes in clear text to another machine, even if encryption seems missing, unless `?requireTLS=false` allows it. */
function mustEncrypt(url: string): boolean {
  const { protocol, hostname, password, searchParams } = new URL(url)
  const isHere = hostname === 'localhost' || /^127\./.test(hostname) || hostname === '[::1]'
  return protocol === 'smtp:' && password !== '' && !isHere && searchParams.get('requireTLS') !== 'false'
}

/**
 * Without a relay, links are printed for the operator, so that a first start works without configuration. They are not logged: LOG_LEVEL
 * must not hide them, and no log line may contain a token. The recipient's address is not printed.
 */
function createPrintLinks(print: (text: string) => void): MailOut {
  return {
    async send({ link }) {
      if (link) print(`No SMTP_RELAY_URL is set, so this link was not mailed. Open it, or hand it to whoever asked for it:\n  ${link}\n`)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Replaces line ends of every kind by a space, so that no text can start another header line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim()
