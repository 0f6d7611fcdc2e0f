import { clsx } from 'clsx'
import { Mark } from '#web/components/drawings/mark.tsx'
import { ButtonLink } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatTimeLeft, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { useLiveAddress } from '#web/lib/mailbox/live-address.ts'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'

/** Offers an address, or leads back to the one that the visitor has. */
export function CallToAction() {
  const { callToAction } = useTexts('blog')
  const session = useLiveAddress()
  const { live } = callToAction
  return (
    <aside
      aria-label={session ? live.label : callToAction.title}
      className="flex flex-wrap gap-3 rounded-lg border border-line bg-raised p-4 sm:items-center sm:gap-6 sm:p-8"
    >
      <Mark className="size-8 shrink-0 sm:size-14" />
      {/* Both in the same place, so that nothing below moves when one takes the place of the other. */}
      <div className="grid min-w-0 flex-1 *:[grid-area:1/1]">
        <div className={clsx(session && 'invisible')}>
          <p className="font-semibold text-lg">{callToAction.title}</p>
          <p className="text-muted max-sm:text-sm">{callToAction.text}</p>
        </div>
        {session && <Live session={session} />}
      </div>
      <ButtonLink to="/" variant="primary" className="max-sm:w-full">
        {session ? live.button : callToAction.button}
      </ButtonLink>
    </aside>
  )
}

function Live({ session }: { session: MailboxSession }) {
  const { live } = useTexts('blog').callToAction
  const seconds = useSecondsLeft(session.deadlineMs)
  return (
    <div className="min-w-0 sm:self-center">
      <p className="figures font-semibold text-lg">{live.title({ time: formatTimeLeft(seconds) })}</p>
      <p className="truncate font-mono text-muted text-sm">{session.email}</p>
    </div>
  )
}
