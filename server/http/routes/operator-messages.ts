/** Messages to the operator, and the operator's answers. */
import * as contract from '#contract/operator.ts'
import type { ContactMessage, ReplyTo } from '#server/operator/contact-messages.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import { toIso } from '#server/platform/clock.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { toId } from './operator.ts'

const LISTED = 100
/** A row of the operator's page has room for so much. */
const EXCERPT_CHARS_MAX = 160

export function operatorMessageRoutes({ mail, operator }: HttpDeps): BoundRoute[] {
  const { contact, inbox, reports, audit, replies } = operator

  /** Recipient and subject of an answer. `undefined` if the message is gone or nobody can be answered. */
  async function findReplyTo({ about, id }: contract.OperatorReply): Promise<ReplyTo | undefined> {
    if (about === 'contact') {
      const message = await contact.read(id)
      return message && { to: message.email, subject: message.subject }
    }
    if (about === 'report') {
      const report = await reports.read(id)
      return report?.email === undefined ? undefined : { to: report.email, subject: `Report of abuse: ${report.address}` }
    }
    const message = await inbox.read(id)
    if (!message || message === 'sealed') return undefined
    const { replyTo, subject } = await mail.plainText(message.raw, message.envelopeFrom)
    return replyTo === '' ? undefined : { to: replyTo, subject }
  }

  return [
    defineRoute(contract.listOperatorMessages, async () => {
      const [messages, mails, reported] = await Promise.all([contact.list(LISTED), inbox.list(LISTED), reports.list(LISTED)])
      return {
        contact: messages.map(message => ({ ...toContactHead(message), excerpt: excerptOf(message.message) })),
        mail: mails.map(({ id, receivedAt, readAt, bytes, head }) => {
          const addresses = { recipient: oneLine(head?.recipient ?? ''), from: oneLine(head?.envelopeFrom ?? '') }
          return { id, receivedAt: toIso(receivedAt), isRead: readAt !== null, bytes, ...addresses }
        }),
        reports: reported.map(({ id, receivedAt, isRead, isClosed, report }) => {
          const about = { kind: report?.kind ?? '', address: report?.address ?? '', excerpt: excerptOf(report?.message ?? '') }
          return { id, receivedAt: toIso(receivedAt), isRead, isClosed, ...about }
        }),
      }
    }),
    defineRoute(contract.readContactMessage, async ({ params, fail }) => {
      const message = (await contact.read(toId(params.id))) ?? fail('not_found')
      return { ...toContactHead(message), message: message.message, language: message.language }
    }),
    defineRoute(contract.readOperatorMail, async ({ params, fail }) => {
      const message = await inbox.read(toId(params.id))
      if (!message || message === 'sealed') return fail('not_found')
      const plainText = await mail.plainText(message.raw, message.envelopeFrom)
      return { recipient: oneLine(message.recipient), from: oneLine(message.envelopeFrom), ...plainText }
    }),
    defineRoute(contract.readAbuseReport, async ({ params, fail }) => (await reports.read(toId(params.id))) ?? fail('not_found')),
    defineRoute(contract.closeAbuseReport, async ({ account, params, fail }) => {
      if (!(await reports.close(toId(params.id)))) fail('not_found')
      await audit.add(account.email, 'report.close', params.id)
    }),
    defineRoute(contract.sendReply, async ({ account, body, fail }) => {
      const replyTo = (await findReplyTo(body)) ?? fail('not_found')
      await replies.send(replyTo, body.text)
      await audit.add(account.email, 'reply.send', `${body.about} ${body.id}`)
    }),
  ]
}

function toContactHead({ id, received_at, read_at, name, email, subject }: ContactMessage) {
  return { id, receivedAt: toIso(received_at), isRead: read_at !== null, name, email, subject }
}

const excerptOf = (message: string) =>
  message
    .slice(0, 2 * EXCERPT_CHARS_MAX)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT_CHARS_MAX)
