/**
 * Mayfly, with senders checked and unchecked, beside other receivers of mail, in turns: `npm run lab -- peers [--turns N] [--only NAME,…]
 * [--size SHARE]`. Each is started with an empty store, rests, and gets plain text for 500 mailboxes: 4 kB and 64 kB on 20 kept connections
 * without pipelining. Then the mails that it stored are counted. Postfix is Debian's package, unpacked by `apt-get` but not installed, and
 * needs root; Inbucket and Mailpit are built by `go install`. What cannot be had is named and left out. Linux only, because CPU time and
 * memory come from /proc.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { MAILBOX_PAGE } from '../../contract/limits.ts'
import { routes } from '../../contract/routes.ts'
import { build } from '../../server/platform/installation.ts'
import { type Address, askMailbox } from '../../test/harness/clients/mailbox-client.ts'
import { dotted } from '../../test/harness/clients/smtp-client.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { textMail } from './mime-mails.ts'
import { quantile } from './parts/figures.ts'
import { KIB, measureLoad } from './parts/ingest.ts'
import { createAddresses, startMeasured, UNCHECKED } from './parts/server.ts'
import { ProcessUsage } from './process-usage.ts'

/** `createMailboxes` returns their addresses. `stored`: how many mails it has, by its own account. */
type Running = AsyncDisposable & {
  readonly port: number
  readonly pid: number
  createMailboxes(): Promise<readonly string[]>
  stored(): Promise<number>
}
type Peer = {
  readonly name: string
  readonly promise: string
  /** Builds or unpacks it unless a run before did. Its version; rejects with the reason why it cannot be had. */
  find(): Promise<string>
  start(): Promise<Running>
}
type Result = {
  readonly micros: number
  readonly perSecond: number
  readonly largeMicros: number
  readonly idle: number
  readonly highest: number
}

const MAILBOXES = 500
const CONNECTIONS = 20
/** Mails of 4 kB, before the measured ones. */
const WARM_UP = 2000
const SMALL = 6000
const LARGE = 1500
const IDLE_MS = 8000
const SAMPLE_MS = 250
const START_MS_MAX = 20_000
const GREETING_MS_MAX = 5000
const SETTLE_MS_MAX = 120_000
/** Less CPU than this in half a second is rest. */
const REST_CPU_MS = 10

const cache = resolve(import.meta.dirname, '../../dist/peers')
const run = promisify(execFile)
const boxes = Array.from({ length: MAILBOXES }, (_, n) => `box${n}`)
/** For those that need not be told of a mailbox before its mail. */
const createMailboxes = async () => boxes.map(box => `${box}@bench.test`)

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '3' }, only: { type: 'string' }, size: { type: 'string', default: '1' } },
})

const mayfly = (name: string, promise: string, env: Readonly<Record<string, string>>): Peer => ({
  name,
  promise,
  find: async () => [build.version, build.commit?.slice(0, 8)].join(' '),
  async start() {
    const server = await startMeasured(env)
    let addresses: Address[] = []
    return {
      port: server.smtpPort,
      pid: server.pid,
      async createMailboxes() {
        addresses = await createAddresses(server, MAILBOXES)
        return addresses.map(({ email }) => email)
      },
      async stored() {
        let count = 0
        for (const address of addresses) {
          const response = await askMailbox(server.httpPort, address, `${routes.messages}?limit=${MAILBOX_PAGE.max}`)
          count += ((await response.json()) as { messages: unknown[] }).messages.length
        }
        return count
      },
      [Symbol.asyncDispose]: async () => void (await server.stop()),
    }
  },
})

const inbucket = (name: string, promise: string, storage: (folder: string) => Record<string, string>): Peer => ({
  name: `Inbucket, ${name}`,
  promise,
  find: () => goInstall('github.com/inbucket/inbucket/v3', 'v3.1.1', '/cmd/inbucket'),
  async start() {
    const folder = temporaryFolder()
    const [port, web, pop3] = [await freePort(), await freePort(), await freePort()]
    const address = { INBUCKET_SMTP_ADDR: port, INBUCKET_WEB_ADDR: web, INBUCKET_POP3_ADDR: pop3 }
    const env = {
      ...Object.fromEntries(Object.entries(address).map(([key, value]) => [key, `127.0.0.1:${value}`])),
      INBUCKET_LOGLEVEL: 'warn',
      ...storage(folder),
    }
    const program = await startProgram(join(cache, 'inbucket'), [], { env, folder, port })
    const stored = async () => {
      const lists = await Promise.all(boxes.map(box => readJson<unknown[]>(`http://127.0.0.1:${web}/api/v1/mailbox/${box}`)))
      return lists.reduce((sum, { length }) => sum + length, 0)
    }
    return Object.assign(program, { port, createMailboxes, stored })
  },
})

const mailpit: Peer = {
  name: 'Mailpit',
  promise: 'parsed, not synced',
  find: () => goInstall('github.com/axllent/mailpit', 'v1.30.5'),
  async start() {
    const folder = temporaryFolder()
    const [port, web] = [await freePort(), await freePort()]
    const addresses = ['--smtp', `127.0.0.1:${port}`, '--listen', `127.0.0.1:${web}`]
    // By default it keeps 500 mails, and asks the DNS for each client's name.
    const args = [
      ...addresses,
      '--database',
      join(folder, 'mailpit.db'),
      '--max',
      '0',
      '--quiet',
      '--smtp-disable-rdns',
      '--disable-version-check',
    ]
    const program = await startProgram(join(cache, 'mailpit'), args, { env: {}, folder, port })
    const stored = async () => (await readJson<{ total: number }>(`http://127.0.0.1:${web}/api/v1/messages?limit=1`)).total
    return Object.assign(program, { port, createMailboxes, stored })
  },
}

/** Users of every Debian: Postfix insists on accounts that it shares with nobody who runs something. */
const POSTFIX_USER = 'uucp'
const POSTFIX_GROUP = 'games'
const NOBODY = 65_534

const postfix: Peer = {
  name: 'Postfix, Maildir',
  promise: 'synced',
  async find() {
    if (process.getuid?.() !== 0) throw new Error('it needs root')
    const root = join(cache, 'postfix')
    if (!existsSync(root)) {
      mkdirSync(cache, { recursive: true })
      await run('apt-get', ['download', 'postfix'], { cwd: cache })
      await run('dpkg-deb', ['-x', globSync('postfix_*.deb', { cwd: cache })[0] ?? '', root], { cwd: cache })
    }
    const { stdout } = await run(join(root, 'usr/sbin/postconf'), ['-dh', 'mail_version'], { env: postfixLibraries(root) })
    return stdout.trim()
  },
  async start() {
    const root = join(cache, 'postfix')
    const folder = temporaryFolder()
    const port = await freePort()
    configurePostfix(root, folder, port)
    const options = { env: postfixLibraries(root), folder, port }
    const program = await startProgram(join(root, 'usr/lib/postfix/sbin/master'), ['-d', '-c', join(folder, 'etc')], options)
    return Object.assign(program, { port, createMailboxes, stored: async () => globSync(join(folder, 'mail/*/new/*')).length })
  },
}

const postfixLibraries = (root: string) => ({ LD_LIBRARY_PATH: join(root, 'usr/lib/postfix') })

function configurePostfix(root: string, folder: string, port: number): void {
  const [user, group] = [idOf('passwd', POSTFIX_USER), idOf('group', POSTFIX_GROUP)]
  const [etc, queue, mail, data] = ['etc', 'queue', 'mail', 'data'].map(name => join(folder, name)) as [string, string, string, string]
  const make = (path: string, mode: number, uid = 0, gid = 0) => {
    mkdirSync(path)
    chownSync(path, uid, gid)
    chmodSync(path, mode)
  }
  for (const path of [etc, queue]) make(path, 0o755)
  make(mail, 0o700, NOBODY, NOBODY)
  make(data, 0o700, user)
  for (const name of 'active bounce corrupt defer deferred flush hold incoming private saved trace'.split(' '))
    make(join(queue, name), 0o700, user)
  make(join(queue, 'pid'), 0o755)
  make(join(queue, 'public'), 0o710, user, group)
  make(join(queue, 'maildrop'), 0o730, user, group)
  writeFileSync(join(etc, 'boxes'), boxes.map(box => `${box}@bench.test ${box}/\n`).join(''))
  const settings = {
    compatibility_level: '3.6',
    command_directory: join(root, 'usr/sbin'),
    daemon_directory: join(root, 'usr/lib/postfix/sbin'),
    queue_directory: queue,
    data_directory: data,
    mail_owner: POSTFIX_USER,
    setgid_group: POSTFIX_GROUP,
    import_environment: 'MAIL_CONFIG LD_LIBRARY_PATH',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mx.bench.test',
    mydestination: '',
    // No DNS, as for the others.
    smtpd_peername_lookup: 'no',
    virtual_mailbox_domains: 'bench.test',
    virtual_mailbox_base: mail,
    virtual_mailbox_maps: `texthash:${join(etc, 'boxes')}`,
    virtual_uid_maps: `static:${NOBODY}`,
    virtual_gid_maps: `static:${NOBODY}`,
  }
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map(name => `${name} unix - - n - 0 bounce`),
    'anvil unix - - n - 1 anvil',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
  ]
  writeFileSync(
    join(etc, 'main.cf'),
    Object.entries(settings)
      .map(([key, value]) => `${key} = ${value}\n`)
      .join(''),
  )
  writeFileSync(join(etc, 'master.cf'), `${services.join('\n')}\n`)
}

function idOf(file: 'passwd' | 'group', name: string): number {
  const line = readFileSync(`/etc/${file}`, 'utf8')
    .split('\n')
    .find(each => each.startsWith(`${name}:`))
  if (!line) throw new Error(`/etc/${file} has no ${name}`)
  return Number(line.split(':')[2])
}

/** The program is in the lab's own cache, with all that was fetched for it. */
async function goInstall(module: string, version: string, folder = ''): Promise<string> {
  const program = join(cache, `${module}${folder}`.split('/').at(-1) ?? '')
  const env = { ...process.env, GOPATH: join(cache, 'go'), GOCACHE: join(cache, 'go-build'), GOBIN: cache }
  const built = async () => {
    const { stdout } = await run('go', ['version', '-m', program], { env }).catch(() => ({ stdout: '' }))
    return stdout.split('\n').some(line => line.startsWith(`\tmod\t${module}\t${version}\t`))
  }
  if (!(await built())) await run('go', ['install', '-modcacherw', `${module}${folder}@${version}`], { env })
  return version
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-peer-'))
  // Postfix writes mail as another user.
  chmodSync(folder, 0o755)
  return folder
}

const started = new Set<number>()
process.on('exit', () => {
  for (const pid of started) process.kill(-pid, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** In a group of its own, which ends with it: Postfix has many processes. Ready when it greets. */
async function startProgram(
  path: string,
  args: string[],
  { env, folder, port }: { env: Record<string, string>; folder: string; port: number },
) {
  const child = spawn(path, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const exited = once(child, 'exit')
  const pid = child.pid ?? 0
  started.add(pid)
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
    started.delete(pid)
    rmSync(folder, { recursive: true })
  }
  const untilGreeted = async () => {
    for (const beganMs = performance.now(); performance.now() - beganMs < START_MS_MAX; await sleep(100)) {
      if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`)
      if (await greets(port)) return
    }
    throw new Error(`no greeting after ${START_MS_MAX} ms`)
  }
  await untilGreeted().catch(async error => {
    await end()
    throw new Error(`${error.message}\n${output}`)
  })
  return { pid, [Symbol.asyncDispose]: end }
}

function greets(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', timeout: GREETING_MS_MAX })
    socket.once('data', greeting => {
      resolve(greeting.toString().startsWith('220'))
      socket.end('QUIT\r\n')
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(false))
  })
}

async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as T
}

/** What a peer does with a mail after its 250, such as Postfix's delivery, is part of its cost. */
async function settle(usage: ProcessUsage): Promise<void> {
  for (let [waitedMs, before] = [0, usage.cpuMs()]; waitedMs < SETTLE_MS_MAX; waitedMs += 500) {
    await sleep(500)
    const now = usage.cpuMs()
    if (now - before <= REST_CPU_MS) return
    before = now
  }
  throw new Error(`still busy after ${SETTLE_MS_MAX} ms`)
}

async function measure(peer: Peer): Promise<Result> {
  await using running = await peer.start()
  const usage = new ProcessUsage(running.pid)
  await sleep(IDLE_MS)
  const idle = usage.rssMib()
  const receiver = { ...running, recipients: await running.createMailboxes() }
  let highest = 0
  const sample = () => {
    highest = Math.max(highest, usage.rssMib(), usage.peakMib())
  }
  const timer = setInterval(sample, SAMPLE_MS)
  using _timer = { [Symbol.dispose]: () => clearInterval(timer) }
  let sent = 0
  const send = async (name: string, bytes: number, count: number) => {
    const messages = Math.ceil(count * Number(values.size))
    sent += messages
    const load = { name, mails: [dotted(textMail(bytes))], messages, connections: CONNECTIONS, pipelining: false }
    return await measureLoad(receiver, load, name, settle)
  }
  await send('warm-up', 4 * KIB, WARM_UP)
  const small = await send('4 kB', 4 * KIB, SMALL)
  const large = await send('64 kB', 64 * KIB, LARGE)
  sample()
  const stored = await running.stored()
  if (stored !== sent) throw new Error(`${stored} of ${sent} acknowledged mails are stored`)
  return { micros: small.cpuMicros ?? 0, perSecond: small.perSecond, largeMicros: large.cpuMicros ?? 0, idle, highest }
}

/** The median of all turns, with the least and the most. */
function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [median, least, most] = [quantile(sorted, 0.5), quantile(sorted, 0), quantile(sorted, 1)].map(each =>
    Math.round(each).toLocaleString('en'),
  )
  return least === most ? `${median}` : `${median} (${least}–${most})`
}

const only = values.only?.split(',').map(name => name.trim().toLowerCase())
const peers = [
  mayfly('Mayfly', 'synced, sealed, parsed, sender checked', {}),
  mayfly('Mayfly, unchecked', 'synced, sealed, parsed', UNCHECKED),
  postfix,
  inbucket('files', 'not synced', folder => ({ INBUCKET_STORAGE_TYPE: 'file', INBUCKET_STORAGE_PARAMS: `path:${join(folder, 'mail')}` })),
  inbucket('memory', 'lost at a restart', () => ({ INBUCKET_STORAGE_TYPE: 'memory' })),
  mailpit,
].filter(({ name }) => only?.some(wanted => name.toLowerCase().startsWith(wanted)) ?? true)

const found: Peer[] = []
for (const peer of peers) {
  try {
    const version = await peer.find()
    // Whether it runs here.
    await (await peer.start())[Symbol.asyncDispose]()
    console.log(`${peer.name}: ${version}`)
    found.push(peer)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    console.log(`${peer.name}: not found: ${(stderr || message).trim().split('\n').at(-1)}`)
  }
}

const results = new Map(found.map(peer => [peer, [] as Result[]]))
for (let turn = 0; turn < Number(values.turns); turn++) {
  // Who is first in one turn is last in the next.
  for (const peer of [...found.slice(turn % found.length), ...found.slice(0, turn % found.length)]) {
    process.stderr.write(`turn ${turn + 1} of ${values.turns}, ${peer.name}, load ${loadavg()[0]?.toFixed(1)} …\n`)
    results.get(peer)?.push(await measure(peer))
  }
}
console.log(
  `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(0)}, Node ${process.versions.node}, ${values.turns} turns, median (least–most)\n`,
)
console.log(
  '| | CPU-µs a mail | a second | 64 kB, CPU-µs | MiB idle | MiB highest | promised by the 250 |\n| --- | --- | --- | --- | --- | --- | --- |',
)
for (const [{ name, promise }, all] of results) {
  const cells = (['micros', 'perSecond', 'largeMicros', 'idle', 'highest'] as const).map(key => spread(all.map(result => result[key])))
  console.log(`| ${[name, ...cells, promise].join(' | ')} |`)
}
