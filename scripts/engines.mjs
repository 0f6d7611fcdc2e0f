// Finds the database servers and tools that tests need, and says what is missing. Installs Debian's packages only when asked to.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './bootstrap.mjs'

const onPath = names =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(existsSync)

const firstOnPath = names => names.map(name => onPath([name])).find(Boolean)

function postgresBin() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map(version => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)]
  // Some images have a link to initdb alone on the PATH, which is no server.
  return folders.find(bin => ['initdb', 'postgres'].every(name => existsSync(join(bin, name))))
}

/** PHP and Ruby have no mail library of their own. */
function hasMailLibraries(program) {
  if (program === 'ruby') return spawnSync('ruby', ['-e', 'require "mail"; require "action_mailer"'], { stdio: 'ignore' }).status === 0
  const files = ['libphp-phpmailer/autoload.php', 'Symfony/Component/Mailer/autoload.php']
  return program !== 'php' || files.every(file => existsSync(join('/usr/share/php', file)))
}

/** Debian has it beside the library, off the PATH. */
function miniBrowser() {
  const folders = ['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1`)
  return folders.map(folder => join(folder, 'MiniBrowser')).find(existsSync)
}

/** Where the files of Debian packages are that cannot be installed: mail servers exclude each other and the system's. */
export const unpackedFolder = name => join(root, 'node_modules/.cache/debian', name)

const findUnpacked = name => [unpackedFolder(name)].find(existsSync)

/** `variable` tells the tests where the engine is. The quick run needs only what is marked `isQuick`. */
const ENGINES = [
  {
    name: 'Chromium',
    isQuick: true,
    variable: 'CHROMIUM_PATH',
    // Ordered by the time of a test with each of them.
    find: () => firstOnPath(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
    debian: ['chromium-headless-shell', 'fonts-liberation'],
    needed: 'whatever needs a browser (size budget, browser tests, newcomer)',
  },
  {
    name: 'Chromium with extensions',
    variable: 'EXTENSION_BROWSER',
    // The shell has none.
    find: () => firstOnPath(['chromium', 'chromium-browser']),
    debian: ['chromium'],
    needed: 'the test of the browser extension',
  },
  {
    name: 'ChromeDriver',
    variable: 'CHROMEDRIVER_PATH',
    find: () => onPath(['chromedriver']),
    debian: ['chromium-driver'],
    needed: 'the test of the client with WebdriverIO',
  },
  {
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    find: () => firstOnPath(['firefox-esr', 'firefox']),
    debian: ['firefox-esr'],
    needed: 'the tests in Firefox',
  },
  {
    name: 'WebKitGTK',
    variable: 'MINIBROWSER_PATH',
    find: () => (onPath(['Xvfb']) ? miniBrowser() : undefined),
    debian: ['libwebkit2gtk-4.1-0', 'xvfb'],
    needed: 'the tests in WebKit',
  },
  {
    name: 'PostgreSQL',
    variable: 'POSTGRES_BIN',
    find: postgresBin,
    debian: ['postgresql'],
    needed: 'the tests of the PostgreSQL adapter',
  },
  {
    name: 'PgBouncer',
    variable: 'PGBOUNCER_PATH',
    find: () => onPath(['pgbouncer']) ?? ['/usr/sbin/pgbouncer'].find(existsSync),
    debian: ['pgbouncer'],
    needed: 'the tests of PostgreSQL behind it',
  },
  {
    name: 'Pgpool-II',
    variable: 'PGPOOL_PATH',
    find: () => onPath(['pgpool']) ?? ['/usr/sbin/pgpool'].find(existsSync),
    debian: ['pgpool2'],
    needed: 'the tests of PostgreSQL behind it',
  },
  {
    name: 'HAProxy',
    variable: 'HAPROXY_PATH',
    // Debian installs it where only root's PATH looks.
    find: () => onPath(['haproxy']) ?? ['/usr/sbin/haproxy'].find(existsSync),
    debian: ['haproxy'],
    needed: 'the tests of several processes behind a proxy',
  },
  {
    name: 'Redis 7',
    variable: 'REDIS_SERVER',
    find: () => firstOnPath(['redis-server', 'valkey-server']),
    debian: ['redis-server'],
    needed: 'the tests of the cluster adapter',
  },
  {
    name: 'swaks with TLS',
    variable: 'SWAKS_PATH',
    // Without this Perl module swaks cannot encrypt, and reports it only when asked to.
    find: () => (spawnSync('perl', ['-MNet::SSLeay', '-e', '1'], { stdio: 'ignore' }).status === 0 ? onPath(['swaks']) : undefined),
    debian: ['swaks', 'libnet-ssleay-perl'],
    needed: 'the test that delivers with swaks',
  },
  {
    name: 'curl with jq',
    variable: 'JQ_PATH',
    find: () => onPath(['curl']) && onPath(['jq']),
    debian: ['curl', 'jq'],
    needed: 'the test that runs the script of the README',
  },
  {
    name: 'Pebble',
    variable: 'PEBBLE_PATH',
    find: () => onPath(['pebble']),
    debian: ['pebble'],
    needed: 'the tests of certificates by ACME',
  },
  {
    name: 'nginx',
    variable: 'NGINX_PATH',
    find: () =>
      existsSync('/usr/lib/nginx/modules/ngx_stream_module.so') ? (onPath(['nginx']) ?? ['/usr/sbin/nginx'].find(existsSync)) : undefined,
    debian: ['nginx-light', 'libnginx-mod-stream'],
    needed: 'the tests of its settings in deploy/',
  },
  {
    name: 'Apache',
    variable: 'APACHE_PATH',
    find: () => onPath(['apache2']) ?? ['/usr/sbin/apache2'].find(existsSync),
    debian: ['apache2'],
    needed: 'the test of its settings in deploy/',
  },
  {
    name: 'Varnish',
    variable: 'VARNISH_PATH',
    find: () => onPath(['varnishd']) ?? ['/usr/sbin/varnishd'].find(existsSync),
    debian: ['varnish'],
    needed: 'the test of its settings in deploy/',
  },
  {
    name: 'stunnel',
    variable: 'STUNNEL_PATH',
    find: () => firstOnPath(['stunnel4', 'stunnel']),
    debian: ['stunnel4'],
    needed: 'the tests of its settings in deploy/',
  },
  {
    name: 'Caddy',
    variable: 'CADDY_PATH',
    find: () => onPath(['caddy']),
    debian: ['caddy'],
    needed: 'the test of its settings in deploy/',
  },
  {
    name: 'promtool',
    variable: 'PROMTOOL_PATH',
    find: () => onPath(['promtool']),
    debian: ['prometheus'],
    needed: 'the test of the alert rules in deploy/',
  },
  {
    name: 'strace',
    variable: 'STRACE_PATH',
    find: () => onPath(['strace']),
    debian: ['strace'],
    needed: 'the test that mail is on the disk before 250 is said',
  },
  {
    name: 'Buildah',
    variable: 'BUILDAH_PATH',
    find: () => onPath(['buildah']),
    debian: ['buildah'],
    needed: 'the test of what the container image holds',
  },
  {
    name: 'systemd',
    variable: 'SYSTEMD_ANALYZE_PATH',
    find: () => onPath(['systemd-analyze']),
    debian: ['systemd'],
    needed: 'the test of the unit in deploy/',
  },
  ...[
    ['Maven with a JDK', 'MAVEN_PATH', ['mvn', 'javac'], ['maven', 'default-jdk-headless']],
    ['Go', 'GO_PATH', ['go'], ['golang-go']],
    ['Cargo', 'CARGO_PATH', ['cargo'], ['cargo']],
    ['PHP with mail libraries', 'PHP_PATH', ['php'], ['php-cli', 'libphp-phpmailer', 'php-symfony-mailer']],
    ['Ruby with mail libraries', 'RUBY_PATH', ['ruby'], ['ruby', 'ruby-mail', 'ruby-actionmailer']],
  ].map(([name, variable, programs, debian]) => ({
    name,
    variable,
    find: () => (programs.every(program => onPath([program])) && hasMailLibraries(programs[0]) ? onPath([programs[0]]) : undefined),
    debian,
    needed: 'the test that delivers with its mail libraries',
  })),
  ...[
    ['Postfix', 'POSTFIX_FOLDER', 'postfix'],
    ['Exim', 'EXIM_FOLDER', 'exim4-daemon-light'],
    ['OpenSMTPD', 'OPENSMTPD_FOLDER', 'opensmtpd'],
    ['Sendmail', 'SENDMAIL_FOLDER', 'sendmail-bin', 'sendmail-cf', 'm4'],
    ['nullmailer', 'NULLMAILER_FOLDER', 'nullmailer'],
    ['DragonFly Mail Agent', 'DMA_FOLDER', 'dma'],
    ['msmtp', 'MSMTP_FOLDER', 'msmtp'],
  ].map(([name, variable, ...debian]) => ({
    name,
    variable,
    find: () => findUnpacked(debian[0]),
    debian,
    isUnpacked: true,
    needed: 'the test that delivers with it',
  })),
]

/**
 * @param {Record<string, string | undefined>} environment is given the variables of what was found
 * @param {{ all: boolean, install: boolean }} options with `all` also what only `npm test -- --all` needs; with `install`, what is missing is
 * installed, if this is root on Debian
 * @returns {string[]} one plain sentence for each engine that is missing
 */
export function findEngines(environment, { all, install }) {
  return ENGINES.flatMap(engine => {
    const find = () => process.env[engine.variable] ?? engine.find()
    const isNeeded = all || engine.isQuick
    const path = find() ?? (install && isNeeded && installPackages(engine) ? find() : undefined)
    if (path) {
      environment[engine.variable] = path
      return []
    }
    if (!isNeeded) return []
    const remedy = engine.isUnpacked
      ? 'npm test -- --all --install'
      : `apt-get install ${engine.debian.join(' ')}, or npm test -- --install`
    return [
      `${engine.name} was not found, so ${engine.needed} did not run. Install it (Debian, as root: ${remedy}) or set ${engine.variable}.`,
    ]
  })
}

function installPackages({ name, debian, isUnpacked }) {
  if (process.getuid?.() !== 0 || !onPath(['apt-get'])) return false
  console.log(isUnpacked ? `Unpacking ${name} …` : `Installing ${name} (apt-get install ${debian.join(' ')}) …`)
  // In this runlevel the package's service is not started.
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } }
  const run = (command, ...args) => spawnSync(command, args, options).status === 0
  run('apt-get', 'update')
  const install = (...args) => run('apt-get', 'install', '-y', '--no-install-recommends', ...args, ...debian)
  return isUnpacked ? unpack(debian[0], install, run) : install()
}

/** The package, and the libraries that this machine lacks. */
function unpack(name, install, run) {
  const folder = unpackedFolder(name)
  const unfinished = `${folder}.unfinished`
  const archives = join(unfinished, 'archives')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(join(archives, 'partial'), { recursive: true })
  if (!install('--download-only', '--reinstall', '-o', `Dir::Cache::Archives=${archives}`)) return false
  const packages = readdirSync(archives).filter(file => file.endsWith('.deb'))
  if (!packages.every(file => run('dpkg-deb', '-x', join(archives, file), unfinished))) return false
  rmSync(archives, { recursive: true })
  // Old packages have files where Debian has only links to /usr today.
  for (const path of ['bin', 'lib', 'sbin'].filter(path => existsSync(join(unfinished, path))))
    cpSync(join(unfinished, path), join(unfinished, 'usr', path), { recursive: true })
  renameSync(unfinished, folder)
  return true
}
