import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { BlogViews as Counted } from '#contract/site.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'

const DAY_MS = 86_400_000
/** Marks of one day, 16 bytes each and some overhead: about 30 MB at most. Beyond it nobody new is counted that day. */
const MARKS_MAX = 200_000

/** What tells visitors apart for a day: never stored, only hashed under a key that lives in memory and is thrown away at midnight UTC. */
type Visitor = { readonly address: string; readonly userAgent: string }

export interface BlogViews {
  all(): Promise<Counted[]>
  /** `undefined` for a slug that is no article. */
  of(slug: string): Promise<Counted | undefined>
  /** Counts a visitor once per article and day (decision 26); resolves to the count after it. `undefined` for a slug that is no article. */
  count(slug: string, visitor: Visitor): Promise<Counted | undefined>
}

/**
 * The memory of who was counted is this process's own: a restart, or a second process, may count a visitor of the same day again.
 * That is the price of keeping nothing about who reads what.
 */
export function createBlogViews(db: Kysely<SiteSchema>, clock: Clock, slugs: readonly string[]): BlogViews {
  const isNew = createDailyMarks(clock)

  async function of(slug: string): Promise<Counted | undefined> {
    if (!slugs.includes(slug)) return undefined
    const row = await db.selectFrom('blog_post_views').select('views_count').where('post_id', '=', slug).executeTakeFirst()
    return { slug, views: row?.views_count ?? 0 }
  }

  return {
    of,

    async all() {
      const rows = await db.selectFrom('blog_post_views').selectAll().execute()
      const counts = new Map(rows.map(row => [row.post_id, row.views_count]))
      return slugs.map(slug => ({ slug, views: counts.get(slug) ?? 0 }))
    },

    async count(slug, visitor) {
      if (!slugs.includes(slug)) return undefined
      if (!isNew(slug, visitor)) return of(slug)
      const row = await db
        .insertInto('blog_post_views')
        .values({ post_id: slug, views_count: 1 })
        .onConflict(conflict => conflict.column('post_id').doUpdateSet({ views_count: sql`blog_post_views.views_count + 1` }))
        .returning('views_count')
        .executeTakeFirstOrThrow()
      return { slug, views: row.views_count }
    },
  }
}

function createDailyMarks(clock: Clock): (slug: string, visitor: Visitor) => boolean {
  let day = -1
  let key = randomBytes(32)
  let marks = new Set<string>()
  return (slug, visitor) => {
    const today = Math.floor(clock() / DAY_MS)
    if (today !== day) {
      day = today
      key = randomBytes(32)
      marks = new Set()
    }
    const mark = createHmac('sha256', key).update(`${slug}\0${visitor.address}\0${visitor.userAgent}`).digest('base64url').slice(0, 22)
    if (marks.has(mark) || marks.size >= MARKS_MAX) return false
    marks.add(mark)
    return true
  }
}
