import { createContext } from 'react'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'

/** What the sections below the inbox know of the visitor's address. */
type HomeAddress = {
  state: {
    phase: 'restoring' | 'none' | 'generating' | 'active' | 'deleting' | 'destroying' | 'expired'
    session?: MailboxSession | undefined
  }
  generate: (options: { isScrolling: true }) => void
}

/** Set by the home page. The served page is the same for everyone, so there no address is known yet. */
export const HomeAddressContext = createContext<HomeAddress>({ state: { phase: 'restoring' }, generate: () => {} })
