import { EXIT } from '../client/cli/exit-codes.ts'
import { asShown, plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import type { OperatorContext } from './operator-context.ts'

const LISTED_MAX = 100
const SEALED = '(sealed under another SECRET)'

export const operatorMail: Command = ([action, ...rest]) => {
  if (action === 'read') {
    const [given, ...more] = rest
    const id = parseId('operator-mail', given)
    refuseMore(more)
    return (view, write) => read(view, id, write)
  }
  if (action !== 'list') throw unknownAction('operator-mail', action, ['list', 'read ID'])
  refuseMore(rest)
  return list
}

async function list({ operatorInbox }: OperatorContext, write: Write): Promise<void> {
  const rows = await operatorInbox.list(LISTED_MAX)
  if (rows.length === 0) write('There is no operator mail.\n')
  for (const { id, receivedAt, readAt, bytes, head } of rows) {
    const mark = readAt === null ? 'new ' : '    '
    const between = head ? `<${plainLine(head.envelopeFrom)}> to ${plainLine(head.recipient)}` : SEALED
    const time = formatTime(receivedAt)
    const ends = head && { from: head.envelopeFrom, recipient: head.recipient }
    write(`${mark}${id}  ${time}  ${bytes} bytes  ${between}\n`, { id, receivedAt: time, isRead: readAt !== null, bytes, ...ends })
  }
}

async function read({ operatorInbox }: OperatorContext, id: number, write: Write): Promise<void> {
  const mail = await operatorInbox.read(id)
  if (mail === undefined)
    throw new CommandError(EXIT.notFound, `There is no operator mail ${id}: "operator-mail list" shows which there are.`)
  if (mail === 'sealed')
    throw new CommandError(EXIT.failed, `Operator mail ${id} was sealed under another SECRET: set the one the server had then.`)
  const value = { id, from: mail.envelopeFrom, recipient: mail.recipient, base64: Buffer.from(mail.raw).toString('base64') }
  write(asShown(mail.raw, process.stdout.isTTY === true), value)
}
