import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction } from './command.ts'
import { CommandError } from './command-error.ts'

const LISTED_MAX = 100

export const report: Command = ([action, ...args]) => {
  if (action === 'list') {
    refuseMore(args)
    return async ({ operator: { reports } }, write) => {
      const listed = await reports.list(LISTED_MAX)
      if (listed.length === 0) write('There are no reports.\n')
      for (const { id, receivedAt, isRead, isClosed, report: found } of listed) {
        const mark = isClosed ? 'done' : isRead ? '    ' : 'new '
        const about = found ? plainLine(`${found.kind}  ${found.address}`) : 'sealed under another SECRET'
        const time = formatTime(receivedAt)
        const value = { id, receivedAt: time, isRead, isClosed, kind: found?.kind ?? null, address: found?.address ?? null }
        write(`${mark} ${id}  ${time}  ${about}\n`, value)
      }
    }
  }
  if (action !== 'read' && action !== 'close') throw unknownAction('report', action, ['list', 'read ID', 'close ID'])
  const id = parseId('report', args[0], action)
  refuseMore(args.slice(1))
  return async ({ operator: { reports, audit } }, write) => {
    if (action === 'close') {
      if (!(await reports.close(id))) throw new CommandError(EXIT.notFound, `There is no open report ${id}.`)
      await audit.add(COMMAND_ACTOR, 'report.close', String(id))
      return write('Closed.\n', { closed: id })
    }
    const found = await reports.read(id)
    if (!found) throw new CommandError(EXIT.notFound, `There is no report ${id}, or it was sealed under another SECRET.`)
    const head = `Kind:    ${found.kind}\nAddress: ${plainLine(found.address)}\nFrom:    ${plainLine(found.email ?? '-')}\n`
    write(`${head}\n${plain(found.message)}\n`, { id, ...found })
  }
}
