import type { AgentSession } from '#server/accounts/agent-sessions.ts'
import type { Mailbox } from '../../../client/mailbox.ts'
import type { Mayfly } from '../../../client/mayfly.ts'
import { type Inboxes, throwUnknownInbox } from '../../../client/mcp/inboxes.ts'

/** The inboxes of a session that any process can serve. `undefined`: before the session has begun, when there are none. */
export function storedInboxes(session: AgentSession | undefined, mayfly: Pick<Mayfly, 'openMailbox'>): Inboxes {
  return {
    async add({ address, token, expiresAt }: Mailbox) {
      await session?.addInbox({ address, token, expiresAt })
    },
    async find(address) {
      const inbox = await session?.findInbox(address)
      return inbox ? await mayfly.openMailbox(inbox.token) : throwUnknownInbox(address)
    },
    async remove({ address }) {
      await session?.removeInbox(address)
    },
  }
}
