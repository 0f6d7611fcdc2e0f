/** `mayfly read FILE`: what Mayfly sees in a mail file. Needs no server and no data folder. */
import { readFileSync } from 'node:fs'
import { readMail } from '#reader/read-mail.ts'
import { summarise } from '#reader/summary.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { refuseMore, type Write } from './command.ts'

export function read([file, ...more]: readonly string[], write: Write): void {
  refuseMore(more)
  if (file === undefined) throw new CommandError(EXIT.usage, '"read" needs a mail file, such as mail.eml.')
  const raw = readBytes(file)
  const { envelopeFrom: _, ...row } = summarise(raw, '')
  if (row.parseStatus === 'failed')
    throw new CommandError(EXIT.failed, `${plain(file)} cannot be parsed: Mayfly shows such a mail as its source.`)
  const mail = { ...row, ...readMail(raw) }
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

type Mail = Omit<ReturnType<typeof summarise>, 'envelopeFrom'> & ReturnType<typeof readMail>

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
