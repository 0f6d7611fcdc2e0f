import { EmptyWater } from '#web/components/drawings/empty-water.tsx'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { CallToAction } from './call-to-action.tsx'
import type { PostMeta } from './post.ts'
import { PostCard } from './post-card.tsx'
import { listPosts } from './posts.ts'
import { useAllViewCounts } from './view-counts.ts'

/** The page `/blog`. `posts`: the site's articles unless passed in. */
export function BlogList({ posts }: { posts?: PostMeta[] }) {
  const words = useTexts('blog')
  const { language } = useLanguage()
  return (
    <InnerPage>
      <Breadcrumb steps={[{ name: words.home, to: '/' }, { name: words.blog }]} />
      <h1 className="text-2xl">{words.title}</h1>
      <p className="mt-2 mb-8 max-w-[46ch] text-lg text-muted">{words.intro}</p>
      <CallToAction />
      <Posts posts={posts ?? listPosts(language)} />
    </InnerPage>
  )
}

function Posts({ posts }: { posts: PostMeta[] }) {
  const words = useTexts('blog')
  const viewsOf = useAllViewCounts()
  if (posts.length === 0)
    return (
      <div className="mt-14 flex flex-col items-center gap-6 text-muted">
        <EmptyWater className="w-full max-w-80" />
        <p>{words.empty}</p>
      </div>
    )
  return (
    <ul className="mt-14 grid gap-x-10 gap-y-14 md:grid-cols-2">
      {posts.map(post => (
        <li key={post.id}>
          <PostCard post={post} views={viewsOf(post.id)} />
        </li>
      ))}
    </ul>
  )
}
