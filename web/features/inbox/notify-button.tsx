import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Bell, BellOff, BellRing } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'
import { isPushed, type NotifyState, notifyState, setNotifications } from '#web/lib/notify/notifications.ts'
import { showToast } from '#web/lib/notify/toasts.ts'

type NotifyControl = { state: NotifyState; toggle: () => void }

/** Turns notifications on and off: those of this page, and those of the push service for `address` while no page is open. */
export function useNotify(address: MailboxSession | undefined): NotifyControl {
  const texts = useTexts('inbox')
  const [state, setState] = useState<NotifyState>('unsupported')
  useEffect(() => setState(notifyState()), [])
  const isAsked = useRef(false)
  usePush(state === 'on', address, isAsked)
  async function toggle() {
    const next = await setNotifications(state !== 'on')
    isAsked.current = next === 'on'
    setState(next)
    if (next === 'blocked') showToast({ title: texts.notifyBlocked })
    if (next === 'off') import('#web/lib/notify/push.ts').then(push => push.stopPush(address)).catch(console.warn)
  }
  return { state, toggle }
}

export function NotifyButton({ state, toggle }: NotifyControl) {
  const texts = useTexts('inbox')
  // Until it is known, its place is kept, so that nothing moves.
  if (state === 'unsupported') return <span className="size-11" />
  const Icon = state === 'on' ? BellRing : state === 'blocked' ? BellOff : Bell
  return (
    <IconButton label={state === 'on' ? texts.notifyOn : texts.notify} aria-pressed={state === 'on'} onClick={toggle}>
      <Icon aria-hidden="true" strokeWidth={1.5} className={clsx(state === 'on' && 'text-river-ink')} />
    </IconButton>
  )
}

/** Subscribes the shown address at the browser's push service. `isAsked`: the visitor has just turned notifications on. */
function usePush(isOn: boolean, address: MailboxSession | undefined, isAsked: { current: boolean }): void {
  const texts = useTexts('inbox')
  const current = useRef({ address, texts })
  current.current = { address, texts }
  const token = address?.token
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is another one when its token is
  useEffect(() => {
    if (!isOn || !(isAsked.current || isPushed())) return
    const { address: next, texts: words } = current.current
    import('#web/lib/notify/push.ts').then(push => push.pushTo(next, words, isAsked)).catch(console.warn)
  }, [isOn, token])
}
