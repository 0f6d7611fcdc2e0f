import type { ComponentProps } from 'react'
import TimeLeft from '#web/features/mailbox/time-left.tsx'
import MessageDialog from '#web/features/message/message-dialog.tsx'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'

type Props = Omit<ComponentProps<typeof MessageDialog>, 'token' | 'timeLeft'> & { session: MailboxSession }

/** An open message of the address, with the time that is left for both. */
export default function HomeMessage({ session, ...props }: Props) {
  return <MessageDialog {...props} token={session.token} timeLeft={<TimeLeft session={session} />} />
}
