import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { PostMeta } from './post.ts'
import { PostCard } from './post-card.tsx'
import { listPosts } from './posts.ts'
import { useAllViewCounts } from './view-counts.ts'

/** The other posts. */
export function RelatedArticles({ to }: { to: PostMeta }) {
  const words = useTexts('blog')
  const { language } = useLanguage()
  const viewsOf = useAllViewCounts()
  const others = listPosts(language).filter(post => post.id !== to.id)
  if (others.length === 0) return null
  return (
    <section aria-labelledby="related" data-print="never" className="mx-auto mt-16 max-w-[43rem]">
      <h2 id="related" className="mb-6 text-2xl">
        {words.related}
      </h2>
      <ul className="grid gap-10">
        {others.map(post => (
          <li key={post.id}>
            <PostCard post={post} views={viewsOf(post.id)} level="h3" />
          </li>
        ))}
      </ul>
    </section>
  )
}
