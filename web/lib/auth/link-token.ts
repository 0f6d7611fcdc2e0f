import { useEffect, useState } from 'react'

/** The token of a link in a mail: read from the URL's fragment and removed from it at once, so that no history contains it. */
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
