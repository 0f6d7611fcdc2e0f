/**
 * Debian's mail programs as senders: each takes mail, by SMTP on loopback or on the standard input of a command, and relays it to one port
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

const SCRIPT = resolve(import.meta.dirname, 'mail-sender.sh')
const START_MS_MAX = 20_000

type Ports = { readonly listen: number; readonly relay: number }

type MailProgram = {
  readonly variable: string
  readonly package: string
  /** Its files, by their path under /. */
  files(ports: Ports, unpacked: string): Readonly<Record<string, string>>
  /** Shell commands; the last one runs until it is ended. With `isBatching` mail waits a moment, so that more of it shares a connection. */
  run(isBatching: boolean): string
  /** The shell command that takes a mail, for the sender and recipients that follow it. Without one the program listens. */
  readonly submit?: string
  /** The shell command that tries all mail that waits. Without one there is no queue: `submit` fails, and its caller tries again. */
  readonly flush?: string
  /** Whether one refused recipient keeps the mail from all. */
  readonly isAllOrNone?: true
  /** Whether it speaks SMTPUTF8 (RFC 6531). */
  readonly isUtf8?: true
  /** Whether what it deferred waits for minutes whatever it is told. */
  readonly isSlow?: true
  /** A line of its log that says that mail waits for another try. */
  readonly deferral?: RegExp
  /** A line of its log that says that a connection took more than one mail. */
  readonly reuse?: RegExp
}

const SERVERS = {
  Postfix: {
    variable: 'POSTFIX_FOLDER',
    package: 'postfix',
    files: ({ listen, relay }, unpacked) => ({
      'etc/postfix/main.cf': `compatibility_level = 3.6
        myhostname = sender.test
        mydestination =
        mynetworks = 127.0.0.0/8
        inet_interfaces = 127.0.0.1
        inet_protocols = ipv4
        relayhost = [127.0.0.1]:${relay}
        disable_dns_lookups = yes
        # With TLS it would keep no connection.
        smtp_tls_security_level = none
        default_destination_concurrency_limit = 1
        smtp_connection_cache_destinations = static:all
        maillog_file = /var/log/sender/log
        alias_maps =
        meta_directory = /etc/postfix
        shlib_directory = /usr/lib/postfix
        `.replaceAll(/^ +/gm, ''),
      // Debian's file is made at the installation: nothing runs in a chroot, and another port.
      'etc/postfix/master.cf': readFileSync(join(unpacked, 'usr/share/postfix/master.cf.dist'), 'utf8')
        .replace(/^smtp +inet /m, `127.0.0.1:${listen} inet `)
        .replaceAll(/^(\w+ +unix +\S+ +\S+ +)y/gm, '$1n'),
      'etc/postfix/dynamicmaps.cf': '',
    }),
    run: () => `mkdir -p /var/spool/postfix /var/lib/postfix
      chown postfix: /var/lib/postfix
      postfix start-fg`,
    flush: 'postqueue -f',
    isUtf8: true,
    deferral: /status=deferred/,
    reuse: /conn_use=2/,
  },
  Exim: {
    variable: 'EXIM_FOLDER',
    package: 'exim4-daemon-light',
    files: ({ listen, relay }) => ({
      'etc/exim4/exim4.conf': `primary_hostname = sender.test
        local_interfaces = 127.0.0.1
        daemon_smtp_ports = ${listen}
        notifier_socket =
        log_file_path = /var/log/sender/%slog
        acl_smtp_rcpt = accept
        acl_smtp_data = accept
        host_lookup =
        keep_environment =
        begin routers
        relay:
          driver = manualroute
          route_list = * 127.0.0.1::${relay} byname
          self = send
          transport = remote_smtp
        begin transports
        remote_smtp:
          driver = smtp
        begin retry
        * * F,2h,15m; G,16h,1h,1.5; F,4d,6h
        `.replaceAll(/^ +/gm, ''),
    }),
    run: isBatching => `mkdir -p /var/spool/exim4
      chown Debian-exim: /var/spool/exim4 /var/log/sender
      exim4 -bdf ${isBatching ? '-qq3s -odqs' : '-q1m'}`,
    flush: 'exim4 -qff',
    deferral: / == .* defer \(-/,
    reuse: / => .* H=\S+ \S+\]\* /,
  },
  OpenSMTPD: {
    variable: 'OPENSMTPD_FOLDER',
    package: 'opensmtpd',
    files: ({ listen, relay }) => ({
      'etc/mailname': 'sender.test\n',
      'etc/smtpd.conf': `listen on 127.0.0.1 port ${listen}
        action "relay" relay host smtp://127.0.0.1:${relay}
        match from any for any action "relay"
        `.replaceAll(/^ +/gm, ''),
    }),
    run: () => `mkdir -p -m 711 /var/spool/smtpd
      mkdir -p /var/lib/opensmtpd/empty
      chgrp opensmtpq /usr/sbin/smtpctl
      chmod g+s /usr/sbin/smtpctl
      smtpd -d`,
    flush: 'smtpctl schedule all',
    deferral: /result="?TempFail/,
    reuse: /^(\w+) mta delivery [\s\S]*\n\1 mta delivery /m,
  },
} as const satisfies Record<string, MailProgram>

/** They log nothing of connections, and most do not listen. */
const PROGRAMS = {
  Sendmail: {
    variable: 'SENDMAIL_FOLDER',
    package: 'sendmail-bin',
    files: ({ listen, relay }) => ({
      'etc/mail/switch': 'hosts files\n',
      'etc/mail/sender.mc': `define(\`_USE_ETC_MAIL_')dnl
        OSTYPE(\`linux')dnl
        define(\`confPID_FILE',\`/run/sendmail.pid')dnl
        define(\`confDOMAIN_NAME',\`sender.test')dnl
        define(\`confSERVICE_SWITCH_FILE',\`/etc/mail/switch')dnl
        define(\`confSMTP_MAILER',\`esmtp')dnl
        define(\`confREFUSE_LA',\`1000')dnl
        define(\`confQUEUE_LA',\`1000')dnl
        define(\`confTO_HOSTSTATUS',\`0')dnl
        define(\`ALIAS_FILE',\`')dnl
        define(\`SMART_HOST',\`esmtp:[127.0.0.1]')dnl
        define(\`ESMTP_MAILER_ARGS',\`TCP $h ${relay}')dnl
        FEATURE(\`nocanonify')dnl
        FEATURE(\`no_default_msa')dnl
        FEATURE(\`accept_unresolvable_domains')dnl
        FEATURE(\`accept_unqualified_senders')dnl
        DAEMON_OPTIONS(\`Family=inet, Name=MTA, Addr=127.0.0.1, Port=${listen}')dnl
        MAILER(\`smtp')dnl
        `.replaceAll(/^ +/gm, ''),
    }),
    // It waits a minute for a full name of its machine.
    run: () => `echo "127.0.0.1 $(hostname).test $(hostname)" >> /etc/hosts
      m4 -D_CF_DIR_=/usr/share/sendmail/cf/ /usr/share/sendmail/cf/m4/cf.m4 /etc/mail/sender.mc > /etc/mail/sendmail.cf
      mkdir -p -m 700 /var/spool/mqueue
      chmod g-s /usr/libexec/sendmail/sendmail
      /usr/libexec/sendmail/sendmail -bD -q1m`,
    flush: '/usr/libexec/sendmail/sendmail -q',
  },
  nullmailer: {
    variable: 'NULLMAILER_FOLDER',
    package: 'nullmailer',
    files: ({ relay }) => ({
      'etc/mailname': 'sender.test\n',
      'etc/nullmailer/remotes': `127.0.0.1 smtp --port=${relay}\n`,
    }),
    run: () => `mkdir -p /var/spool/nullmailer/queue /var/spool/nullmailer/tmp /var/spool/nullmailer/failed
      mkfifo /var/spool/nullmailer/trigger
      chown -R mail: /var/spool/nullmailer
      nullmailer-send`,
    // Its daemon opens the pipe that wakes it anew after each scan, and may not have done so yet.
    submit: "trap '' PIPE; sendmail -f",
    flush: 'echo > /var/spool/nullmailer/trigger',
    isAllOrNone: true,
  },
  'DragonFly Mail Agent': {
    variable: 'DMA_FOLDER',
    package: 'dma',
    files: ({ relay }) => ({ 'etc/dma/dma.conf': `SMARTHOST 127.0.0.1\nPORT ${relay}\nMAILNAME sender.test\n` }),
    run: () => `mkdir -p /var/spool/dma
      chown root:mail /var/spool/dma
      chmod 2775 /var/spool/dma
      sleep infinity`,
    submit: 'dma -f',
    flush: 'dma -q',
    isSlow: true,
  },
  msmtp: {
    variable: 'MSMTP_FOLDER',
    package: 'msmtp',
    files: ({ relay }) => ({ 'etc/msmtprc': `account default\nhost 127.0.0.1\nport ${relay}\n` }),
    run: () => 'sleep infinity',
    submit: 'msmtp -f',
    isAllOrNone: true,
  },
} as const satisfies Record<string, MailProgram>

type ServerName = keyof typeof SERVERS
type ProgramName = ServerName | keyof typeof PROGRAMS
const ALL: Readonly<Record<ProgramName, MailProgram>> = { ...SERVERS, ...PROGRAMS }

/** The programs that log what they deferred, and which connections they kept. */
export const SENDER_NAMES = Object.keys(SERVERS) as ServerName[]
export const ALL_SENDER_NAMES = Object.keys(ALL) as ProgramName[]
export const QUICK_SENDER_NAMES = ALL_SENDER_NAMES.filter(name => !ALL[name].isSlow)
export const UTF8_SENDER_NAMES = ALL_SENDER_NAMES.filter(name => ALL[name].isUtf8)

/** Whether this machine can run it. */
export function canRunSender(name: ProgramName): boolean {
  const isAllowed = spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  return isAllowed && existsSync(unpackedOf(name))
}

function unpackedOf(name: ProgramName): string {
  return process.env[ALL[name].variable] ?? unpackedFolder(ALL[name].package)
}

export type MailSender = AsyncDisposable & {
  /** Its port for mail. */
  readonly port: number
  log(): string
  /** Lines of its log that say that mail waits for another try. */
  deferrals(): string[]
  hasReusedConnection(): boolean
  readonly isAllOrNone: boolean
  readonly hasQueue: boolean
  /** Hands it a mail for these recipients. Rejects if the command fails, with its output. */
  submit(from: string, recipients: readonly string[], raw: Buffer): Promise<void>
  /** Tries all mail that waits. */
  flush(): Promise<void>
}

/** Relays to `relayPort`. Resolves when it listens. */
export async function startMailSender(name: ProgramName, relayPort: number, isBatching: boolean): Promise<MailSender> {
  const server = ALL[name]
  const unpacked = unpackedOf(name)
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-sender-'))
  const port = await freePort()
  for (const part of ['etc', 'var/log/sender', 'log']) mkdirSync(join(folder, part), { recursive: true })
  if (existsSync(join(unpacked, 'etc'))) cpSync(join(unpacked, 'etc'), join(folder, 'etc'), { recursive: true })
  for (const [path, text] of Object.entries(server.files({ listen: port, relay: relayPort }, unpacked))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
  const child = spawn('unshare', [...namespaces, 'sh', SCRIPT, unpacked, folder, server.run(isBatching)], {
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
    deferrals: () =>
      log()
        .split('\n')
        .filter(line => server.deferral?.test(line)),
    hasReusedConnection: () => server.reuse?.test(log()) ?? false,
    isAllOrNone: server.isAllOrNone ?? false,
    hasQueue: server.flush !== undefined,
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
  const started = server.submit ? until(() => runInside(child, ': > /run/started')) : untilListening(port)
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
