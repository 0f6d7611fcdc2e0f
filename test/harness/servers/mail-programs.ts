/** The mail programs that tests relay with: their settings, how each is run, and how it is told to try again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How to get its files, which are laid over the system's. */
type Source =
  /** They come from a Debian package, which scripts/engines.mjs unpacks and names in this variable. */
  | { readonly variable: string; readonly package: string }
  /** Shell commands fill an empty folder, which is kept. They need these commands and a registry. */
  | { readonly install: string; readonly needs: readonly string[] }

type MailProgram = Source & {
  /** Its files, by their path under /. */
  files(ports: { readonly listen: number; readonly relay: number }, unpacked: string): Readonly<Record<string, string>>
  /**
   * Shell commands; the last one runs until it is ended. A program that does not listen makes `/run/started` first. With `isBatching` mail
   * waits a moment, so that more of it shares a connection.
   */
  run(isBatching: boolean, folder: string): string
  /** The shell command that takes a mail, for the sender and recipients that follow it. Without one the program listens. */
  readonly submit?: string
  /** The shell command that tries all mail that waits. Without one there is no queue: `submit` fails, and its caller tries again. */
  readonly flush?: string
  /** Whether one refused recipient keeps the mail from all. */
  readonly isAllOrNone?: true
  /** Whether it speaks SMTPUTF8 (RFC 6531). */
  readonly isUtf8?: true
  /** Whether it sends more than one mail over a connection. */
  readonly keepsConnections?: true
  /** Whether it bounces the mail of a connection that ends before the reply to EHLO: findings/dma-lost-greeting.sh. */
  readonly losesGreetings?: true
}

const PROGRAMS = {
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
    keepsConnections: true,
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
    isUtf8: true,
    keepsConnections: true,
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
    keepsConnections: true,
  },
  slimta: {
    // Later versions of setuptools have no module of the name that it imports.
    install: `python3 -m venv .
      bin/pip install --quiet slimta==0.9.1 python-slimta==5.0.5 setuptools==80.9.0`,
    needs: ['python3'],
    files: ({ listen, relay }) => ({
      'etc/slimta/slimta.yaml': JSON.stringify({
        process: {
          slimta: {
            fqdn: 'sender.test',
            logging: {
              version: 1,
              disable_existing_loggers: false,
              root: { level: 'DEBUG', handlers: ['file'] },
              handlers: { file: { class: 'logging.FileHandler', filename: '/var/log/sender/log' } },
            },
          },
        },
        edge: { all: { type: 'smtp', queue: 'all', listener: { interface: '127.0.0.1', port: listen } } },
        queue: { all: { type: 'memory', relay: 'all', retry: { maximum: 1000, delay: '1' } } },
        relay: { all: { type: 'static', host: '127.0.0.1', port: relay, concurrent_connections: 1 } },
      }),
    }),
    run: (_, folder) => `"${folder}/bin/python" -c 'from slimta.app.main import main; main()' -n slimta`,
    flush: ':',
    keepsConnections: true,
  },
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
    run: isBatching => `echo "127.0.0.1 $(hostname).test $(hostname)" >> /etc/hosts
      m4 -D_CF_DIR_=/usr/share/sendmail/cf/ /usr/share/sendmail/cf/m4/cf.m4 /etc/mail/sender.mc > /etc/mail/sendmail.cf
      mkdir -p -m 700 /var/spool/mqueue
      chmod g-s /usr/libexec/sendmail/sendmail
      /usr/libexec/sendmail/sendmail -bD -q1m ${isBatching ? '-odq' : ''}`,
    flush: '/usr/libexec/sendmail/sendmail -q',
    keepsConnections: true,
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
      : > /run/started
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
      : > /run/started
      sleep infinity`,
    submit: 'dma -f',
    // After a failed try its process sleeps, and looks every 30 seconds whether this was typed.
    flush: 'dma -q',
    losesGreetings: true,
  },
  Haraka: {
    install: 'npm install --prefix . --ignore-scripts --no-audit --no-fund Haraka@3.3.4',
    needs: ['npm'],
    isUtf8: true,
    files: ({ listen, relay }, folder) => ({
      // It ends each connection without its section of greetings.
      'etc/haraka/config/connection.ini': readFileSync(join(folder, 'node_modules/Haraka/config/connection.ini'), 'utf8'),
      'etc/haraka/config/smtp.ini': `listen=127.0.0.1:${listen}\n`,
      'etc/haraka/config/outbound.ini': 'temp_fail_intervals=5s*1000\nenable_tls=false\nlocal_mx_ok=true\n',
      'etc/haraka/config/log.ini': '[main]\nlevel=notice\n',
      'etc/haraka/config/me': 'sender.test\n',
      'etc/haraka/config/plugins': 'relay-all\n',
      'etc/haraka/plugins/relay-all.js': `exports.hook_connect = (next, connection) => { connection.relaying = true; next() }
        exports.hook_rcpt = next => next(OK)
        exports.hook_get_mx = next => next(OK, { exchange: '127.0.0.1', port: ${relay}, bind_helo: 'sender.test' })
        `,
    }),
    run: (_, folder) => `${process.execPath} ${folder}/node_modules/Haraka/bin/haraka -c /etc/haraka`,
    flush: ':',
  },
  maddy: {
    // Its own go.mod replaces modules, which counts only in its own folder. What would set DNS records is left out.
    install: `from=$(cd / && go mod download -json github.com/foxcpp/maddy@v0.8.1 | sed -n 's/.*"Dir": "\\(.*\\)".*/\\1/p')
      cp -r "$from" source
      chmod -R u+w source
      cd source
      CGO_ENABLED=0 go build -o ../maddy ./cmd/maddy
      rm -rf source`,
    needs: ['go'],
    isUtf8: true,
    files: ({ listen, relay }) => ({
      'etc/maddy/maddy.conf': `hostname sender.test
        state_dir /var/lib/maddy
        runtime_dir /run/maddy
        tls off
        target.smtp relay {
          targets tcp://127.0.0.1:${relay}
          starttls no
        }
        target.queue queue {
          target &relay
          autogenerated_msg_domain sender.test
          bounce {
            default_destination {
              deliver_to &queue
            }
          }
        }
        smtp tcp://127.0.0.1:${listen} {
          deliver_to &queue
        }
        `.replaceAll(/^ +/gm, ''),
    }),
    // It tries again after 15 minutes, or ten seconds after a start what is due.
    run: (_, folder) => `mkdir -p /var/lib/maddy /run/maddy
      while :; do
        ${folder}/maddy run & echo $! > /run/maddy.pid
        wait $! || :
        sed -i 's/"LastAttempt":"[^"]*"/"LastAttempt":"2026-01-01T00:00:00Z"/' /var/lib/maddy/queue/*.meta || :
      done`,
    flush: '[ -n "$(find /run/flushed -newermt "20 seconds ago")" ] || { touch /run/flushed; kill -9 $(cat /run/maddy.pid); }',
  },
  msmtp: {
    variable: 'MSMTP_FOLDER',
    package: 'msmtp',
    files: ({ relay }) => ({ 'etc/msmtprc': `account default\nhost 127.0.0.1\nport ${relay}\n` }),
    run: () => ': > /run/started; sleep infinity',
    submit: 'msmtp -f',
    isAllOrNone: true,
  },
} as const satisfies Record<string, MailProgram>

export type ProgramName = keyof typeof PROGRAMS
export const ALL: Readonly<Record<ProgramName, MailProgram>> = PROGRAMS

export const SENDER_NAMES = Object.keys(ALL) as ProgramName[]
export const UTF8_SENDER_NAMES = SENDER_NAMES.filter(name => ALL[name].isUtf8)
