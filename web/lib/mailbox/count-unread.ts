import { listMessages } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { readMarks } from './read-marks.ts'

/** How many messages of an address nobody has opened in this browser. Throws `ProblemError`. */
export async function countUnread(token: string, signal: AbortSignal): Promise<number> {
  const { messages } = await request(listMessages, { token, signal })
  const read = readMarks(token)
  return messages.filter(({ id }) => !read.has(id)).length
}
