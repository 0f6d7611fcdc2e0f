import { clsx } from 'clsx'
import { useCallback, useEffect, useRef, useState } from 'react'
import { lazyPart } from '#web/components/layout/lazy-part.tsx'
import { StaticPart } from '#web/components/layout/lazy-section.tsx'
import { HomeAddressContext, LazySections } from '#web/features/home/lazy-sections.tsx'
import { Inbox } from '#web/features/inbox/inbox.tsx'
import { useInbox } from '#web/features/inbox/use-inbox.ts'
import { ADDRESS_TITLE_ID, AddressCard } from '#web/features/mailbox/address-card.tsx'
import { SecurityStrip, useNewAddressStatus } from '#web/features/mailbox/new-address-status.tsx'
import { useMailbox } from '#web/features/mailbox/use-mailbox.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { AddressPhase } from '#web/lib/mailbox/address-machine.ts'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { GENERATOR_ID } from '#web/lib/routing/scroll-to-section.ts'
import { Head } from '#web/lib/site/head.tsx'

const loadHero = () => import('#web/features/home/hero.tsx').then(module => module.Hero)
const loadBenefits = () => import('#web/features/home/hero.tsx').then(module => module.Benefits)
const AddressSwitcher = lazyPart(() => import('#web/features/account/address-switcher.tsx'), 'default', <div className="min-h-11" />)
const loadHomeMessage = () => import('./home-message.tsx')
const HomeMessage = lazyPart(loadHomeMessage, 'default')

export default function HomePage() {
  const { home } = useTexts('meta')
  const isSignedIn = useAuth().status === 'signed-in'
  const mailbox = useMailbox()
  // One number for the button and the line below it.
  const status = useNewAddressStatus(mailbox.state)
  const { phase } = mailbox.state
  const address = phase === 'active' || phase === 'generating' ? mailbox.state.address : undefined
  // The inbox is cleared after the two seconds of the destroying phase.
  const inbox = useInbox(mailbox.state.address?.token, mailbox.resync)
  const message = useOpenMessage()
  const at = inbox.messages.findIndex(({ id }) => id === message.id)
  const neighbour = (step: number) => (at === -1 ? undefined : inbox.messages[at + step]?.id)
  useOneMailbox(phase, address?.token, message.forget)
  usePreparedMessage(address?.token, inbox.messages.length > 0)
  const [mail, forgetMail] = useOpenMail(phase, address, message.id)
  const isExpecting = address !== undefined || phase === 'restoring' || phase === 'generating'
  return (
    <>
      <Head {...home} path="/" />
      {isSignedIn && <h1 className="sr-only">{home.title}</h1>}
      <div className={clsx('page-width grid gap-x-20', isSignedIn ? 'gap-y-1' : 'first-screen')}>
        {isSignedIn ? <AddressSwitcher /> : <StaticPart load={loadHero} area="home" />}
        <section id={GENERATOR_ID} aria-labelledby={ADDRESS_TITLE_ID} className="@container/card flex flex-col gap-3">
          <AddressCard mailbox={mailbox} messages={inbox.messages} waitSeconds={status.secondsUntilReset} />
          <SecurityStrip
            status={status}
            hasAddress={address !== undefined}
            // An account has its own list of addresses.
            onAnother={isSignedIn || !address || mailbox.other ? undefined : () => mailbox.generate({ isBeside: true })}
            isGenerating={mailbox.isCreating}
          />
        </section>
      </div>
      <div className="page-width below-card">
        <Inbox inbox={inbox} address={address} phase={phase} isExpecting={isExpecting} onOpen={message.open} />
      </div>
      {mail && (
        <HomeMessage
          address={mail.address}
          id={mail.id}
          ending={ENDINGS[phase]}
          row={inbox.messages[at]}
          rows={inbox.messages}
          previous={address && neighbour(-1)}
          next={address && neighbour(1)}
          onTurn={message.turn}
          onClose={address ? message.close : forgetMail}
          onGenerate={() => mailbox.generate({ isScrolling: true })}
          onRead={inbox.markRead}
          onDelete={inbox.deleteMessage}
        />
      )}
      {/* Signed-in visitors do not need these sections. */}
      {!isSignedIn && (
        <>
          <div className="page-width mt-8 lg:hidden">
            <StaticPart load={loadBenefits} area="home" />
          </div>
          <HomeAddressContext value={mailbox}>
            <LazySections />
          </HomeAddressContext>
        </>
      )}
    </>
  )
}

const ENDINGS: Partial<Record<AddressPhase, 'destroying' | 'gone'>> = { destroying: 'destroying', expired: 'gone' }

/** The open mail with its address. When that expires, the mail dissolves before the eyes of its reader, and its dialog says so. */
function useOpenMail(phase: AddressPhase, address: StoredAddress | undefined, id: string | undefined) {
  const [mail, setMail] = useState<{ address: StoredAddress; id: string }>()
  const isEnding = ENDINGS[phase] !== undefined
  const open = address && id !== undefined ? { address, id } : undefined
  if (!isEnding && (mail?.id !== open?.id || mail?.address !== open?.address)) setMail(open)
  return [isEnding ? mail : open, () => setMail(undefined)] as const
}

/** A press on a mail follows its arrival. */
function usePreparedMessage(token: string | undefined, hasMail: boolean): void {
  const { language } = useLanguage()
  useEffect(() => {
    const unmounted = new AbortController()
    const prepare = async (shown: string) => {
      await HomeMessage.preload()
      await (await loadHomeMessage()).prepare(shown, language, unmounted.signal)
    }
    // Without a network it is fetched when a mail is opened.
    if (token !== undefined && hasMail) prepare(token).catch(() => undefined)
    return () => unmounted.abort()
  }, [token, hasMail, language])
}

/** An open message closes with its mailbox: its fragment must not stay in the URL. */
function useOneMailbox(phase: AddressPhase, token: string | undefined, forget: () => void): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === undefined ? phase === 'generating' : token !== shown.current) forget()
    if (token) shown.current = token
  }, [phase, token, forget])
}

const MESSAGE_PREFIX = '#message-'

type OpenMessage = {
  id: string | undefined
  open: (id: string) => void
  /** Changes from one open message to another. Back still closes it. */
  turn: (id: string) => void
  close: () => void
  /** Removes the message from the URL because its mailbox is gone, so there is nothing to go back to. */
  forget: () => void
}

/** The open message, kept in the URL's fragment: Back closes it, a reload opens it again, and no server learns about it. */
function useOpenMessage(): OpenMessage {
  const { hash, search, pathname } = useLocation()
  const navigate = useNavigate()
  const isPushed = useRef(false)
  const id = hash.startsWith(MESSAGE_PREFIX) ? decodeId(hash.slice(MESSAGE_PREFIX.length)) : undefined

  const open = useCallback(
    (next: string) => {
      isPushed.current = true
      navigate({ pathname, search, hash: MESSAGE_PREFIX + encodeURIComponent(next) })
    },
    [navigate, pathname, search],
  )
  const turn = useCallback(
    (next: string) => navigate({ pathname, search, hash: MESSAGE_PREFIX + encodeURIComponent(next) }, { replace: true }),
    [navigate, pathname, search],
  )
  const close = useCallback(() => {
    if (isPushed.current) history.back()
    else navigate({ pathname, search }, { replace: true })
    isPushed.current = false
  }, [navigate, pathname, search])
  const forget = useCallback(() => {
    isPushed.current = false
    if (hash.startsWith(MESSAGE_PREFIX)) navigate({ pathname, search }, { replace: true })
  }, [navigate, pathname, search, hash])
  return { id, open, turn, close, forget }
}

/** `undefined` for a fragment that was cut or mistyped. */
function decodeId(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
