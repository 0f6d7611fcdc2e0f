/**
 * The tables of docs/testing-with-mayfly.md, row by row: the real library delivers at the first try with the set-up that its row shows,
 * adds what the row says, and prints what the second table says when something is wrong.
 */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { startTestSmtp, type TestSmtp } from '../harness/mayfly/start-smtp.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Packages that rows install, kept between runs. */
const CACHE = join(ROOT, 'node_modules/.cache/mail-libraries')
const PAGE = readFileSync(join(ROOT, 'docs/testing-with-mayfly.md'), 'utf8')
const RUN_MS_MAX = 300_000

type Library = {
  /** A file of `programs/`, in which `SETUP` stands for the set-up of the row. */
  readonly program: string
  readonly isHere: boolean
  readonly needs: string
  /** Shell commands in a copy of `programs/`. `$CACHE` is kept. */
  readonly install?: string
  readonly run: string
}

const runs = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const hasPython = runs('python3', '--version')
const hasGo = runs('go', 'version')
const hasRuby = runs('ruby', '-e', 'require "mail"; require "action_mailer"')
const hasPhp =
  runs('php', '--version') &&
  ['libphp-phpmailer', 'Symfony/Component/Mailer'].every(path => existsSync(`/usr/share/php/${path}/autoload.php`))
const MAVEN = {
  isHere: runs('mvn', '--version') && runs('javac', '--version'),
  needs: 'Maven and a JDK',
  install: 'test -s "$CACHE/classpath" || mvn -q -B dependency:build-classpath -Dmdep.outputFile="$CACHE/classpath"',
} as const

/** By the first cells of their rows. */
const LIBRARIES: Readonly<Record<string, Library>> = {
  'Node: nodemailer': { program: 'nodemailer.mjs', isHere: true, needs: 'nothing', run: 'node nodemailer.mjs' },
  'Python: smtplib': { program: 'smtplib.py', isHere: hasPython, needs: 'python3', run: 'python3 -P smtplib.py' },
  'Python: Django': {
    program: 'django.py',
    isHere: hasPython,
    needs: 'python3 and PyPI',
    install:
      '"$CACHE/django/bin/python" -c "import django" || (python3 -m venv "$CACHE/django" && "$CACHE/django/bin/pip" -q install Django==5.2.8)',
    run: '"$CACHE/django/bin/python" -P django.py',
  },
  'Java: Jakarta Mail': { ...MAVEN, program: 'Angus.java', run: 'java -cp "$(cat "$CACHE/classpath")" Angus.java' },
  'Java: Spring': {
    ...MAVEN,
    program: 'application.properties',
    run: 'javac -d . -cp "$(cat "$CACHE/classpath")" Spring.java && java -cp "$(cat "$CACHE/classpath"):." app.Spring',
  },
  'Go: net/smtp': { program: 'net-smtp.go', isHere: hasGo, needs: 'Go', run: 'go run net-smtp.go' },
  'Go: go-mail': {
    program: 'go-mail.go',
    isHere: hasGo,
    needs: 'Go and its module proxy',
    run: '(go mod init example.test && go get github.com/wneessen/go-mail@v0.7.2) 2>/dev/null && go run go-mail.go',
  },
  'Rust: lettre': {
    program: 'lettre.rs',
    isHere: runs('cargo', '--version'),
    needs: 'cargo and crates.io',
    run: 'CARGO_TARGET_DIR="$CACHE/lettre" cargo run --quiet',
  },
  'PHP: PHPMailer': {
    program: 'phpmailer.php',
    isHere: hasPhp,
    needs: 'php, libphp-phpmailer, php-symfony-mailer',
    run: 'php phpmailer.php',
  },
  'PHP: Symfony, Laravel': {
    program: 'symfony.php',
    isHere: hasPhp,
    needs: 'php, libphp-phpmailer, php-symfony-mailer',
    run: 'php symfony.php',
  },
  'Ruby: mail': { program: 'mail.rb', isHere: hasRuby, needs: 'ruby-mail and ruby-actionmailer', run: 'ruby mail.rb' },
  'Ruby: Rails': { program: 'action-mailer.rb', isHere: hasRuby, needs: 'ruby-mail and ruby-actionmailer', run: 'ruby action-mailer.rb' },
  curl: { program: 'curl.sh', isHere: runs('curl', '--version'), needs: 'curl', run: 'sh curl.sh' },
}

/** The rows of the table with this head: their cells, by the first of them. */
function table(head: string): Map<string, string[]> {
  const [, rows = ''] = new RegExp(`^\\| library \\| ${head}.*\\n\\| -.*\\n((?:\\|.*\\n)+)`, 'm').exec(PAGE) ?? []
  const cells = rows
    .split('\n')
    .filter(Boolean)
    .map(row =>
      row
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    )
  return new Map(cells.map(([name = '', ...rest]) => [name.replace(/\[([^\]]*)\]\([^)]*\)/, '$1'), rest]))
}
const code = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

const setups = table('set-up')
const messages = table('nothing listens')

let smtp: TestSmtp
let encrypting: TestSmtp
let deaf: number
beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true })
  smtp = await startTestSmtp()
  encrypting = await startTestSmtp({ env: { SMTP_STARTTLS: 'always' }, allowLog: [/STARTTLS failed/] })
  deaf = await freePort()
})
afterAll(async () => {
  await smtp[Symbol.asyncDispose]()
  await encrypting[Symbol.asyncDispose]()
})

/** Runs the program of a row in an empty folder: whether it ended well, and what it printed. */
async function send(library: Library, setup: string, port: number, to: string): Promise<{ isSent: boolean; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-library-'))
  try {
    cpSync(join(import.meta.dirname, 'programs'), folder, { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const program = join(folder, library.program)
    writeFileSync(
      program,
      readFileSync(program, 'utf8').replace('SETUP', () => setup.replaceAll('2525', String(port))),
    )
    const env = { ...process.env, TO: to, CACHE }
    const script = `${library.install ? `{ ${library.install}; } >/dev/null 2>&1; ` : ''}${library.run}`
    const { promise, resolve: settle } = Promise.withResolvers<{ isSent: boolean; printed: string }>()
    execFile('sh', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) =>
      settle({ isSent: error === null, printed: `${stdout}${stderr}` }),
    )
    return await promise
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('each row of the page is run, or says that it was not', () => {
  const untried = [...setups].filter(([, cells]) => cells.at(-1) === '(Not run.)').map(([name]) => name)
  expect([...Object.keys(LIBRARIES), ...untried].toSorted()).toEqual([...setups.keys()].toSorted())
  expect([...messages.keys()].toSorted()).toEqual(Object.keys(LIBRARIES).toSorted())
})

describe.each(Object.entries(LIBRARIES))('%s', { timeout: RUN_MS_MAX }, (name, library) => {
  const [setupCell, adds = ''] = setups.get(name) ?? []
  const setup = code(setupCell).join('\n')

  test.skipIf(!library.isHere)(`delivers at the first try, and adds what the page says (needs ${library.needs})`, async () => {
    const { email, raws } = await smtp.newAddress()
    expect(await send(library, setup, smtp.port, email)).toMatchObject({ isSent: true })
    const [raw = ''] = (await raws()).map(String)
    const missing = ['Date', 'Message-ID', 'MIME-Version'].filter(header => !new RegExp(`^${header}:`, 'im').test(raw))
    expect(raw).toContain('481516')
    expect(missing, raw).toEqual(code(adds))
  })

  test.skipIf(!library.isHere)(
    `prints what the page says when nothing listens, TLS fails, or the address is unknown (needs ${library.needs})`,
    async () => {
      const [nothing, tls, unknown] = messages.get(name) ?? []
      const { email } = await encrypting.newAddress()
      for (const [cell, port, to] of [
        [nothing, deaf, email],
        [tls, encrypting.port, email],
        [unknown, smtp.port, 'expired@mayfly.test'],
      ] as const) {
        const { isSent, printed } = await send(library, setup, port, to)
        if (cell === 'arrives') expect(isSent, printed).toBe(true)
        else expect(isSent, 'it must fail').toBe(false)
        for (const phrase of code(cell)) expect(printed).toContain(phrase)
      }
    },
  )
})

test.skipIf(!hasPython)(
  'a validator takes the default domain and refuses a reserved one in the words of the page (needs python3 and PyPI)',
  { timeout: RUN_MS_MAX },
  () => {
    const venv = join(CACHE, 'validator')
    if (!existsSync(join(venv, 'bin/python'))) expect(runs('python3', '-m', 'venv', venv)).toBe(true)
    expect(runs(join(venv, 'bin/pip'), 'install', '-q', 'email-validator==2.3.0')).toBe(true)
    const validate = 'import sys, email_validator as v\nv.validate_email(sys.argv[1], check_deliverability=False)'
    const said = (domain: string) => String(spawnSync(join(venv, 'bin/python'), ['-c', validate, `calm.river@${domain}`]).stderr)
    expect(said('in.example.com')).toBe('')
    expect(said('mail.test')).toContain(/`(special-use[^`]*)`/.exec(PAGE)?.[1])
  },
)
