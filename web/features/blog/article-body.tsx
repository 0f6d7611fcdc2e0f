import { useEffect, useRef } from 'react'
import { isForRouter, useNavigate } from '#web/lib/routing/router.tsx'

/** The article's HTML, rendered at build time. Links within the site use the router, so that the address's countdown continues. */
export function ArticleBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const element = body.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      // The browser handles links within this page.
      if (!link || link.pathname === location.pathname || !isForRouter(event, link)) return
      event.preventDefault()
      navigate(link.pathname + link.search + link.hash)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own articles; HTML in their source is escaped when the site is built
  return <div ref={body} className="article" dangerouslySetInnerHTML={{ __html: html }} />
}
