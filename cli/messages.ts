/** Commands for what people wrote to the operator: contact messages, mail to postmaster and abuse, reports of abuse. */
import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import type { ContactMessage } from '#server/operator/operator-inbox.ts'
import { toIso } from '#server/platform/clock.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { asShown, plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, parseId, type Write } from './command.ts'
import { contactCsv } from './contact-csv.ts'
import type { OperatorContext } from './operator-context.ts'

const CONTACT_LISTED_MAX = 50
const EXPORTED_MAX = 1_000_000

export async function listContact({ operator: { contact: messages } }: OperatorContext, write: Write): Promise<void> {
  const rows = await messages.list(CONTACT_LISTED_MAX)
  if (rows.length === 0) write('There are no contact messages.\n')
  for (const { id, name, email, subject, received_at, read_at } of rows) {
    const mark = read_at === null ? 'new ' : '    '
    const receivedAt = toIso(received_at)
    const row = `${mark}${id}  ${receivedAt}  ${plainLine(name)} <${plainLine(email)}>  ${plainLine(subject)}\n`
    write(row, { id, receivedAt, isRead: read_at !== null, name, email, subject })
  }
}

export async function exportContact({ operator: { contact: messages } }: OperatorContext, write: Write): Promise<void> {
  const all = (await messages.list(EXPORTED_MAX)).reverse()
  write(contactCsv(all))
  for (const message of all) write('', toJson(message))
}

export const readContact: Command = given => {
  const id = parseId('contact', 'read', given)
  return async ({ operator: { contact: messages } }, write) => {
    const found = await messages.read(id)
    if (!found) throw noContact(id)
    const { name, email, subject, message, language, received_at } = found
    const head = `From:     ${plainLine(name)} <${plainLine(email)}>\nReceived: ${toIso(received_at)}\nLanguage: ${language}\n`
    write(`${head}Subject:  ${plainLine(subject)}\n\n${plain(message.replaceAll('\r\n', '\n'))}\n`, toJson(found))
  }
}

export const deleteContact: Command = given => {
  const id = parseId('contact', 'delete', given)
  return async ({ operator: { contact: messages } }, write) => {
    if (!(await messages.remove(id))) throw noContact(id)
    write(`Contact message ${id} is deleted.\n`, { deleted: id })
  }
}

function toJson({ id, name, email, subject, message, language, received_at, read_at }: ContactMessage) {
  return { id, receivedAt: toIso(received_at), isRead: read_at !== null, name, email, subject, message, language }
}

function noContact(id: number): CommandError {
  return new CommandError(EXIT.notFound, `There is no contact message ${id}: "contact list" shows which there are.`)
}

const MAIL_LISTED_MAX = 100
const SEALED = '(sealed under another SECRET)'

export async function listOperatorMail({ operator: { inbox } }: OperatorContext, write: Write): Promise<void> {
  const rows = await inbox.list(MAIL_LISTED_MAX)
  if (rows.length === 0) write('There is no operator mail.\n')
  for (const { id, receivedAt, readAt, bytes, head } of rows) {
    const mark = readAt === null ? 'new ' : '    '
    const between = head ? `<${plainLine(head.envelopeFrom)}> to ${plainLine(head.recipient)}` : SEALED
    const time = toIso(receivedAt)
    const ends = head && { from: head.envelopeFrom, recipient: head.recipient }
    write(`${mark}${id}  ${time}  ${bytes} bytes  ${between}\n`, { id, receivedAt: time, isRead: readAt !== null, bytes, ...ends })
  }
}

export const readOperatorMail: Command = given => {
  const id = parseId('operator-mail', 'read', given)
  return async ({ operator: { inbox } }, write) => {
    const mail = await inbox.read(id)
    if (mail === undefined)
      throw new CommandError(EXIT.notFound, `There is no operator mail ${id}: "operator-mail list" shows which there are.`)
    if (mail === 'sealed')
      throw new CommandError(EXIT.failed, `Operator mail ${id} was sealed under another SECRET: set the one the server had then.`)
    const value = { id, from: mail.envelopeFrom, recipient: mail.recipient, base64: Buffer.from(mail.raw).toString('base64') }
    write(asShown(mail.raw, process.stdout.isTTY === true), value)
  }
}

const REPORTS_LISTED_MAX = 100

export async function listReports({ operator: { reports } }: OperatorContext, write: Write): Promise<void> {
  const listed = await reports.list(REPORTS_LISTED_MAX)
  if (listed.length === 0) write('There are no reports.\n')
  for (const { id, receivedAt, isRead, isClosed, report: found } of listed) {
    const mark = isClosed ? 'done' : isRead ? '    ' : 'new '
    const about = found ? plainLine(`${found.kind}  ${found.address}`) : 'sealed under another SECRET'
    const time = toIso(receivedAt)
    const value = { id, receivedAt: time, isRead, isClosed, kind: found?.kind ?? null, address: found?.address ?? null }
    write(`${mark} ${id}  ${time}  ${about}\n`, value)
  }
}

export const readReport: Command = given => {
  const id = parseId('report', 'read', given)
  return async ({ operator: { reports } }, write) => {
    const found = await reports.read(id)
    if (!found) throw new CommandError(EXIT.notFound, `There is no report ${id}, or it was sealed under another SECRET.`)
    const head = `Kind:    ${found.kind}\nAddress: ${plainLine(found.address)}\nFrom:    ${plainLine(found.email ?? '-')}\n`
    write(`${head}\n${plain(found.message)}\n`, { id, ...found })
  }
}

export const closeReport: Command = given => {
  const id = parseId('report', 'close', given)
  return async ({ operator: { reports, audit } }, write) => {
    if (!(await reports.close(id))) throw new CommandError(EXIT.notFound, `There is no open report ${id}.`)
    await audit.add(COMMAND_ACTOR, 'report.close', String(id))
    write('Closed.\n', { closed: id })
  }
}
