import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/** The text as it was rendered when the site was built. Links within the site go through the router, so that the page's clock runs on. */
export function ArticleBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const element = body.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || isForBrowser(event, link)) return
      event.preventDefault()
      Promise.resolve(navigate(link.pathname + link.search + link.hash)).catch(console.error)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own articles; HTML in their source is escaped when the site is built
  return <div ref={body} className="article" dangerouslySetInnerHTML={{ __html: html }} />
}

/** Another site, a place on this page, or a click that asks for a new tab. */
function isForBrowser(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  return !isPlain || event.defaultPrevented || link.origin !== location.origin || link.pathname === location.pathname
}
