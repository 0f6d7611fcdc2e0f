import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth'

/** What the `database` option of better-auth accepts besides a connection. */
type CreateAdapter = (options: BetterAuthOptions) => DBAdapter

/**
 * better-auth stores session tokens as they are. This wrapper stores their hash, so that a copy of the database opens no session. When
 * better-auth reads a row back, it gets the token it asked for.
 */
export function hashedSessionTokens(createAdapter: CreateAdapter, hash: (token: string) => string): CreateAdapter {
  return options => {
    const adapter = createAdapter(options)
    const verbs = overrides(adapter, hash)
    return { ...adapter, ...verbs, transaction: callback => callback({ ...adapter, ...verbs } satisfies DBTransactionAdapter) }
  }
}

type Overrides = Pick<
  DBAdapter,
  'create' | 'findOne' | 'findMany' | 'count' | 'update' | 'updateMany' | 'delete' | 'deleteMany' | 'consumeOne'
>

function overrides(adapter: DBAdapter, hash: (token: string) => string): Overrides {
  const closed = <Query extends { model: string; where?: Where[] | undefined }>(query: Query): Query =>
    query.model === 'session' && query.where ? { ...query, where: query.where.map(condition => hashCondition(condition, hash)) } : query

  return {
    async create<T extends Record<string, unknown>, R = T>(query: Parameters<typeof adapter.create<T, R>>[0]): Promise<R> {
      const token = query.model === 'session' ? tokenIn(query.data) : undefined
      if (token === undefined) return adapter.create<T, R>(query)
      const created = await adapter.create<T, R>({ ...query, data: { ...query.data, token: hash(token) } })
      return { ...created, token }
    },
    findOne: async <T>(query: Parameters<typeof adapter.findOne>[0]) => restored(await adapter.findOne<T>(closed(query)), query),
    findMany: query => adapter.findMany(closed(query)),
    count: query => adapter.count(closed(query)),
    update: async <T>(query: Parameters<typeof adapter.update>[0]) => restored(await adapter.update<T>(closed(query)), query),
    updateMany: query => adapter.updateMany(closed(query)),
    delete: query => adapter.delete(closed(query)),
    deleteMany: query => adapter.deleteMany(closed(query)),
    consumeOne: query => adapter.consumeOne(closed(query)),
  }
}

function hashCondition(condition: Where, hash: (token: string) => string): Where {
  if (condition.field !== 'token') return condition
  const { value } = condition
  if (typeof value === 'string') return { ...condition, value: hash(value) }
  if (Array.isArray(value)) return { ...condition, value: value.map(token => hash(String(token))) }
  return condition
}

function restored<T>(row: T | null, query: { model: string; where: Where[] }): T | null {
  const token = query.model === 'session' ? query.where.find(condition => condition.field === 'token')?.value : undefined
  return row && typeof token === 'string' ? { ...row, token } : row
}

function tokenIn(data: object): string | undefined {
  return 'token' in data && typeof data.token === 'string' ? data.token : undefined
}
