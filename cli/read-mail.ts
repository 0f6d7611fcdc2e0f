/** `mayfly read FILE`: what Mayfly sees in a mail file. Needs no server and no data folder. */
import { readFileSync } from 'node:fs'
import { isCalendar } from '#reader/invitation/calendar-part.ts'
import type { EventTime } from '#reader/invitation/event-time.ts'
import { attachmentAt, readMail } from '#reader/read-mail.ts'
import { summarise } from '#reader/summary.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import type { Given, Write } from './command.ts'

export async function read({ args: [file = ''] }: Given, write: Write): Promise<void> {
  const raw = readBytes(file)
  const { envelopeFrom: _, ...row } = summarise(raw, '')
  if (row.parseStatus === 'failed')
    throw new CommandError(EXIT.failed, `${plain(file)} cannot be parsed: Mayfly shows such a mail as its source.`)
  const whole = readMail(raw)
  const invitation = await invitationIn(raw, whole.attachments.find(isCalendar)?.index)
  const mail = { ...row, ...whole, ...(invitation && { invitation }) }
  write(describe(mail), mail)
}

function readBytes(file: string): Buffer {
  try {
    const raw = readFileSync(file)
    // A file of Unix has that system's line ends, and a mail none of them.
    if (raw.length > 0) return raw.includes('\r\n') ? raw : Buffer.from(raw.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')
  } catch (cause) {
    throw new CommandError(EXIT.failed, `Cannot read ${plain(file)}: ${cause instanceof Error ? plain(cause.message) : cause}`, { cause })
  }
  throw new CommandError(EXIT.failed, `${plain(file)} is empty: save the mail with its source, as "Download" or "Show original" do.`)
}

type Invitation = Awaited<ReturnType<typeof invitationIn>>
type Mail = Omit<ReturnType<typeof summarise>, 'envelopeFrom'> & ReturnType<typeof readMail> & { readonly invitation?: Invitation }

/** With its times in ISO 8601. The reader of calendars is loaded only for a mail that has one. */
async function invitationIn(raw: Buffer, index: number | undefined) {
  const file = index === undefined ? undefined : attachmentAt(raw, index)
  if (!file) return undefined
  const { readInvitation } = await import('#reader/invitation/invitation.ts')
  const read = readInvitation(file.bytes, file.charset)
  return read && { ...read, events: read.events.map(event => ({ ...event, start: iso(event.start), end: event.end && iso(event.end) })) }
}

/** A zone that nobody knows is named in brackets, as RFC 9557 writes it. */
function iso(time: EventTime): string {
  const moment = new Date(time.at).toISOString().replace('.000Z', 'Z')
  if (time.kind === 'day') return moment.slice(0, 10)
  return time.kind === 'moment' ? moment : `${moment.slice(0, -1)}${time.zone && `[${time.zone}]`}`
}

/** Whole days end before the named one. */
function eventLines(invitation: Invitation): string[] {
  return (invitation?.events ?? []).map(({ title, start, end, place, link, isCancelled, recurrence, attendee }) => {
    const until = end && (/^\d{4}-\d\d-\d\d$/.test(end) ? `before ${end}` : `to ${end}`)
    const times = [start, until, recurrence && 'and more dates'].filter(Boolean).join(' ')
    const act = isCancelled ? 'cancelled' : invitation?.act
    return [`${act}: ${title}`, times, place, link, attendee && `${attendee.name} ${attendee.reply ?? ''}`].filter(Boolean).join(', ')
  })
}

/** A line for each field that the mail has, then its text. */
function describe(mail: Mail): string {
  const people = (list: Mail['to']) => list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
  const fields: [name: string, values: readonly string[]][] = [
    ['From', [people([mail.from])]],
    ['To', [people(mail.to)]],
    ['Cc', [people(mail.cc)]],
    ['Reply-To', [people(mail.replyTo)]],
    ['Date', [mail.date ?? '']],
    ['Subject', [mail.subject]],
    ['Preview', [mail.preview]],
    ['Code', mail.codes],
    ['Confirms', mail.links.map(({ label, url }) => `${label}: ${url}`)],
    ['Link', mail.allLinks.map(({ text, url }) => (text === url || text === '' ? url : `${text}: ${url}`))],
    ['Event', eventLines(mail.invitation)],
    [
      'File',
      mail.attachments.map(
        ({ filename, contentType, size, inline }) => `${filename} (${contentType}, ${size} bytes${inline ? ', inline' : ''})`,
      ),
    ],
    ['Warning', mail.warnings.map(({ kind, detail, remedy }) => `${detail === '' ? kind : `${kind}: ${detail}`}. ${remedy}`)],
  ]
  const lines = fields.flatMap(([name, values]) => values.filter(Boolean).map(value => `${name.padEnd(9)} ${plainLine(value)}`))
  return `${lines.join('\n')}\n\n${plain(mail.htmlText ?? mail.text ?? '').trimEnd()}\n`
}
