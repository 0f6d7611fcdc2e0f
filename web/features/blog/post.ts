/** The metadata of an article, from content/blog/<language>/<id>.md. */
export type PostMeta = {
  /** The slug of its page. */
  id: string
  title: string
  description: string
  /** The date as it is shown, e.g. "18 October 2025". */
  date: string
  /** The same day as ISO 8601, for machines. */
  published: string
  /** The time as it is shown, e.g. "12 min read". */
  readTime: string
  category: string
  /** Name of a drawing in web/features/blog/post-card.tsx. */
  heroImage: HeroName
  /** Name of the social image, without language and ending. */
  ogImage: string
  imageAlt: string
  authorName: string
  authorRole: string
  authorBio: string
}

export const HERO_NAMES = ['letter-boat', 'mayfly-and-lure'] as const
export type HeroName = (typeof HERO_NAMES)[number]

/** `html` is our own Markdown, rendered when the site was built. */
export type Article = { html: string; faq: Faq[] }
export type Faq = { question: string; answer: string }
