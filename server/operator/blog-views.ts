import { createHmac } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { BlogViews } from '#contract/site.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import { root } from '#server/platform/installation.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'

/** Identifies visitors for a day. Never stored, only hashed under a key of that day. */
type Visitor = { readonly address: string; readonly userAgent: string }

/**
 * Counts how often each article was read. Who was counted is remembered until midnight, on a single process until its restart; when there
 * is no room for more (`createMemoryLimits`), new visitors are not counted that day.
 */
export class BlogViewCounts {
  readonly #access: DatabaseAccess
  readonly #slugs: readonly string[]
  readonly #sharedLimits: SharedLimits

  constructor(access: DatabaseAccess, slugs: readonly string[], sharedLimits: SharedLimits) {
    this.#access = access
    this.#slugs = slugs
    this.#sharedLimits = sharedLimits
  }

  async all(): Promise<BlogViews[]> {
    const rows = await this.#access.db.selectFrom('blog_post_views').selectAll().execute()
    const counts = new Map(rows.map(row => [row.post_id, row.views_count]))
    return this.#slugs.map(slug => ({ slug, views: counts.get(slug) ?? 0 }))
  }

  /** `undefined` for an unknown slug. */
  async find(slug: string): Promise<BlogViews | undefined> {
    if (!this.#slugs.includes(slug)) return undefined
    const row = await this.#access.db.selectFrom('blog_post_views').select('views_count').where('post_id', '=', slug).executeTakeFirst()
    return { slug, views: row?.views_count ?? 0 }
  }

  /** Counts a visitor once per article and day; resolves to the new count. `undefined` for an unknown slug. */
  async count(slug: string, visitor: Visitor): Promise<BlogViews | undefined> {
    if (!this.#slugs.includes(slug)) return undefined
    if (!(await this.#isNew(slug, visitor))) return this.find(slug)
    const row = await this.#access.db
      .insertInto('blog_post_views')
      .values({ post_id: slug, views_count: 1 })
      .onConflict(conflict => conflict.column('post_id').doUpdateSet({ views_count: sql`blog_post_views.views_count + 1` }))
      .returning('views_count')
      .executeTakeFirstOrThrow()
    return { slug, views: row.views_count }
  }

  /** The key of a day is the same in all processes. */
  #isNew(slug: string, visitor: Visitor): Promise<boolean> {
    const today = Math.floor(this.#access.clock() / DAY_MS)
    const key = deriveSubkey(this.#sharedLimits.secret, `mayfly blog views v1 ${today}`)
    return this.#sharedLimits.once('blog-view', hashVisitor(key, slug, visitor), (today + 1) * DAY_MS - this.#access.clock())
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
