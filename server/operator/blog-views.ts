import { createHmac, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { BlogViews as Counted } from '#contract/site.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import { root } from '#server/platform/installation.ts'
import type { SharedCounts } from '#server/platform/limits/limiter.ts'

/** Visitors remembered per day: about 30 MB at most. Beyond that, new ones are not counted that day. */
const MARKS_MAX = 200_000

/** Identifies visitors for a day. Never stored, only hashed under a key of that day. */
type Visitor = { readonly address: string; readonly userAgent: string }

/** The key of a day is derived from the secret, so that all processes compute the same hash. Stored hashes expire at midnight. */
type SharedMarks = { readonly secret: string; readonly counts: SharedCounts }

/**
 * Counts how often each article was read. Without `shared`, this process remembers in memory who was counted, so after a restart a visitor
 * may be counted twice on a day. With it, all processes remember until midnight.
 */
export class BlogViews {
  readonly #db: Kysely<DatabaseSchema>
  readonly #slugs: readonly string[]
  readonly #isNew: (slug: string, visitor: Visitor) => boolean | Promise<boolean>

  constructor(db: Kysely<DatabaseSchema>, clock: Clock, slugs: readonly string[], shared?: SharedMarks) {
    this.#db = db
    this.#slugs = slugs
    this.#isNew = shared ? createSharedMarks(clock, shared) : createDailyMarks(clock)
  }

  async all(): Promise<Counted[]> {
    const rows = await this.#db.selectFrom('blog_post_views').selectAll().execute()
    const counts = new Map(rows.map(row => [row.post_id, row.views_count]))
    return this.#slugs.map(slug => ({ slug, views: counts.get(slug) ?? 0 }))
  }

  /** `undefined` for an unknown slug. */
  async find(slug: string): Promise<Counted | undefined> {
    if (!this.#slugs.includes(slug)) return undefined
    const row = await this.#db.selectFrom('blog_post_views').select('views_count').where('post_id', '=', slug).executeTakeFirst()
    return { slug, views: row?.views_count ?? 0 }
  }

  /** Counts a visitor once per article and day; resolves to the new count. `undefined` for an unknown slug. */
  async count(slug: string, visitor: Visitor): Promise<Counted | undefined> {
    if (!this.#slugs.includes(slug)) return undefined
    if (!(await this.#isNew(slug, visitor))) return this.find(slug)
    const row = await this.#db
      .insertInto('blog_post_views')
      .values({ post_id: slug, views_count: 1 })
      .onConflict(conflict => conflict.column('post_id').doUpdateSet({ views_count: sql`blog_post_views.views_count + 1` }))
      .returning('views_count')
      .executeTakeFirstOrThrow()
    return { slug, views: row.views_count }
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
    const mark = hashVisitor(key, slug, visitor)
    if (marks.has(mark) || marks.size >= MARKS_MAX) return false
    marks.add(mark)
    return true
  }
}

function createSharedMarks(clock: Clock, { secret, counts }: SharedMarks): (slug: string, visitor: Visitor) => Promise<boolean> {
  return (slug, visitor) => {
    const today = Math.floor(clock() / DAY_MS)
    const key = deriveSubkey(secret, `mayfly blog views v1 ${today}`)
    return counts.once('blog-view', hashVisitor(key, slug, visitor), (today + 1) * DAY_MS - clock())
  }
}

function hashVisitor(key: Uint8Array, slug: string, { address, userAgent }: Visitor): string {
  return createHmac('sha256', key).update(`${slug}\0${address}\0${userAgent}`).digest('base64url').slice(0, 22)
}

/** Slugs of the blog's articles, as in their URLs. */
export async function articleSlugs(): Promise<string[]> {
  const files = await readdir(join(root, 'content/blog/en'))
  return files.filter(file => file.endsWith('.md')).map(file => file.slice(0, -'.md'.length))
}
