import type { Language } from '#contract/languages.ts'
import { BlogArticle } from '#web/features/blog/blog-article.tsx'
import { BlogList } from '#web/features/blog/blog-list.tsx'
import { findPost, loadArticle } from '#web/features/blog/posts.ts'
import { socialImage } from '#web/features/blog/structured-data.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { matchPath } from '#web/lib/routing/place.ts'
import { useLocation } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import { NotFoundPage } from './not-found.tsx'

export function BlogPage() {
  const { meta: blog } = useTexts('blog')
  return (
    <>
      <Head {...blog} path="/blog" />
      <BlogList />
    </>
  )
}

const readSlug = (pathname: string): string => matchPath('/blog/:slug', pathname)?.slug ?? ''

/** Fetches the article at this path, if there is one, before the page is shown. */
export async function preload(language: Language, pathname: string): Promise<void> {
  const post = findPost(language, readSlug(pathname))
  if (post) await loadArticle(language, post.id)
}

export function BlogPostPage() {
  const { pathname } = useLocation()
  const { language } = useLanguage()
  const { siteName } = useSiteConfig()
  const post = findPost(language, readSlug(pathname))
  if (!post) return <NotFoundPage />
  return (
    <>
      <Head
        title={`${post.title}: ${siteName}`}
        description={post.description}
        path={`/blog/${post.id}`}
        image={socialImage(post, language)}
        imageAlt={post.imageAlt}
        type="article"
      />
      <BlogArticle post={post} />
    </>
  )
}
