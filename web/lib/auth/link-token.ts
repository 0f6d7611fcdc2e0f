import { useEffect, useState } from 'react'

/** The token of a link in one of our mails: read from the URL's fragment and taken out of it at once, so that no history keeps it. */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState<string>()
  useEffect(() => {
    const found = /^#([\w-]{43})$/.exec(location.hash)?.[1]
    if (found === undefined) return
    setToken(found)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return token
}
