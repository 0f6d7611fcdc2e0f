import { contactCsv } from '#server/operator/contact-csv.ts'
import type { ContactMessage } from '#server/operator/contact-messages.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import type { OperatorContext } from './operator-context.ts'

const LISTED_MAX = 50
const EXPORTED_MAX = 1_000_000

export const contact: Command = ([action, ...rest]) => {
  if (action === 'read' || action === 'delete') {
    const [given, ...more] = rest
    const id = parseId('contact', given, action)
    refuseMore(more)
    return (view, write) => (action === 'read' ? read(view, id, write) : remove(view, id, write))
  }
  if (action !== 'list' && action !== 'export') throw unknownAction('contact', action, ['list', 'read ID', 'delete ID', 'export'])
  refuseMore(rest)
  return action === 'list' ? list : exportAll
}

async function list({ contact: messages }: OperatorContext, write: Write): Promise<void> {
  const rows = await messages.list(LISTED_MAX)
  if (rows.length === 0) write('There are no contact messages.\n')
  for (const { id, name, email, subject, received_at, read_at } of rows) {
    const mark = read_at === null ? 'new ' : '    '
    const receivedAt = formatTime(received_at)
    const row = `${mark}${id}  ${receivedAt}  ${plainLine(name)} <${plainLine(email)}>  ${plainLine(subject)}\n`
    write(row, { id, receivedAt, isRead: read_at !== null, name, email, subject })
  }
}

async function exportAll({ contact: messages }: OperatorContext, write: Write): Promise<void> {
  const all = (await messages.list(EXPORTED_MAX)).reverse()
  write(contactCsv(all))
  for (const message of all) write('', toJson(message))
}

async function read({ contact: messages }: OperatorContext, id: number, write: Write): Promise<void> {
  const found = await messages.read(id)
  if (!found) throw notFound(id)
  const { name, email, subject, message, language, received_at } = found
  const head = `From:     ${plainLine(name)} <${plainLine(email)}>\nReceived: ${formatTime(received_at)}\nLanguage: ${language}\n`
  write(`${head}Subject:  ${plainLine(subject)}\n\n${plain(message.replaceAll('\r\n', '\n'))}\n`, toJson(found))
}

async function remove({ contact: messages }: OperatorContext, id: number, write: Write): Promise<void> {
  if (!(await messages.remove(id))) throw notFound(id)
  write(`Contact message ${id} is deleted.\n`, { deleted: id })
}

function toJson({ id, name, email, subject, message, language, received_at, read_at }: ContactMessage) {
  return { id, receivedAt: formatTime(received_at), isRead: read_at !== null, name, email, subject, message, language }
}

function notFound(id: number): CommandError {
  return new CommandError(EXIT.notFound, `There is no contact message ${id}: "contact list" shows which there are.`)
}
