/**
 * Compares names for the default mail domain: `npm run lab -- email-validators [NAME ...]`. Asks validators of npm, PyPI, Maven, Go,
 * crates.io and Debian (PHP, Ruby, Perl), and Chromium's input field, whether they take an address at each name. What it prints is counted
 * in docs/decisions/0037-the-default-domain.md. The versions are pinned below. A language that is not installed is left out with a
 * sentence. Linux only: validators that ask DNS do so in a network namespace, where a small server has what IANA publishes for these names,
 * so nothing is asked on the internet.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chromium } from '@playwright/test'
import { launchOptions } from '../../scripts/chromium.ts'
import { startDnsServer } from '../../test/harness/servers/dns-server.ts'
import { buildCrate, buildGo, installMaven, installNpm, installPypi, runIn } from '../registries.ts'

const NAMES = [
  'mayfly.test',
  'in.example.com',
  'example.com',
  'mayfly.example',
  'mayfly.localhost',
  'localhost.localdomain',
  'mayfly.internal',
  'mayfly.home.arpa',
  'mayfly.local',
  'mayfly.invalid',
  'localhost',
]
/** example.com takes no mail by a null MX record (RFC 7505). None of the other names exists in the public DNS. */
const PUBLIC_DNS = {
  'example.com MX': ['.'],
  'example.com A': ['192.0.2.1'],
  'example.com TXT': ['v=spf1 -all'],
  '_dmarc.example.com TXT': ['v=DMARC1;p=reject;sp=reject;adkim=s;aspf=s'],
}
const KINDS = ['syntax', 'list of TLDs', 'list of special names', 'list of senders', 'DNS']
const LOCAL_PART = 'calm.otter.123456789'

const NPM = [
  'validator@13.15.35',
  'class-validator@0.15.1',
  'zod@4.6.7',
  'yup@1.7.1',
  'valibot@1.5.0',
  'email-validator@2.0.4',
  'isemail@3.2.0',
  'ajv@8.20.0',
  'ajv-formats@3.0.1',
  'joi@18.3.2',
  'linkifyjs@4.4.0',
  'autolinker@4.1.5',
  'linkify-it@6.1.0',
  'disposable-email-domains-js@1.26.0',
  'deep-email-validator@0.1.27',
]
const PYPI = [
  'email-validator==2.4.0',
  'Django==5.2.19',
  'WTForms==3.3.2',
  'marshmallow==4.4.0',
  'pydantic==2.14.4',
  'fastapi-mail==1.6.8',
  'validators==0.36.0',
]
const MAVEN = [
  'commons-validator:commons-validator:1.10.1',
  'org.hibernate.validator:hibernate-validator:9.1.6.Final',
  'org.eclipse.angus:angus-mail:2.0.5',
  'com.sanctionco.jmail:jmail:2.1.0',
  'org.glassfish.expressly:expressly:6.0.0',
]
const GO = [
  'github.com/go-playground/validator/v10@v10.30.6',
  'github.com/asaskevich/govalidator@v0.0.0-20230301143203-a9d515a09cc2',
  'github.com/badoux/checkmail@v1.2.4',
]
const CRATES = { validator: '"=0.21.0"', email_address: '"=0.2.10"' }

/** `accepted`: one for each name. */
type Row = { readonly kind: string; readonly title: string; readonly version: string; readonly accepted: readonly boolean[] }
type Ecosystem = {
  readonly name: string
  /** Its remedy where it is missing. */
  readonly needs: string
  /** Installs what it asks in `folder`, from a registry. */
  install(folder: string): void
  /** The command that prints a line for each validator; the addresses follow. */
  command(folder: string): readonly string[]
}

const source = (name: string) => join(import.meta.dirname, name)

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    name: 'npm',
    needs: 'Node with npm',
    install: folder => installNpm(folder, NPM),
    command: folder => [process.execPath, source('npm.mjs'), folder],
  },
  {
    name: 'PyPI',
    needs: 'python3 with venv',
    install: folder => installPypi(folder, PYPI),
    command: folder => [join(folder, 'bin/python'), source('pypi.py')],
  },
  {
    name: 'Maven',
    needs: 'maven and a JDK of 17 or later',
    install: folder => installMaven(folder, MAVEN),
    command: folder => {
      const versions = MAVEN.map(each => each.split(':')[2]).join(',')
      return ['java', '-cp', readFileSync(join(folder, 'classpath'), 'utf8'), source('Maven.java'), versions]
    },
  },
  {
    name: 'Go',
    needs: 'go',
    install: folder => buildGo(folder, source('main.go'), GO),
    command: folder => [join(folder, 'program')],
  },
  {
    name: 'crates.io',
    needs: 'cargo',
    install: folder => buildCrate(folder, source('main.rs'), CRATES),
    command: folder => [join(folder, 'target/debug/program'), ...Object.values(CRATES).map(version => version.slice(2, -1))],
  },
  {
    name: 'PHP',
    needs: 'apt-get install php-cli php-intl php-email-validator php-symfony-validator php-illuminate-validation',
    install: folder => void runIn(folder, 'php', source('debian.php')),
    command: () => ['php', source('debian.php')],
  },
  {
    name: 'Ruby',
    needs: 'apt-get install ruby ruby-valid-email',
    install: folder => void runIn(folder, 'ruby', source('debian.rb')),
    command: () => ['ruby', source('debian.rb')],
  },
  {
    name: 'Perl',
    needs: 'apt-get install libemail-valid-perl libnet-domain-tld-perl',
    install: folder => void runIn(folder, 'perl', source('debian.pl')),
    command: () => ['perl', source('debian.pl')],
  },
]

const INSIDE = '--inside'
const [first, ...rest] = process.argv.slice(2)
if (first === INSIDE) await compare(rest[0] ?? '', rest.slice(1))
else installAndCompare(first === undefined ? NAMES : [first, ...rest])

/** Installs with the internet, then compares in a namespace without it. */
function installAndCompare(names: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-validators-'))
  try {
    for (const { name, needs, install } of ECOSYSTEMS) {
      const own = join(folder, name)
      mkdirSync(own)
      try {
        install(own)
        writeFileSync(join(own, 'installed'), '')
      } catch (error) {
        console.error(`${name} is left out. It needs: ${needs} (${String(error).split('\n')[0]})`)
      }
    }
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
    const enter = 'ip link set lo up && mount --bind "$1/resolv.conf" /etc/resolv.conf && shift && exec "$@"'
    const again = [process.execPath, import.meta.filename, INSIDE, folder, ...names]
    const { status } = spawnSync('unshare', ['--map-root-user', '--net', '--mount', 'sh', '-c', enter, 'sh', folder, ...again], {
      stdio: 'inherit',
    })
    process.exitCode = status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(folder: string, names: readonly string[]): Promise<void> {
  await using _dns = await startDnsServer(PUBLIC_DNS, { port: 53 })
  const addresses = names.map(name => `${LOCAL_PART}@${name}`)
  const rows = [await askChromium(addresses)]
  for (const { name, command } of ECOSYSTEMS) {
    const own = join(folder, name)
    if (existsSync(join(own, 'installed'))) rows.push(...(await ask([...command(own), ...addresses])))
  }
  print(rows, names)
}

/** In another process, while this one answers for DNS. */
async function ask([command = '', ...args]: readonly string[]): Promise<Row[]> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

async function askChromium(addresses: readonly string[]): Promise<Row> {
  const browser = await chromium.launch(launchOptions)
  const page = await browser.newPage()
  await page.setContent('<input type="email">')
  const accepted: boolean[] = []
  for (const address of addresses) {
    await page.locator('input').fill(address)
    accepted.push(await page.locator('input').evaluate((input: HTMLInputElement) => input.validity.valid))
  }
  const row = { kind: 'syntax', title: 'Chromium `<input type=email>`', version: browser.version(), accepted }
  await browser.close()
  return row
}

/** Markdown: those that look at the form alone first, then by what else they know. The last line has the sums. */
function print(rows: readonly Row[], names: readonly string[]): void {
  const line = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  line(['validator', 'version', 'knows', ...names.map(name => `\`${name}\``)])
  line(['---', '---', '---', ...names.map(() => '---')])
  for (const { kind, title, version, accepted } of [...rows].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)))
    line([title, version, kind, ...accepted.map(isAccepted => (isAccepted ? '✓' : '–'))])
  line([`accepted of ${rows.length}`, '', '', ...names.map((_, at) => rows.filter(({ accepted }) => accepted[at]).length)])
}
