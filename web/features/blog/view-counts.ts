import { useEffect, useState } from 'react'
import type { BlogViews } from '#contract/site.ts'
import { request } from '#web/lib/api/request.ts'
import { countBlogView, listBlogViews, readBlogViews } from '#web/lib/api/site-routes.ts'

/** The views of any article: 0 if nobody has opened it, `undefined` until the list is loaded, or if it cannot be loaded. */
export function useAllViewCounts(): (slug: string) => number | undefined {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>()
  useEffect(() => {
    const leaving = new AbortController()
    request(listBlogViews, { signal: leaving.signal }).then(
      ({ posts }) => setCounts(new Map(posts.map(post => [post.slug, post.views]))),
      error => logUnlessLeft('The view counts could not be read', error, leaving.signal),
    )
    return () => leaving.abort()
  }, [])
  return slug => counts && (counts.get(slug) ?? 0)
}

/** Articles counted in this page load: opening one again, or in another language, does not count twice. */
const counted = new Set<string>()

/** Counts the reader and returns the article's views; undefined until they are known. Failures are only logged. */
export function useCountedView(slug: string): number | undefined {
  const [known, setKnown] = useState<BlogViews>()
  useEffect(() => {
    const leaving = new AbortController()
    countThenRead(slug, leaving.signal).then(
      views => {
        if (!leaving.signal.aborted) setKnown(views)
      },
      error => logUnlessLeft('The views could not be read', error, leaving.signal),
    )
    return () => leaving.abort()
  }, [slug])
  return known?.slug === slug ? known.views : undefined
}

async function countThenRead(slug: string, signal: AbortSignal): Promise<BlogViews> {
  if (!counted.has(slug)) {
    counted.add(slug)
    try {
      return await request(countBlogView, { params: { slug } })
    } catch (error) {
      console.error('The view could not be counted', error)
    }
  }
  return request(readBlogViews, { params: { slug }, signal })
}

function logUnlessLeft(what: string, error: unknown, signal: AbortSignal): void {
  if (!signal.aborted) console.error(what, error)
}
