import { expect, test } from 'vitest'
import { parsePostgresUrl, postgresUrlProblem } from './postgres-url.ts'

test.for([
  ['postgres://me:pw@db.example/mayfly', 'me', 'mayfly', 'db.example:5432'],
  ['postgresql://db.example:6432', '', '', 'db.example:6432'],
  ['postgres://me@db1,db2:5433/mayfly?target_session_attrs=read-write', 'me', 'mayfly', 'db1:5432 db2:5433'],
  ['postgres://10.0.0.1:5433,[2001:db8::7]:5434/x', '', 'x', '10.0.0.1:5433 2001:db8::7:5434'],
  ['postgres:///mayfly?host=/run/postgresql', '', 'mayfly', '/run/postgresql:5432'],
  ['postgres://me@/mayfly?host=/run/postgresql&port=5433', 'me', 'mayfly', '/run/postgresql:5433'],
  ['postgres://%2Frun%2Fpostgresql/mayfly', '', 'mayfly', '/run/postgresql:5432'],
  ['postgres:///mayfly?host=db1,db2&port=5433', '', 'mayfly', 'db1:5433 db2:5433'],
  ['postgres:///mayfly?host=db1,db2&port=1,2&user=me', 'me', 'mayfly', 'db1:1 db2:2'],
  ['postgres://me:p%40ss%2Fword@db/my%20fly', 'me', 'my fly', 'db:5432'],
  ['postgres:///mayfly', '', 'mayfly', 'localhost:5432'],
] as const)('%s', ([url, user, database, places]) => {
  expect(postgresUrlProblem(url)).toBeUndefined()
  const { hosts, ...parsed } = parsePostgresUrl(url)
  expect([parsed.user, parsed.database, hosts.map(({ host, port }) => `${host}:${port}`).join(' ')]).toEqual([user, database, places])
})

test.for([
  ['mysql://db/x', /^must be a URL that starts with postgres:\/\//],
  ['postgres://', /^must name a host/],
  ['postgres://me:p@ss@db/x', /percent-encoded/],
  ['postgres://me:pa/ss@db/x', /percent-encoded|ports/],
  ['postgres://db:70000/x', /^must have ports/],
  ['postgres:///x?host=a,b,c&port=1,2', /^must have one port, or one for each host/],
  ['postgres://a,b/x?target_session_attrs=standby', /takes writes/],
  ['postgres://me:%zz@db/x', /%25/],
] as const)('%s is refused', ([url, problem]) => {
  expect(postgresUrlProblem(url)).toMatch(problem)
})

test('the driver gets one host, what else the URL says, and sslmode as it would read it without a warning', () => {
  const { urls } = parsePostgresUrl('postgres://me:p%40@db1,db2/x?sslmode=require&target_session_attrs=primary&statement_timeout=5')
  expect(urls).toEqual([
    'postgres://me:p%40@localhost/x?sslmode=verify-full&statement_timeout=5&host=db1&port=5432',
    'postgres://me:p%40@localhost/x?sslmode=verify-full&statement_timeout=5&host=db2&port=5432',
  ])
  expect(parsePostgresUrl('postgres:///x').urls).toEqual(['postgres:///x?port=5432'])
})
