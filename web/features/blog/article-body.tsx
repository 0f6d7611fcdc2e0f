import { useEffect, useRef } from 'react'
import { isForRouter, useNavigate } from '#web/lib/routing/router.tsx'

/** The text as it was rendered when the site was built. Links within the site go through the router, so that the page's clock runs on. */
export function ArticleBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const element = body.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      // A place on this page is the browser's to go to.
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
