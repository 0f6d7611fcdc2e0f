import { type Command, refuseMore } from './command.ts'

const TABLES = ['users', 'sessions', 'pro_mailboxes', 'api_keys', 'contact_messages', 'operator_messages', 'outbox'] as const

export const stats: Command = args => {
  refuseMore(args)
  return async ({ database: { db } }, write) => {
    for (const table of TABLES) {
      const { count } = await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      write(`${table.padEnd(20)}${Number(count)}\n`)
    }
    for (const { post_id, views_count } of await db.selectFrom('blog_post_views').selectAll().orderBy('post_id').execute()) {
      write(`${`views of ${post_id}`.padEnd(40)}${views_count}\n`)
    }
  }
}
