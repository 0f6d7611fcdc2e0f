import type { MessageSummary } from '#contract/mailbox.ts'
import { listMessages } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { readMarks } from './read-marks.ts'

/** The messages of an address that nobody has opened in this browser, newest first. Throws `ProblemError`. */
export async function readUnread(token: string, signal: AbortSignal): Promise<readonly MessageSummary[]> {
  const { messages } = await request(listMessages, { token, signal })
  return onlyUnopened(token, messages)
}

export function onlyUnopened(token: string, messages: readonly MessageSummary[]): readonly MessageSummary[] {
  const read = readMarks(token)
  return messages.filter(({ id }) => !read.has(id))
}
