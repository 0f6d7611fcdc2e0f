/**
 * Debian's Postfix, Exim and OpenSMTPD as senders: each listens on loopback and relays whatever it takes to one port of loopback. Needs
 * root, because each runs in a mount namespace.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackedFolder } from '../../../scripts/engines.mjs'
import { SmtpClient } from '../clients/smtp-client.ts'
import { freePort } from '../free-port.ts'

const SCRIPT = resolve(import.meta.dirname, 'mail-sender.sh')
const START_MS_MAX = 20_000

type Ports = { readonly listen: number; readonly relay: number }

type MailServer = {
  readonly variable: string
  readonly package: string
  /** Its files, by their path under /. */
  files(ports: Ports, unpacked: string): Readonly<Record<string, string>>
  /** Shell commands; the last one runs until it is ended. With `isBatching` mail waits a moment, so that more of it shares a connection. */
  run(isBatching: boolean): string
  /** A line of its log that says that mail waits for another try. */
  readonly deferral: RegExp
  /** A line of its log that says that a connection took more than one mail. */
  readonly reuse: RegExp
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
      smtpd -d`,
    deferral: /result="?TempFail/,
    reuse: /^(\w+) mta delivery [\s\S]*\n\1 mta delivery /m,
  },
} as const satisfies Record<string, MailServer>

export const SENDER_NAMES = Object.keys(SERVERS) as (keyof typeof SERVERS)[]

/** Whether this machine can run it. */
export function canRunSender(name: keyof typeof SERVERS): boolean {
  const isAllowed = spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  return isAllowed && existsSync(unpackedOf(name))
}

function unpackedOf(name: keyof typeof SERVERS): string {
  return process.env[SERVERS[name].variable] ?? unpackedFolder(SERVERS[name].package)
}

export type MailSender = AsyncDisposable & {
  /** Its port for mail. */
  readonly port: number
  log(): string
  /** Lines of its log that say that mail waits for another try. */
  deferrals(): string[]
  hasReusedConnection(): boolean
}

/** Relays to `relayPort`. Resolves when it listens. */
export async function startMailSender(name: keyof typeof SERVERS, relayPort: number, isBatching: boolean): Promise<MailSender> {
  const server: MailServer = SERVERS[name]
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
  const sender = {
    port,
    log,
    deferrals: () =>
      log()
        .split('\n')
        .filter(line => server.deferral.test(line)),
    hasReusedConnection: () => server.reuse.test(log()),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
  await untilListening(port).catch(async error => {
    const said = log()
    await sender[Symbol.asyncDispose]()
    throw new Error(`${name} did not start: ${said}`, { cause: error })
  })
  return sender
}

async function untilListening(port: number): Promise<void> {
  const until = performance.now() + START_MS_MAX
  for (;;) {
    try {
      await using client = await SmtpClient.connect(port)
      await client.play([['QUIT', 221]])
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(100)
    }
  }
}
