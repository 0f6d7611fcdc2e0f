import { use, useEffect, useRef } from 'react'
import { Mark } from '#web/components/drawings/drawing.tsx'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link, servedLink, useNavigate } from '#web/lib/routing/router.tsx'
import type { Faq, PostMeta } from './post.ts'
import { Breadcrumb, PostCard, PostFacts, PostHero } from './post-card.tsx'
import { listPosts, loadArticle, loadedArticle } from './posts.ts'
import { ArticleData } from './structured-data.tsx'
import { useAllViewCounts, useCountedView } from './view-counts.ts'

/** The page `/blog/{slug}` of an existing article. */
export function BlogArticle({ post }: { post: PostMeta }) {
  const words = useTexts('blog')
  const { language } = useLanguage()
  const { html, faq } = loadedArticle(language, post.id) ?? use(loadArticle(language, post.id))
  const views = useCountedView(post.id)
  return (
    <InnerPage>
      <article>
        <ArticleData post={post} faq={faq} />
        <Breadcrumb steps={[{ name: words.home, to: '/' }, { name: words.blog, to: '/blog' }, { name: post.title }]} />
        <div className="-mt-2 cover rounded-lg px-4 py-6 sm:px-12 sm:py-8">
          <PostHero name={post.heroImage} label={post.imageAlt} className="mx-auto w-full max-w-2xl sm:max-h-65" />
        </div>
        <div className="mx-auto mt-10 max-w-[43rem]">
          <header>
            <p className="font-medium text-dusk-ink text-sm">{post.category}</p>
            <h1 className="mt-2 text-3xl">{post.title}</h1>
            <p className="mt-5 mb-6 text-lg text-muted">{post.description}</p>
            <PostFacts post={post} views={views} lead={`${words.published} `} />
          </header>
          <ArticleBody html={html} />
          <Questions faq={faq} />
          <AuthorBox post={post} />
          <Link to="/blog" data-print="never" className="text-link inline-flex min-h-11 items-center font-medium">
            {words.backToAll}
          </Link>
        </div>
        <RelatedArticles to={post} />
      </article>
    </InnerPage>
  )
}

function Questions({ faq }: { faq: Faq[] }) {
  const words = useTexts('blog')
  return (
    <section aria-labelledby="questions" className="article">
      <h2 id="questions">{words.faq}</h2>
      {faq.map(({ question, answer }) => (
        <div key={question}>
          <h3>{question}</h3>
          <p>{answer}</p>
        </div>
      ))}
    </section>
  )
}

function AuthorBox({ post }: { post: PostMeta }) {
  const words = useTexts('blog')
  return (
    <aside aria-label={words.author} className="mt-14 mb-8 flex flex-wrap gap-5 border-line border-y py-8">
      <Mark className="size-12 shrink-0" />
      <div className="min-w-[min(100%,10rem)] flex-1">
        <p className="font-semibold">{post.authorName}</p>
        <p className="text-muted text-sm">{post.authorRole}</p>
        <p className="mt-3 text-muted">{post.authorBio}</p>
      </div>
    </aside>
  )
}

/** The article's HTML, rendered at build time. Links within the site use the router, so that the address's countdown continues. */
function ArticleBody({ html }: { html: string }) {
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

function RelatedArticles({ to }: { to: PostMeta }) {
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
