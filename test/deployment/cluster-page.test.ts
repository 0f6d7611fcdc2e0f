/** The way of deploy/cluster/README.md from nothing to mail, word for word, on machines that only reach each other. */
import { execFile, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeBlocks } from '../documentation/newcomer/readme.ts'
import { serverBuilt } from '../harness/mayfly/build-server.ts'
import { canPartition, makeMachines } from '../harness/network-namespaces.ts'
import { findPostgres } from '../harness/servers/postgres.ts'
import { findRedis, until } from '../harness/servers/redis-cluster.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'deploy/cluster/README.md'), 'utf8')
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] as const
const [FIRST, , , ADDED] = ADDRESSES
/** Of pino. */
const WARNING = 40
const START_MS_MAX = 120_000

const redis = findRedis()
const cli = redis && join(dirname(redis), redis.endsWith('valkey-server') ? 'valkey-cli' : 'redis-cli')
const postgres = findPostgres()
const hasPostgresUser = spawnSync('runuser', ['-u', 'postgres', '--', 'true']).status === 0
const canRun = Boolean(
  cli && existsSync(cli) && postgres && hasPostgresUser && spawnSync('openssl', ['version']).status === 0 && canPartition(),
)

/** What a machine of this test has no systemd or no built site for. */
const REPLACED = new Map([
  ['/opt/mayfly/current', root],
  ['npm start', `${process.execPath} dist/server/main.js`],
  ['systemctl start postgresql', ':'],
  ['systemctl restart postgresql', 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -l "$PGDATA/log" restart'],
])

let folder: string
beforeAll(serverBuilt)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-cluster-page-'))
  execFileSync('chmod', ['711', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(!canRun)(
  'the commands of the page make a cluster that takes mail (needs root, Redis, PostgreSQL and openssl)',
  {
    timeout: 5 * START_MS_MAX,
  },
  async () => {
    const [keys = '', nodes = '', join_ = '', database = '', mayfly = '', addShard = '', removeShard = ''] = codeBlocks(page).map(lines =>
      lines.join('\n'),
    )
    using machines = makeMachines(ADDRESSES)
    await using ended = new AsyncDisposableStack()
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    symlinkSync(redis ?? '', join(programs, 'valkey-server'))
    symlinkSync(cli ?? '', join(programs, 'valkey-cli'))
    const home = (address: string) => join(folder, address)
    for (const address of ADDRESSES) mkdirSync(home(address))
    const data = join(folder, 'postgres')
    const PATH = [programs, postgres, process.env.PATH].join(':')
    const settings = { BOT_CHECK: 'off', DNS_SERVERS: 'off', LOG_LEVEL: 'warn' }
    const command = (address: string, script: string): [string, string[], SpawnOptions] => {
      const [program, ...args] = machines.on(address)
      const env = { PATH, HOME: home(address), PGDATA: data, PGHOST: data, PGUSER: 'postgres', ...settings }
      const words = [...REPLACED].reduce((text, [word, instead]) => text.replaceAll(word, instead), script)
      return [
        program,
        [...args, 'sh', '-euc', words.replaceAll(`announce-ip ${FIRST}`, `announce-ip ${address}`)],
        { cwd: home(address), env },
      ]
    }
    const run = async (address: string, script: string) => (await promisify(execFile)(...command(address, script))).stdout.toString()
    const stopNodes = () => {
      const files = ADDRESSES.flatMap(address =>
        ['6379', '6380', '6381'].map(port => join(home(address), 'mayfly-cluster', port, 'node.pid')),
      )
      for (const file of files.filter(existsSync)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
    }

    await run(FIRST, keys)
    for (const address of ADDRESSES.slice(1))
      cpSync(join(home(FIRST), 'mayfly-cluster'), join(home(address), 'mayfly-cluster'), { recursive: true })
    ended.defer(stopNodes)
    for (const address of ADDRESSES.slice(0, 3)) await run(address, nodes)
    expect(await run(FIRST, join_)).toContain('[OK] All 16384 slots covered.')

    mkdirSync(data)
    const user = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
    chownSync(data, user('-u'), user('-g'))
    await run(FIRST, 'runuser -u postgres -- initdb -D "$PGDATA" -A trust --no-sync')
    await run(FIRST, 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -l "$PGDATA/log" -o "-k $PGDATA" start')
    ended.defer(async () => void (await run(FIRST, 'runuser -u postgres -- pg_ctl -D "$PGDATA" -w -m immediate stop')))
    await run(FIRST, database)

    const said: string[] = []
    for (const address of ADDRESSES.slice(0, 2)) {
      const child = spawn(...command(address, mayfly.replace(/^(HTTP_PORT.*)$/m, 'exec env $1')))
      child.stderr?.on('data', chunk => said.push(String(chunk)))
      child.stdout?.on('data', chunk => said.push(String(chunk)))
      child.once('exit', (code, signal) => said.push(`${JSON.stringify({ level: WARNING, msg: `${address} ended`, code, signal })}\n`))
      ended.defer(async () => {
        const exited = new Promise(done => child.once('exit', done))
        if (child.exitCode === null && child.kill('SIGKILL')) await exited
      })
    }
    const ask = (address: string, path: string, ...args: string[]) =>
      run(address, `curl -sS --fail-with-body --max-time 10 ${args.join(' ')} http://127.0.0.1:8080${path}`).catch((error: Error) => {
        throw new Error(`${error.message}\nThe servers said:\n${said.join('')}`)
      })
    for (const address of ADDRESSES.slice(0, 2)) {
      await until(
        () =>
          ask(address, '/readyz').then(
            () => true,
            () => false,
          ),
        START_MS_MAX,
      ).catch(() => expect.fail(said.join('')))
    }
    const { email, token } = JSON.parse(await ask(FIRST, '/api/mailboxes', '-X POST -H content-type:application/json -d {}'))
    const mail = `printf 'Subject: by the page\\r\\n\\r\\nHello.\\r\\n' | curl -sS --max-time 20 --mail-from a@sender.test --mail-rcpt ${email} -T - smtp://127.0.0.1:2525`
    await run(ADDRESSES[1], mail)
    expect(await ask(FIRST, '/api/mailbox/messages', `-H 'authorization: Bearer ${token}'`)).toContain('"subject":"by the page"')
    expect(await ask(FIRST, '/api/auth/session')).toContain('"session":null')
    // Without the password nobody gets in, on whatever address.
    await expect(run(ADDRESSES[2], `valkey-cli --tls --cacert ~/mayfly-cluster/cert.pem -h ${FIRST} ping`)).resolves.toContain('NOAUTH')

    const onlyThat = (port: string) =>
      nodes
        .replaceAll(/^cd .*6380.*$/gm, '')
        .replaceAll('6379', port)
        .replace('6380', port)
    await run(ADDED, onlyThat('6379'))
    await run(FIRST, onlyThat('6381'))
    const withPassword = (script: string) => `export REDISCLI_AUTH=$(cat ~/mayfly-cluster/password)\n${script}`
    await run(FIRST, withPassword(addShard))
    const shardsSeen = async () => Number(/mayfly_store_shards{state="total"} (\d+)/.exec(await ask(FIRST, '/metrics'))?.[1])
    await until(async () => (await shardsSeen()) === 4)
    await run(ADDRESSES[1], mail.replace('by the page', 'on four shards'))
    // The nodes of the shard change their roles, as after any failure of its master.
    const askNode = (words: string) => run(FIRST, withPassword(`valkey-cli --tls --cacert ~/mayfly-cluster/cert.pem -h ${FIRST} ${words}`))
    await askNode('-p 6381 cluster failover')
    await until(async () => / 10\.0\.0\.4:6379@\S* slave /.test(await askNode('-p 6379 cluster nodes')))
    expect(await run(FIRST, withPassword(removeShard))).toContain('Stop both nodes.')
    await until(async () => (await shardsSeen()) === 3)
    expect(await ask(FIRST, '/api/mailbox/messages', `-H 'authorization: Bearer ${token}'`)).toContain('"subject":"on four shards"')
    const lines = said.join('').split('\n').filter(Boolean)
    // The replicas of a cluster that was just made join it seconds later.
    const warnings = lines.filter(line => JSON.parse(line).level >= WARNING && !/shards .* have too few replicas/.test(line))
    expect(warnings).toEqual([])
  },
)
