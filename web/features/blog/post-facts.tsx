import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { PostMeta } from './post.ts'

/** Date, reading time and views in one line. Space for the views is reserved until they are known, so that nothing moves. */
export function PostFacts({ post, views, lead }: { post: PostMeta; views: number | undefined; lead?: ReactNode }) {
  const words = useTexts('blog')
  return (
    // A dot at the start of a line is outside and clipped, so that a wrapped line shows none.
    <div className="overflow-clip">
      <p className="figures -ml-4 flex flex-wrap text-muted text-sm">
        <Fact>
          {lead}
          <time dateTime={post.published}>{post.date}</time>
        </Fact>
        <Fact>{post.readTime}</Fact>
        <span className={clsx('contents', views === undefined && 'invisible')} data-testid="views">
          <Fact>{words.views({ count: views ?? 0 })}</Fact>
        </span>
      </p>
    </div>
  )
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <span className="relative pl-4">
      <span aria-hidden="true" className="absolute left-0 w-4 text-center">
        ·
      </span>
      {children}
    </span>
  )
}
