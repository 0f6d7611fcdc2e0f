import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import type { Allowance } from '#web/lib/mailbox/generation-limit.ts'
import type { SessionStore } from '#web/lib/mailbox/mailbox-session.ts'
import type { UndoableChange } from '#web/lib/notify/undo.ts'
import type { MailboxNotice, UndoableNotice } from './notices.ts'

export type GenerateOptions = {
  domain?: string | undefined
  /** On page load: no notice about the new address. */
  isAutomatic?: boolean
}

/** What the address card's state machine needs from outside; tests pass their own clocks and servers. */
export type LifecycleDeps = {
  clock: {
    now: () => number
    wall: () => number
    /** Resolves after `ms`, or never once `signal` is aborted. */
    sleep: (ms: number, signal: AbortSignal) => Promise<void>
  }
  api: {
    create: (request: { botCheck?: string; domain?: string }) => Promise<MailboxCreated>
    read: (token: string) => Promise<Mailbox>
    destroy: (token: string) => Promise<void>
    /** Whether an address was created and stored before the application loaded; `undefined` if none was requested. Never rejects. */
    takeFirstAddress: () => Promise<boolean> | undefined
    /** The live addresses of the signed-in account, oldest first; none for a visitor. Never rejects. */
    listOwned: () => Promise<readonly MailboxCreated[]>
    obtainBotCheck: () => Promise<string | undefined>
  }
  storage: {
    session: SessionStore
    /** The address that a hand-off link met here, or the link's own. */
    other: SessionStore
    /** The link's token was used, or is of no use any more. */
    forgetLinkToken: () => void
    allowance: () => Allowance
    recordAttempt: () => void
  }
  /** Runs `task` while no other tab of this browser runs one. */
  exclusively: (task: () => Promise<void>) => Promise<void>
  visitor: {
    notify: (notice: MailboxNotice) => void
    offerUndo: (notice: UndoableNotice, change: UndoableChange) => UndoableChange
  }
}
