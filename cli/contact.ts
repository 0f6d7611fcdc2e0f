import { contactCsv } from '#server/operator/contact-csv.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import type { OperatorView } from './operator-view.ts'
import { plain, plainLine } from './terminal.ts'

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

async function list({ contact: messages }: OperatorView, write: Write): Promise<void> {
  const rows = await messages.list(LISTED_MAX)
  if (rows.length === 0) write('There are no contact messages.\n')
  for (const { id, name, email, subject, received_at, read_at } of rows) {
    const mark = read_at === null ? 'new ' : '    '
    write(`${mark}${id}  ${formatTime(received_at)}  ${plainLine(name)} <${plainLine(email)}>  ${plainLine(subject)}\n`)
  }
}

async function exportAll({ contact: messages }: OperatorView, write: Write): Promise<void> {
  write(contactCsv((await messages.list(EXPORTED_MAX)).reverse()))
}

async function read({ contact: messages }: OperatorView, id: number, write: Write): Promise<void> {
  const found = await messages.read(id)
  if (!found) throw notFound(id)
  const { name, email, subject, message, language, received_at } = found
  write(`From:     ${plainLine(name)} <${plainLine(email)}>\nReceived: ${formatTime(received_at)}\nLanguage: ${language}\n`)
  write(`Subject:  ${plainLine(subject)}\n\n${plain(message.replaceAll('\r\n', '\n'))}\n`)
}

async function remove({ contact: messages }: OperatorView, id: number, write: Write): Promise<void> {
  if (!(await messages.remove(id))) throw notFound(id)
  write(`Contact message ${id} is deleted.\n`)
}

function notFound(id: number): CommandError {
  return new CommandError(1, `There is no contact message ${id}: "contact list" shows which there are.`)
}
