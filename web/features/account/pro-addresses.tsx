import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { AddressList } from './address-list.tsx'
import { NewAddress } from './new-address.tsx'
import { openAddress } from './open-address.ts'
import { Section } from './section.tsx'

/** The live addresses of the account, and the form for a new one. `onOpen` is called when this browser shows another address. */
export function ProAddresses({ onOpen }: { onOpen: () => void }) {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const used = mailboxes?.length ?? 0
  const open = (mailbox: MailboxCreated) => {
    openAddress(mailbox)
    onOpen()
  }
  return (
    <Section title={texts.addresses} hint={texts.addressesHint({ used, max: PRO_MAILBOXES_MAX })}>
      {mailboxes && <AddressList mailboxes={mailboxes} onOpen={open} />}
      <NewAddress onCreated={() => void reload()} isFull={used >= PRO_MAILBOXES_MAX} />
    </Section>
  )
}
