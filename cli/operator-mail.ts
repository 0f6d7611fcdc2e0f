import { type Command, idOf, plain, timeOf } from './operator-view.ts'

const LISTED_MAX = 100

export const operatorMail: Command = async ({ operatorInbox }, [action, given], write) => {
  if (action === 'list') {
    for (const row of await operatorInbox.list(LISTED_MAX)) {
      const mark = row.readAt === null ? 'new ' : '    '
      write(`${mark}${row.id}  ${timeOf(row.receivedAt)}  ${row.bytes} bytes  <${plain(row.envelopeFrom)}> to ${plain(row.recipient)}\n`)
    }
    return 0
  }
  const id = idOf(given)
  if (action !== 'read' || id === undefined) return 2
  const mail = await operatorInbox.read(id)
  if (!mail) {
    write(`There is no operator mail ${id}.\n`)
    return 1
  }
  write(mail.raw)
  return 0
}
