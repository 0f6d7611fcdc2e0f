import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTexts } from '#web/lib/i18n.tsx'
import type { PostMeta } from './post.ts'

/** Day, read time and views in one quiet line. The views' place is kept while they are not known, so that nothing moves. */
export function PostFacts({ post, views, lead }: { post: PostMeta; views: number | undefined; lead?: ReactNode }) {
  const words = useTexts('blog')
  return (
    <p className="figures flex flex-wrap gap-x-2 text-muted text-sm">
      <span>
        {lead}
        <time dateTime={post.published}>{post.date}</time>
      </span>
      <Dot />
      <span>{post.readTime}</span>
      <span className={clsx('contents', views === undefined && 'invisible')} data-testid="views">
        <Dot />
        <span>{words.views({ count: views ?? 0 })}</span>
      </span>
    </p>
  )
}

function Dot() {
  return <span aria-hidden="true">·</span>
}
