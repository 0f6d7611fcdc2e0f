import { plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, refuseMore } from './command.ts'

const LISTED_MAX = 200

export const audit: Command = args => {
  refuseMore(args)
  return async ({ operator }, write) => {
    const entries = await operator.audit.list(LISTED_MAX)
    if (entries.length === 0) write('Nothing was done yet.\n')
    for (const { at, actor, action, subject } of entries) {
      const time = formatTime(at)
      write(`${time}  ${plainLine(`${actor}  ${action}  ${subject}`)}\n`, { at: time, actor, action, subject })
    }
  }
}
