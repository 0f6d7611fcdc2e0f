import { contactCsv } from '#server/site/contact-csv.ts'
import { type Command, idOf, plain, timeOf } from './operator-view.ts'

const LISTED_MAX = 50
const EXPORTED_MAX = 1_000_000

export const contact: Command = async ({ contact: messages }, [action, given], write) => {
  if (action === 'list') {
    for (const message of await messages.list(LISTED_MAX)) {
      const mark = message.read_at === null ? 'new ' : '    '
      write(
        `${mark}${message.id}  ${timeOf(message.received_at)}  ${oneLine(message.name)} <${oneLine(message.email)}>  ${oneLine(message.subject)}\n`,
      )
    }
    return 0
  }
  if (action === 'export') {
    write(contactCsv((await messages.list(EXPORTED_MAX)).reverse()))
    return 0
  }
  const id = idOf(given)
  if (action !== 'read' || id === undefined) return 2
  const message = await messages.read(id)
  if (!message) {
    write(`There is no contact message ${id}.\n`)
    return 1
  }
  const head = `From:     ${oneLine(message.name)} <${oneLine(message.email)}>\nReceived: ${timeOf(message.received_at)}\nSubject:  ${oneLine(message.subject)}`
  write(`${head}\n\n${plain(message.message.replaceAll('\r\n', '\n'))}\n`)
  return 0
}

const oneLine = (text: string) => plain(text).replace(/\s+/g, ' ')
