/**
 * The commands of deploy/cluster/README.md, word for word, on machines that only reach each other. Each test goes on where the last one
 * ended.
 */
import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCodeBlocks } from '../documentation/newcomer/readme.ts'
import { serverBuilt } from '../harness/mayfly/build-server.ts'
import { canPartition, makeMachines } from '../harness/network-namespaces.ts'
import { findPostgres } from '../harness/servers/postgres.ts'
import { findRedis, until } from '../harness/servers/redis-cluster.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'deploy/cluster/README.md'), 'utf8')
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] as const
const [FIRST, SECOND, THIRD, ADDED] = ADDRESSES
/** Where Mayfly runs. */
const SERVERS = [FIRST, SECOND] as const
/** The number of pino's level. */
const WARNING = 40
/** A server that PostgreSQL refuses says so in a sentence, and a query in between fails with PostgreSQL's code. */
const INVALID_PASSWORD = { code: '28P01', sentence: /does not let the user ".*" in: password authentication failed/ }
const START_MS_MAX = 120_000

const redis = findRedis()
const cli = redis && join(dirname(redis), redis.endsWith('valkey-server') ? 'valkey-cli' : 'redis-cli')
const postgres = findPostgres()
const hasPostgresUser = spawnSync('runuser', ['-u', 'postgres', '--', 'true']).status === 0
const canRun = Boolean(
  cli && existsSync(cli) && postgres && hasPostgresUser && spawnSync('openssl', ['version']).status === 0 && canPartition(),
)

/** What a machine of this test has no systemd, no user or no place of its own for. */
const REPLACED = new Map([
  ['/opt/mayfly/current', root],
  ['/etc/mayfly', '$HOME/etc'],
  ['-g mayfly ', ''],
  [
    'mayfly mail-store-rights',
    `cd ${root}; env $(cat $HOME/etc/mayfly.env) ${process.execPath} scripts/run.mjs cli/mayfly.ts mail-store-rights`,
  ],
  ['systemctl restart mayfly', ':'],
  ['systemctl start postgresql', ':'],
  ['systemctl restart postgresql', 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -l "$PGDATA/log" restart'],
])
/** As the unit does with its EnvironmentFile. */
const START = `set -f; cd ${root}; exec env $(cat /etc/mayfly/mayfly.env) ${process.execPath} dist/server/main.js`
const SETTINGS = ['BOT_CHECK=off', 'DNS_SERVERS=off', 'LOG_LEVEL=warn', 'NETWORK_LIMIT_FACTOR=100', 'HTTP_PORT=8080', 'SMTP_PORT=2525']

const blocks = (heading: string) => readCodeBlocks(page, heading).map(lines => lines.join('\n'))
const [keys = '', nodes = '', join_ = '', database = '', mayfly = ''] = blocks('On three machines')
const [sign = '', useCertificate = ''] = blocks('Renew the certificate')
const [addUser = '', changeUser = '', endUser = ''] = blocks('A user with few rights')
const [changePassword = '', endPassword = ''] = blocks('Change the password')
const [umask = '', dump = '', restore = ''] = (blocks('Back up accounts')[0] ?? '').split('\n')
const [addShard = '', removeShard = ''] = blocks('Add and remove a shard')
const [giveBack = ''] = blocks('Give the masters back')
const [replace = ''] = blocks('Replace a machine')
const [force = '', takeOver = ''] = blocks('When masters do not come back')
/** The page has both typed once. */
const [, CLI = ''] = join_.split('\n')
const [PG = ''] = database.split('\n')
const LOGIN = join_.split('\n')[0] ?? ''

describe.skipIf(!canRun)('the commands of the page (needs root, Redis, PostgreSQL and openssl)', { timeout: 2 * START_MS_MAX }, () => {
  let folder: string
  let data: string
  let path: string
  let machines: ReturnType<typeof makeMachines>
  const ended = new AsyncDisposableStack()
  const servers = new Map<string, ChildProcess>()
  const said: string[] = []
  let email: string
  let token: string

  const home = (address: string) => join(folder, address)
  const command = (address: string, script: string): [string, string[], SpawnOptions] => {
    const [program, ...args] = machines.on(address)
    const env = { PATH: path, HOME: home(address), PGDATA: data, PGHOST: data, PGUSER: 'postgres' }
    const words = [...REPLACED].reduce((text, [word, instead]) => text.replaceAll(word, instead), script)
    return [
      program,
      [...args, 'sh', '-euc', words.replaceAll(`announce-ip ${FIRST}`, `announce-ip ${address}`)],
      { cwd: home(address), env },
    ]
  }
  const run = async (address: string, script: string) => (await promisify(execFile)(...command(address, script))).stdout.toString()
  /** In a shell that has what steps 3 and 4 leave there. */
  const type = (address: string, script: string) => run(address, [LOGIN, CLI, PG, script].join('\n'))
  const cluster = (address: string, port: number) => type(address, `cli -h ${address} -p ${port} cluster nodes`)
  const copyToOthers = (...names: string[]) => {
    for (const address of ADDRESSES.slice(1))
      for (const name of names) cpSync(join(home(FIRST), 'mayfly-cluster', name), join(home(address), 'mayfly-cluster', name))
  }
  const startNode = (address: string, port: number) => {
    const lines = nodes.split('\n').filter(line => !/^cd .*6380/.test(line))
    return run(address, lines.join('\n').replaceAll(/6379|6380/g, String(port)))
  }
  const killNode = async (address: string, port: number) => {
    const file = join(home(address), 'mayfly-cluster', String(port), 'node.pid')
    const pid = Number(readFileSync(file, 'utf8'))
    process.kill(pid, 'SIGKILL')
    rmSync(file)
    await until(async () => !existsSync(`/proc/${pid}`))
  }

  const startServer = async (address: string) => {
    const child = spawn(...command(address, START))
    servers.set(address, child)
    for (const stream of [child.stderr, child.stdout]) stream?.on('data', chunk => said.push(String(chunk)))
    await until(() => isReady(address), START_MS_MAX).catch(() => expect.fail(said.join('')))
  }
  const stopServer = async (address: string, signal: NodeJS.Signals) => {
    const child = servers.get(address)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise(done => child.once('exit', done))
    child.kill(signal)
    await exited
  }
  const ask = (address: string, path: string, ...args: string[]) =>
    run(address, `curl -sS --fail-with-body --max-time 10 ${args.join(' ')} http://127.0.0.1:8080${path}`).catch((error: Error) => {
      throw new Error(`${error.message}\nThe servers said:\n${said.join('')}`)
    })
  const isReady = (address: string) =>
    ask(address, '/readyz').then(
      text => JSON.parse(text).status === 'ready',
      () => false,
    )
  const createAddress = async () =>
    ({ email, token } = JSON.parse(await ask(FIRST, '/api/mailboxes', '-X POST -H content-type:application/json -d {}')))
  const send = (address: string, subject: string) =>
    run(
      address,
      `printf 'Subject: ${subject}\\r\\n\\r\\nHello.\\r\\n' | curl -sS --max-time 30 --mail-from a@sender.test --mail-rcpt ${email} -T - smtp://127.0.0.1:2525`,
    )
  const subjects = async (): Promise<string[]> =>
    JSON.parse(await ask(FIRST, '/api/mailbox/messages', `-H 'authorization: Bearer ${token}'`)).messages.map(
      ({ subject }: { subject: string }) => subject,
    )
  /** Sends one mail after the other to the server at `address` while `work` runs, and expects that all are taken. */
  const whileMailFlows = async (address: string, work: () => Promise<unknown>) => {
    await createAddress()
    let isDone = false
    const sent: string[] = []
    const working = work().finally(() => {
      isDone = true
    })
    do {
      const subject = `mail ${sent.length + 1}`
      await send(address, subject)
      sent.push(subject)
    } while (!isDone && sent.length < 90)
    await working
    expect((await subjects()).toSorted()).toEqual(sent.toSorted())
  }
  const shards = async (state: string) =>
    Number(new RegExp(`mayfly_store_shards{state="${state}"} (\\d+)`).exec(await ask(FIRST, '/metrics'))?.[1])
  /** The complaints of the servers since the last call, apart from what is `expected`. */
  const complaints = (expected?: typeof INVALID_PASSWORD) =>
    said
      .splice(0)
      .join('')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
      .filter(({ level }) => level >= WARNING)
      .filter(({ err, msg }) => !expected || (err?.code !== expected.code && !expected.sentence.test(msg)))
      .map(({ msg }) => String(msg))
  const TOO_FEW = /^\d of 3 shards of MAIL_STORE_URL have too few replicas/

  beforeAll(serverBuilt)
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-cluster-page-'))
    execFileSync('chmod', ['711', folder])
    ended.defer(() => rmSync(folder, { recursive: true, force: true }))
    machines = ended.use(makeMachines(ADDRESSES))
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    symlinkSync(redis ?? '', join(programs, 'valkey-server'))
    symlinkSync(cli ?? '', join(programs, 'valkey-cli'))
    path = [programs, postgres, process.env.PATH].join(':')
    data = join(folder, 'postgres')
    for (const address of ADDRESSES) {
      mkdirSync(join(home(address), 'etc'), { recursive: true })
      const own = [`DATA_DIR=${home(address)}/data`, 'PUBLIC_URL=https://mayfly.example', 'MAIL_DOMAINS=mayfly.example']
      // As an earlier try left it.
      writeFileSync(join(home(address), 'etc/mayfly.env'), [...SETTINGS, ...own, 'SECRET=another', ''].join('\n'))
    }
    ended.defer(() => {
      const files = ADDRESSES.flatMap(address => [6379, 6380, 6381].map(port => join(home(address), `mayfly-cluster/${port}/node.pid`)))
      for (const file of files.filter(existsSync)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
    })
    ended.defer(async () => void (await Promise.all(SERVERS.map(address => stopServer(address, 'SIGKILL')))))
  })
  afterAll(() => ended.disposeAsync())

  test('make a cluster that takes mail', async () => {
    await run(FIRST, keys)
    for (const address of ADDRESSES.slice(1))
      cpSync(join(home(FIRST), 'mayfly-cluster'), join(home(address), 'mayfly-cluster'), { recursive: true })
    for (const address of [FIRST, SECOND, THIRD]) await run(address, nodes)
    expect(await run(FIRST, join_)).toContain('[OK] All 16384 slots covered.')

    mkdirSync(data)
    const user = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
    chownSync(data, user('-u'), user('-g'))
    await run(FIRST, 'runuser -u postgres -- initdb -D "$PGDATA" -A trust --no-sync')
    await run(FIRST, 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -l "$PGDATA/log" -o "-k $PGDATA" start')
    ended.defer(async () => void (await run(FIRST, 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -m immediate stop')))
    await run(FIRST, database)

    for (const address of SERVERS) {
      await run(address, mayfly)
      await startServer(address)
    }
    await createAddress()
    await send(SECOND, 'by the page')
    expect(await subjects()).toEqual(['by the page'])
    expect(await ask(FIRST, '/api/auth/session')).toContain('"session":null')
    // Without the password nobody gets in, on whatever address.
    await expect(run(THIRD, `${CLI}\ncli -h ${FIRST} ping`)).resolves.toContain('NOAUTH')
    // The replicas of a cluster that was just made join it seconds later.
    expect(complaints().filter(text => !TOO_FEW.test(text))).toEqual([])
  })

  test('renew the certificate, with the address of another machine, while mail flows', async () => {
    const inUse = (address: string, where: string) =>
      run(address, `openssl s_client -connect ${where} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -ext subjectAltName`)
    const ports = ['10.0.0.1:6379', '10.0.0.2:6380', '10.0.0.1:5432 -starttls postgres']
    const before = await Promise.all(ports.map(where => inUse(THIRD, where)))
    await whileMailFlows(SECOND, async () => {
      await type(FIRST, sign)
      copyToOthers('cert.pem', 'key.pem')
      await type(FIRST, useCertificate)
    })
    const after = await Promise.all(ports.map(where => inUse(THIRD, where)))
    for (const [i, text] of after.entries()) {
      expect(text).toContain(ADDED)
      expect(before[i]).not.toContain(ADDED)
    }
    await stopServer(FIRST, 'SIGTERM')
    await startServer(FIRST)
    expect(complaints()).toEqual([])
  })

  test('give Mayfly a user of its own, and change its password, while mail flows', async () => {
    const password = () => readFileSync(join(home(FIRST), 'mayfly-cluster/mayfly-password'), 'utf8').trim()
    const usePassword = async (address: string) => {
      const file = join(home(address), 'etc/mayfly.env')
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/rediss:\/\/\w*:\w+@/g, `rediss://mayfly:${password()}@`))
      await stopServer(address, 'SIGTERM')
      await startServer(address)
    }
    await type(FIRST, addUser)
    for (const [change, end] of [
      ['', ''],
      [changeUser, endUser],
    ] as const) {
      await whileMailFlows(SECOND, async () => {
        await type(FIRST, change)
        copyToOthers('password.conf')
        await usePassword(FIRST)
      })
      await whileMailFlows(FIRST, () => usePassword(SECOND))
      await type(FIRST, end)
    }
    // A node that starts again knows it, by its new password alone.
    await killNode(SECOND, 6380)
    await startNode(SECOND, 6380)
    const whoAmI = (words: string) =>
      run(FIRST, `${CLI}\ncli -h ${SECOND} -p 6380 --no-auth-warning --user mayfly --pass ${words} ping 2>&1`)
    await until(async () => /PONG/.test(await whoAmI(password())))
    expect(await whoAmI(readFileSync(join(home(FIRST), 'mayfly-cluster/old'), 'utf8').trim())).toMatch(/WRONGPASS/)
    await until(async () => (await shards('alone')) === 0)
    expect(complaints().filter(text => !TOO_FEW.test(text))).toEqual([])
    for (const address of SERVERS) await run(address, mayfly)
  })

  test('change the password while mail flows', async () => {
    const old = readFileSync(join(home(FIRST), 'mayfly-cluster/password'), 'utf8').trim()
    await whileMailFlows(SECOND, async () => {
      await type(FIRST, changePassword)
      copyToOthers('password', 'password.conf')
      await run(FIRST, mayfly)
      await stopServer(FIRST, 'SIGTERM')
      await startServer(FIRST)
    })
    await whileMailFlows(FIRST, async () => {
      await run(SECOND, mayfly)
      await stopServer(SECOND, 'SIGTERM')
      await startServer(SECOND)
      await type(FIRST, endPassword)
    })
    for (const address of [FIRST, SECOND, THIRD])
      for (const port of [6379, 6380])
        expect(await run(address, `${CLI}\nREDISCLI_AUTH=${old} cli -h ${address} -p ${port} ping 2>&1`)).toMatch(/WRONGPASS/)
    // A replica that copies again, and a node that starts again, know the new one alone.
    await killNode(SECOND, 6380)
    await startNode(SECOND, 6380)
    await until(async () => (await type(SECOND, `cli -h ${SECOND} -p 6380 info replication`)).includes('master_link_status:up'))
    await until(() => isReady(FIRST))
    await until(async () => (await shards('alone')) === 0)
    // The page says so: PostgreSQL takes the new password alone, so a server that has the old one cannot connect again until its restart.
    expect(complaints(INVALID_PASSWORD).filter(text => !TOO_FEW.test(text))).toEqual([])
  })

  test('add a shard and remove it', async () => {
    await startNode(ADDED, 6379)
    await startNode(FIRST, 6381)
    await type(FIRST, addShard)
    await until(async () => (await shards('total')) === 4)
    await createAddress()
    await send(SECOND, 'on four shards')
    // The nodes of the shard change their roles, as after any failure of its master.
    await type(FIRST, `cli -h ${FIRST} -p 6381 cluster failover`)
    await until(async () => / 10\.0\.0\.4:6379@\S* slave /.test(await cluster(FIRST, 6379)))
    expect(await type(FIRST, removeShard)).toContain('Stop both nodes and delete their folders.')
    await until(async () => (await shards('total')) === 3)
    expect(await subjects()).toEqual(['on four shards'])
    expect(complaints().filter(text => !/^\d of [34] shards of MAIL_STORE_URL have too few replicas/.test(text))).toEqual([])
  })

  test('promote a replica that was restarted while its master was away, and give the master back', async () => {
    await killNode(SECOND, 6380)
    await killNode(FIRST, 6379)
    await startNode(SECOND, 6380)
    const named = `type "cluster failover force" at ${SECOND}:6380: deploy/cluster/README.md#when-masters-do-not-come-back`
    await until(async () => said.join('').includes(JSON.stringify(named).slice(1, -1)))
    expect(await isReady(FIRST)).toBe(false)
    await type(SECOND, force)
    await until(async () => (await shards('away')) === 0)
    await startNode(FIRST, 6379)
    await until(() => isReady(FIRST))
    await until(async () => (await shards('alone')) === 0)
    await type(FIRST, giveBack)
    await until(async () => / 10\.0\.0\.1:6379@\S* myself,master /.test(await cluster(FIRST, 6379)))
    await until(() => isReady(FIRST))
    await until(async () => (await shards('alone')) === 0)
    await createAddress()
    await send(SECOND, 'by force')
    expect(await subjects()).toEqual(['by force'])
    const away = /^1 of 3 shards of MAIL_STORE_URL do not reply \(10\.0\.0\.1:6379(?: with the slots \d[-, \d]*)?: /
    expect(complaints().filter(text => !TOO_FEW.test(text) && !away.test(text))).toEqual([])
  })

  test('promote replicas without the vote of most masters', async () => {
    await killNode(FIRST, 6379)
    await killNode(SECOND, 6379)
    await until(async () => said.join('').includes(`type \\"cluster failover takeover\\" at each of ${SECOND}:6380, ${THIRD}:6380: `))
    expect(await isReady(FIRST)).toBe(false)
    // The votes of most may be there again after the first, so that the second is a master by then.
    await type(SECOND, takeOver)
    await type(THIRD, takeOver.replace(SECOND, THIRD))
    await until(async () => (await shards('away')) === 0)
    await createAddress()
    await send(SECOND, 'taken over')
    expect(await subjects()).toEqual(['taken over'])
    for (const address of [FIRST, SECOND]) await startNode(address, 6379)
    await until(() => isReady(FIRST))
    await until(async () => (await shards('alone')) === 0)
  })

  test('replace a machine whose disk is lost', async () => {
    for (const port of [6379, 6380]) {
      await killNode(SECOND, port)
      rmSync(join(home(SECOND), 'mayfly-cluster', String(port)), { recursive: true })
    }
    // One of them was a master, whose replica takes over.
    await until(async () => ((await cluster(FIRST, 6379)).match(/ 10\.0\.0\.2:\d+@\S* \w+,fail /g) ?? []).length === 2)
    await until(async () => (await shards('away')) === 0 && (await shards('alone')) === 2)
    await run(SECOND, nodes)
    await type(FIRST, replace)
    await until(async () => (await shards('alone')) === 0)
    await until(() => isReady(FIRST))
    const known = (await cluster(FIRST, 6379)).trim().split('\n')
    expect(known).toHaveLength(6)
    expect(known.filter(line => /noaddr|fail/.test(line))).toEqual([])
    await createAddress()
    await send(SECOND, 'on a new disk')
    expect(await subjects()).toEqual(['on a new disk'])
  })

  test('back up accounts and restore them', async () => {
    const rows = () => run(FIRST, 'psql -d mayfly -Atqc "select * from about"')
    const before = await rows()
    await run(FIRST, `${umask}\n${dump}`)
    expect(statSync(join(home(FIRST), 'accounts.dump')).mode & 0o777).toBe(0o600)
    for (const address of SERVERS) await stopServer(address, 'SIGTERM')
    await run(FIRST, 'psql -d mayfly -qc "drop table about"')
    await run(FIRST, restore)
    expect(await rows()).toBe(before)
    await startServer(FIRST)
    expect(await ask(FIRST, '/api/auth/session')).toContain('"session":null')
  })
})
