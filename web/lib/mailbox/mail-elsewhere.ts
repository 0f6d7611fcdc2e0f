/** Mail at live addresses that the home page does not show: counted, and told. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MessageSummary } from '#contract/mailbox.ts'
import { ProblemError } from '../api/request.ts'
import { COPIED_MS } from '../browser/clipboard.ts'
import { createStore } from '../browser/store.ts'
import { useStore } from '../browser/use-store.ts'
import { useTexts } from '../i18n/i18n.tsx'
import { showNotification } from '../notify/show-notification.ts'
import { showInTitle } from '../notify/title-badge.ts'
import { useIsCodeHere } from './code-places.ts'
import { groupCode } from './group-code.ts'
import { isToldOfChanges, POLL_MS, watchChanges } from './live-stream.ts'
import { readUnread } from './unread-mail.ts'

type Address = { readonly token: string; readonly email: string }
type Mails = readonly MessageSummary[]
/** While no stream tells of changes, and after a list that failed. */
const ASK_AGAIN_MS = 10_000
const NONE: ReadonlyMap<string, Mails> = new Map()

/** The messages of these addresses that nobody has opened in this browser, by token, once each has been asked for. */
export function useUnread(addresses: readonly Address[] | undefined, onGone?: (token: string) => void): ReadonlyMap<string, Mails> {
  const [unread, setUnread] = useState(NONE)
  const latestOnGone = useRef(onGone)
  latestOnGone.current = onGone
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const read = async (token: string) => {
      asked.delete(token)
      try {
        const mails = await readUnread(token, signal)
        failed.delete(token)
        if (!signal.aborted) setUnread(known => new Map([...known, [token, mails]]))
      } catch (error) {
        // An address may have ended a moment ago, or on another device: then it has no mail.
        if (error instanceof ProblemError && error.code === 'mailbox_not_found') latestOnGone.current?.(token)
        else failed.add(token)
      }
    }
    const asked = new Set<string>()
    const failed = new Set<string>()
    let turn = Promise.resolve()
    /** In turn, since a browser has six connections for all requests of a site, and an older reply must not come last. */
    const ask = (token: string) => {
      if (asked.has(token)) return
      asked.add(token)
      turn = turn.then(() => (signal.aborted ? undefined : read(token)))
    }
    const tokens = (addresses ?? []).map(({ token }) => token)
    tokens.forEach(ask)
    watchChanges(tokens, ask, signal)
    let toldMs = 0
    const timer = setInterval(() => {
      toldMs = isToldOfChanges() ? (toldMs + ASK_AGAIN_MS) % POLL_MS : 0
      for (const token of tokens) if (toldMs === 0 || failed.has(token)) ask(token)
    }, ASK_AGAIN_MS)
    return () => {
      unmounted.abort()
      clearInterval(timer)
    }
  }, [addresses])
  return unread
}

export type MailElsewhere = { readonly address: Address; readonly mail: MessageSummary }

/** Tells of mail at addresses that are not shown: in the title, and by a notification for each that came while the page was open. */
export function useToldElsewhere(mails: readonly MailElsewhere[], isKnown: boolean, isOfAccount?: boolean): void {
  const texts = useTexts('inbox')
  const told = useRef<Set<string>>(undefined)
  useEffect(() => {
    if (!isKnown) return
    const news = told.current ? mails.filter(({ mail }) => !told.current?.has(mail.id)) : []
    told.current = new Set([...(told.current ?? []), ...mails.map(({ mail }) => mail.id)])
    for (const { address, mail } of news) {
      const [code] = codesOf(mail)
      const title = texts.notificationTitle({ sender: mail.from.name || mail.from.address || texts.noSender })
      const offered = code === undefined ? undefined : { code, label: `${groupCode(code)} · ${texts.copyThisCode}` }
      const { email } = address
      const body = `${mail.subject || texts.noSubject} · ${email}`
      void showNotification({ email, isOfAccount, title, body, tag: mail.id, offered })
    }
  }, [mails, isKnown, isOfAccount, texts])
  const count = mails.length
  useEffect(() => {
    // The tabs and the address switcher may both be there: whichever has nothing to tell leaves the title to the other.
    if (count === 0) return
    const unmounted = new AbortController()
    showInTitle('elsewhere', `(+${count}) `, unmounted.signal)
    return () => unmounted.abort()
  }, [count])
}

/** A code at an address that is not shown, which its button names. */
export type CodeElsewhere = { readonly code: string; readonly email: string; readonly onCopied?: () => void }

/** The mails whose codes were copied, while the page is open, whichever address it shows. */
const copiedStore = createStore<ReadonlySet<string>>(new Set())

/** Not at once: its button says that it is copied. */
function noteCopied(id: string): void {
  setTimeout(() => copiedStore.set(new Set([...copiedStore.get(), id])), COPIED_MS)
}

/** The newest code of these mails. Once it is copied, or the shown address has got the same, it is offered no longer: its mail has it. */
export function useCodeElsewhere(mails: readonly MailElsewhere[]): CodeElsewhere | undefined {
  const copied = useStore(copiedStore)
  const { address, mail } =
    mails.filter(each => codesOf(each.mail).length > 0).toSorted((a, b) => b.mail.receivedAt.localeCompare(a.mail.receivedAt))[0] ?? {}
  const [code] = mail ? codesOf(mail) : []
  const isHere = useIsCodeHere(code)
  const id = mail?.id
  const email = address?.email
  const isOver = isHere || (id !== undefined && copied.has(id))
  return useMemo(
    () =>
      code === undefined || email === undefined || id === undefined || isOver ? undefined : { code, email, onCopied: () => noteCopied(id) },
    [code, email, id, isOver],
  )
}

/** No button offers the code of a contradicted sender. */
const codesOf = ({ verdict, codes }: MessageSummary) => (verdict === 'contradicted' ? [] : codes)
