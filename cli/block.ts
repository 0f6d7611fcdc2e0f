import { BLOCK_KINDS, type BlockKind } from '#server/mail/policy.ts'
import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction } from './command.ts'
import { CommandError } from './command-error.ts'

const HOUR_MS = 3_600_000
const HOURS_MAX = 87_600

export const block: Command = ([action, ...args]) => {
  if (action === 'add') return add(args)
  if (action === 'remove') {
    const id = parseId('block', args[0], 'remove')
    refuseMore(args.slice(1))
    return async ({ operator: { blocks } }, write) => {
      if (!(await blocks.remove(COMMAND_ACTOR, id))) throw new CommandError(EXIT.notFound, `There is no block ${id}.`)
      write('Removed. It takes effect within two seconds.\n', { removed: id })
    }
  }
  if (action !== 'list') throw unknownAction('block', action, ['list', 'add KIND VALUE', 'remove ID'])
  refuseMore(args)
  return async ({ operator: { blocks } }, write) => {
    const listed = await blocks.list()
    if (listed.length === 0) write('Nothing is blocked.\n')
    for (const { id, kind, value, endsAt } of listed) {
      const end = endsAt === null ? null : formatTime(endsAt)
      const row = `${id}  ${kind.padEnd(9)}  ${plainLine(value)}  until ${end ?? 'removed'}\n`
      write(row, { id, kind, value, endsAt: end })
    }
  }
}

function add(args: readonly string[]): ReturnType<Command> {
  const at = args.indexOf('--hours')
  const hours = at === -1 ? undefined : Number(args[at + 1])
  const [given, value, ...more] = at === -1 ? args : args.toSpliced(at, 2)
  const kind = BLOCK_KINDS.find((known): known is BlockKind => known === given)
  if (!kind) throw new CommandError(EXIT.usage, `"${plain(given ?? '')}" is no kind of block: ${BLOCK_KINDS.join(', ')}.`)
  if (value === undefined) throw new CommandError(EXIT.usage, `"block add ${kind}" needs what to block.`)
  refuseMore(more)
  if (hours !== undefined && !(hours > 0 && hours <= HOURS_MAX))
    throw new CommandError(EXIT.usage, `--hours takes a number up to ${HOURS_MAX}.`)
  return async ({ operator: { blocks } }, write) => {
    const endsAt = hours === undefined ? null : Date.now() + hours * HOUR_MS
    const { id } = await blocks.add(COMMAND_ACTOR, { kind, value, endsAt })
    write(`Block ${id} is set. It takes effect within two seconds.\n`, {
      id,
      kind,
      value,
      endsAt: endsAt === null ? null : formatTime(endsAt),
    })
  }
}
