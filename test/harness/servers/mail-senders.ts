/**
 * Mail programs as senders: each takes mail, by SMTP on loopback or on the standard input of a command, and relays it to one port
 * of loopback. Needs root, because each runs in a mount namespace.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackedFolder } from '../../../scripts/engines.mjs'
import { SmtpClient, type Step } from '../clients/smtp-client.ts'
import { freePort } from '../free-port.ts'
import { INSTALLED, installOnce, onPath } from '../install-once.ts'
import { ALL, type ProgramName } from './mail-programs.ts'

const SCRIPT = resolve(import.meta.dirname, 'mail-sender.sh')
const START_MS_MAX = 20_000

/** Whether this machine can run it. */
export function canRunSender(name: ProgramName): boolean {
  const isAllowed = spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  const program = ALL[name]
  const isHere = 'needs' in program ? program.needs.every(onPath) : existsSync(folderOf(name))
  return isAllowed && isHere
}

function folderOf(name: ProgramName): string {
  const program = ALL[name]
  return 'needs' in program ? join(INSTALLED, 'mail-senders', name) : (process.env[program.variable] ?? unpackedFolder(program.package))
}

export type MailSender = AsyncDisposable & {
  /** Its port for mail. */
  readonly port: number
  log(): string
  readonly isAllOrNone: boolean
  readonly hasQueue: boolean
  readonly keepsConnections: boolean
  readonly losesGreetings: boolean
  /** Hands it a mail for these recipients. Rejects if the command fails, with its output. */
  submit(from: string, recipients: readonly string[], raw: Buffer): Promise<void>
  /** Tries all mail that waits. */
  flush(): Promise<void>
}

/** Relays to `relayPort`. Resolves when it listens. */
export async function startMailSender(name: ProgramName, relayPort: number, isBatching: boolean): Promise<MailSender> {
  const server = ALL[name]
  const unpacked = folderOf(name)
  if ('needs' in server) await installOnce(unpacked, server.install)
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-sender-'))
  const port = await freePort()
  for (const part of ['etc', 'var/log/sender', 'log']) mkdirSync(join(folder, part), { recursive: true })
  if (existsSync(join(unpacked, 'etc'))) cpSync(join(unpacked, 'etc'), join(folder, 'etc'), { recursive: true })
  for (const [path, text] of Object.entries(server.files({ listen: port, relay: relayPort }, unpacked))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
  const child = spawn('unshare', [...namespaces, 'sh', SCRIPT, unpacked, folder, server.run(isBatching, unpacked)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exited = once(child, 'exit')
  const log = () =>
    globSync(join(folder, 'log/*'))
      .map(path => readFileSync(path, 'utf8'))
      .join('')
  const sender: MailSender = {
    port,
    log,
    isAllOrNone: server.isAllOrNone ?? false,
    hasQueue: server.flush !== undefined,
    keepsConnections: server.keepsConnections ?? false,
    losesGreetings: server.losesGreetings ?? false,
    submit: (from, recipients, raw) =>
      server.submit
        ? runInside(
            child,
            `${server.submit} "$@"`,
            [from, ...recipients],
            Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
          )
        : handOver(port, from, recipients, raw),
    async flush() {
      if (server.flush) await runInside(child, server.flush)
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
  const started = server.submit ? until(() => runInside(child, '[ -e /run/started ]')) : untilListening(port)
  await started.catch(async error => {
    const said = log()
    await sender[Symbol.asyncDispose]()
    throw new Error(`${name} did not start: ${said}`, { cause: error })
  })
  return sender
}

const untilListening = (port: number) =>
  until(async () => {
    await using client = await SmtpClient.connect(port)
    await client.play([['QUIT', 221]])
  })

async function until(isTried: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + START_MS_MAX
  for (;;) {
    try {
      return await isTried()
    } catch (error) {
      if (performance.now() > endMs) throw error
      await sleep(100)
    }
  }
}

async function handOver(port: number, from: string, recipients: readonly string[], raw: Buffer): Promise<void> {
  await using client = await SmtpClient.connect(port)
  const utf8 = [from, ...recipients].some(address => /[^\0-\x7f]/.test(address)) ? ' SMTPUTF8' : ''
  await client.play([
    ['EHLO list.test', 250],
    [Buffer.from(`MAIL FROM:<${from}> BODY=8BITMIME${utf8}\r\n`), 250],
    ...recipients.map((email): Step => [Buffer.from(`RCPT TO:<${email}>\r\n`), 250]),
    ['DATA', 354],
    [Buffer.concat([raw, Buffer.from('.\r\n')]), 250],
  ])
}

/** Runs a shell command beside the program, in its namespaces and its root. */
async function runInside(unshare: ChildProcess, command: string, args: readonly string[] = [], input?: Buffer): Promise<void> {
  const [first = ''] = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8').split(' ')
  const inside = ['--target', first, '--mount', '--pid', 'chroot', '/mnt/root', 'sh', '-c', command, 'sh', ...args]
  const { promise, resolve: settle, reject } = Promise.withResolvers<void>()
  const { stdin } = execFile('nsenter', inside, (error, stdout, stderr) =>
    error ? reject(new Error(`${command} ended with ${error.code}: ${stdout}${stderr}`)) : settle(),
  )
  // A command that fails may not read it.
  stdin?.on('error', () => undefined)
  stdin?.end(input)
  await promise
}
