/** A real SMTP server on loopback that keeps its mail, in place of the operator's relay. */
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type RecordedMail = {
  readonly from: string
  readonly recipients: readonly string[]
  readonly raw: Buffer
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo: string | undefined
  /** The first link in the text, e.g. of a confirmation mail. */
  readonly link: string | undefined
}

export type MailRecorder = AsyncDisposable & {
  /** For `SMTP_RELAY_URL`. */
  readonly url: string
  readonly mails: readonly RecordedMail[]
  /** The next mail to this address that `next` has not returned yet; waits for it. */
  next(to: string): Promise<RecordedMail>
  /** The token in the link of the next mail to it that has one. A mail that only tells of a change has none. */
  nextToken(to: string): Promise<string>
  /** While down, every mail is refused with 451. */
  isDown: boolean
  /** Replies to no recipient at a domain that matches until it is disposed of; then accepts them. */
  stall(domain: RegExp): Disposable & { readonly recipients: readonly string[] }
}

export async function startMailRecorder(): Promise<MailRecorder> {
  const mails: RecordedMail[] = []
  const taken = new Set<RecordedMail>()
  let arrived = Promise.withResolvers<void>()
  const recorder = { isDown: false }
  const stalls = new Set<{ domain: RegExp; recipients: string[]; isOver: Promise<void> }>()

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const stall = [...stalls].find(({ domain }) => domain.test(address))
      stall?.recipients.push(address)
      void (stall?.isOver ?? Promise.resolve()).then(() => done())
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        if (recorder.isDown) return done(Object.assign(new Error('down for the test'), { responseCode: 451 }))
        const { mailFrom, rcptTo } = session.envelope
        const envelope = { from: mailFrom ? mailFrom.address : '', recipients: rcptTo.map(to => to.address) }
        read(Buffer.concat(chunks), envelope).then(mail => {
          mails.push(mail)
          arrived.resolve()
          arrived = Promise.withResolvers()
          done()
        }, done)
      })
    },
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  if (!address || typeof address === 'string') throw new Error('The mail recorder has no port')

  async function next(to: string): Promise<RecordedMail> {
    for (;;) {
      const found = mails.find(mail => mail.recipients.includes(to) && !taken.has(mail))
      if (found) {
        taken.add(found)
        return found
      }
      await arrived.promise
    }
  }

  return Object.assign(recorder, {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    next,
    stall(domain: RegExp) {
      const { promise: isOver, resolve } = Promise.withResolvers<void>()
      const stall = { domain, recipients: [], isOver }
      stalls.add(stall)
      const end = () => {
        stalls.delete(stall)
        resolve()
      }
      return { recipients: stall.recipients, [Symbol.dispose]: end }
    },
    async nextToken(to: string) {
      for (;;) {
        const token = new URL((await next(to)).link ?? '').hash.slice(1)
        if (token !== '') return token
      }
    },
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}

async function read(raw: Buffer, envelope: { from: string; recipients: string[] }): Promise<RecordedMail> {
  const parsed = await PostalMime.parse(raw)
  const text = parsed.text ?? ''
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  const parts = {
    subject: parsed.subject ?? '',
    text,
    html: parsed.html ?? '',
    replyTo: parsed.replyTo?.map(reply => reply.address).join(', '),
    link,
  }
  return { ...envelope, raw, ...parts }
}
