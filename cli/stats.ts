import { type Command, refuseMore } from './command.ts'

const TABLES = ['users', 'sessions', 'pro_mailboxes', 'api_keys', 'contact_messages', 'operator_messages', 'outbox'] as const

export const stats: Command = args => {
  refuseMore(args)
  return async ({ database: { db } }, write) => {
    const rows: Record<string, number> = {}
    for (const table of TABLES) {
      const { count } = await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      rows[table] = Number(count)
    }
    const articles = await db.selectFrom('blog_post_views').selectAll().orderBy('post_id').execute()
    const views = Object.fromEntries(articles.map(({ post_id, views_count }) => [post_id, views_count]))
    const lines = [
      ...Object.entries(rows).map(([table, count]) => `${table.padEnd(20)}${count}\n`),
      ...Object.entries(views).map(([article, count]) => `${`views of ${article}`.padEnd(40)}${count}\n`),
    ]
    write(lines.join(''), { rows, views })
  }
}
