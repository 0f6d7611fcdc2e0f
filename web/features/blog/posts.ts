/** The articles: metadata is bundled with the blog; a text is fetched when it is read, in one language. */
import type { Language } from '#contract/languages.ts'
import { withSiteFacts } from '#web/lib/site/site-config.ts'
import type { Article, PostMeta } from './post.ts'

const metas = import.meta.glob<PostMeta>('../../../content/blog/*/*.md', { eager: true, query: '?meta', import: 'default' })
const articles = import.meta.glob<Article>('../../../content/blog/*/*.md', { import: 'default' })
const articlePath = (language: Language, slug: string) => `../../../content/blog/${language}/${slug}.md`

/** Newest first. */
export function listPosts(language: Language): PostMeta[] {
  return Object.entries(metas)
    .filter(([path]) => path.startsWith(articlePath(language, '').slice(0, -'.md'.length)))
    .map(([, meta]) => withSiteFacts(meta, language))
    .sort((a, b) => b.published.localeCompare(a.published))
}

export const findPost = (language: Language, slug: string): PostMeta | undefined => listPosts(language).find(post => post.id === slug)

const loaded = new Map<string, Article>()
const loading = new Map<string, Promise<Article>>()

/** The article if it is loaded already, so that a preloaded page need not wait for a promise. */
export const loadedArticle = (language: Language, slug: string): Article | undefined => loaded.get(articlePath(language, slug))

/** The same promise each time, so that React can wait for it. A failed one is not kept. */
export function loadArticle(language: Language, slug: string): Promise<Article> {
  const path = articlePath(language, slug)
  const known = loading.get(path)
  if (known) return known
  const load = articles[path]
  if (!load) throw new Error(`There is no article ${path}`)
  const article = load().then(source => {
    const fetched = withSiteFacts(source, language)
    loaded.set(path, fetched)
    return fetched
  })
  article.catch(() => loading.delete(path))
  loading.set(path, article)
  return article
}
