/** Parses an article: `key: value` lines and three questions between two `---`, then Markdown. */
import * as z from 'zod/mini'
import { type Faq, HERO_NAMES, type PostMeta } from '../../web/features/blog/post.ts'

const filled = z.string().check(z.minLength(1))
/** The categories of articles, with their translations. */
const category = z.enum(['Security', 'Privacy', 'Seguridad', 'Privacidad'])

const metaSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
  title: filled,
  description: filled,
  date: filled,
  published: z.iso.date(),
  readTime: filled,
  category,
  heroImage: z.enum(HERO_NAMES),
  ogImage: filled,
  imageAlt: filled,
  authorName: filled,
  authorRole: filled,
  authorBio: filled,
})
/** Every post ends with three questions. */
const faqSchema = z.array(z.strictObject({ question: filled, answer: filled })).check(z.length(3))

export type ParsedPost = { meta: PostMeta; faq: Faq[]; body: string }

/** @throws with the name of every field that is missing, unknown or malformed. */
export function parsePost(source: string): ParsedPost {
  const parts = /^---\n(.*?)\n---\n(.*)$/s.exec(source)
  if (!parts) throw new Error('An article begins with a block between two lines of ---')
  const [, head = '', body = ''] = parts
  const [plain = '', questions = ''] = head.split(/^faq:$/m)
  return { meta: z.parse(metaSchema, parseFields(plain)), faq: z.parse(faqSchema, parseQuestions(questions)), body }
}

const parseFields = (text: string): Record<string, string> => Object.fromEntries(text.split('\n').filter(Boolean).map(parseField))

function parseQuestions(text: string): Record<string, string>[] {
  return text
    .split(/^ {2}- /m)
    .slice(1)
    .map(item => parseFields(item.replace(/^ +/gm, '')))
}

function parseField(line: string): [string, string] {
  const at = line.indexOf(': ')
  if (at < 0) throw new Error(`An article's head holds "key: value" lines only, not "${line}"`)
  return [line.slice(0, at), line.slice(at + 2).trim()]
}
