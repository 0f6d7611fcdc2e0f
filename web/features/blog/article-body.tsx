import { useEffect, useRef } from 'react'
import { servedLink, useNavigate } from '#web/lib/routing/router.tsx'

/** The article's HTML, rendered at build time. Links within the site use the router, so that the address's countdown continues. */
export function ArticleBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const element = body.current
    const follow = (event: MouseEvent) => {
      const to = servedLink(event)
      if (to === undefined) return
      event.preventDefault()
      navigate(to)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own articles; HTML in their source is escaped when the site is built
  return <div ref={body} className="article" dangerouslySetInnerHTML={{ __html: html }} />
}
