import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { LetterBoat, MayflyAndLure } from '#web/components/drawings/pictures.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import type { HeroName, PostMeta } from './post.ts'

export function PostCard({ post, views, level: Heading = 'h2' }: { post: PostMeta; views: number | undefined; level?: 'h2' | 'h3' }) {
  const words = useTexts('blog')
  return (
    <article className="flex flex-col gap-4">
      <Link to={`/blog/${post.id}`} tabIndex={-1} aria-hidden="true" className="cover block rounded-lg px-6 py-8 sm:px-10">
        <PostHero name={post.heroImage} className="w-full" />
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
        <span className="sr-only">{words.readMoreAbout({ title: post.title })}</span>
      </Link>
    </article>
  )
}

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

const HEROES = { 'letter-boat': LetterBoat, 'mayfly-and-lure': MayflyAndLure } satisfies Record<HeroName, unknown>

/** The picture of an article. Has a `label` if it shows something that the title does not say. */
export function PostHero({ name, label, className }: { name: HeroName; label?: string; className?: string }) {
  const Picture = HEROES[name]
  return <Picture {...(label === undefined ? {} : { label })} {...(className === undefined ? {} : { className })} />
}

/** The last item is the page itself and has no `to`. */
export function Breadcrumb({ steps }: { steps: { name: string; to?: string }[] }) {
  const words = useTexts('blog')
  return (
    <nav aria-label={words.breadcrumb} data-print="never" className="way-back text-muted text-sm">
      <ol className="flex items-center gap-x-2">
        {steps.map(({ name, to }, index) => (
          <li key={name} className="flex items-center gap-x-2 last:min-w-0">
            {index > 0 && <span aria-hidden="true">/</span>}
            {to ? (
              <Link to={to} className="-mx-2.5 inline-flex min-h-11 items-center px-2.5 hover:text-ink">
                {name}
              </Link>
            ) : (
              <span aria-current="page" className="truncate">
                {name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
