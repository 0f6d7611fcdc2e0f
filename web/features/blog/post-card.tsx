import { VisuallyHidden } from '#web/components/ui/visually-hidden.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import { Hero } from './hero.tsx'
import type { PostMeta } from './post.ts'
import { PostFacts } from './post-facts.tsx'

export function PostCard({ post, views, level: Heading = 'h2' }: { post: PostMeta; views: number | undefined; level?: 'h2' | 'h3' }) {
  const words = useTexts('blog')
  return (
    <article className="flex flex-col gap-4">
      <Link to={`/blog/${post.id}`} tabIndex={-1} aria-hidden="true" className="cover block rounded-lg px-6 py-8 sm:px-10">
        <Hero name={post.heroImage} className="w-full" />
      </Link>
      <p className="font-medium text-dusk-ink text-sm">{post.category}</p>
      <Heading className="-mt-3 text-xl">
        <Link to={`/blog/${post.id}`} className="hover:underline hover:underline-offset-4">
          {post.title}
        </Link>
      </Heading>
      <p className="max-w-[60ch] text-muted">{post.description}</p>
      <PostFacts post={post} views={views} />
      <Link to={`/blog/${post.id}`} className="text-link inline-flex min-h-11 items-center self-start font-medium">
        {words.readMore}
        <VisuallyHidden>{words.readMoreAbout({ title: post.title })}</VisuallyHidden>
      </Link>
    </article>
  )
}
