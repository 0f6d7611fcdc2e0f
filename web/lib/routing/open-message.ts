/** The open message, kept in the URL's fragment: Back closes it, a reload opens it again, and no server learns about it. */
import { useCallback, useRef } from 'react'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'

const PREFIX = '#message-'

type OpenMessage = {
  id: string | undefined
  open: (id: string) => void
  /** Changes from one open message to another. Back still closes it. */
  turn: (id: string) => void
  close: () => void
  /** Removes the message from the URL because its mailbox is gone, so there is nothing to go back to. */
  forget: () => void
}

export function useOpenMessage(): OpenMessage {
  const { hash, search, pathname } = useLocation()
  const navigate = useNavigate()
  const isPushed = useRef(false)
  const id = hash.startsWith(PREFIX) ? decode(hash.slice(PREFIX.length)) : undefined

  const open = useCallback(
    (next: string) => {
      isPushed.current = true
      navigate({ pathname, search, hash: PREFIX + encodeURIComponent(next) })
    },
    [navigate, pathname, search],
  )
  const turn = useCallback(
    (next: string) => navigate({ pathname, search, hash: PREFIX + encodeURIComponent(next) }, { replace: true }),
    [navigate, pathname, search],
  )
  const close = useCallback(() => {
    if (isPushed.current) history.back()
    else navigate({ pathname, search }, { replace: true })
    isPushed.current = false
  }, [navigate, pathname, search])
  const forget = useCallback(() => {
    isPushed.current = false
    if (hash.startsWith(PREFIX)) navigate({ pathname, search }, { replace: true })
  }, [navigate, pathname, search, hash])
  return { id, open, turn, close, forget }
}

/** `undefined` for a fragment that was cut or mistyped. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
