/**
 * What `npm run pack` makes, as users have it: the server by one command, and a project whose workflow of GitHub Actions uses both
 * packages.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Mayfly } from '../../client/index.ts'
import { documentedBlocks, findKind, type Kind } from '../documentation/documented-commands/blocks.ts'
import { newcomerEnvironment } from '../documentation/newcomer/clone.ts'
import { type Command, run as runLine } from '../documentation/newcomer/shell.ts'
import { freePort } from '../harness/free-port.ts'
import { namedSnippets } from './documented-tests.ts'
import { findNode20, run } from './published-client.ts'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/sign-up')
/** npm loads its Node from a registry first. */
const START_MS_MAX = 180_000
const STEP_MS_MAX = 120_000

/** This is set in a network with a certificate authority of its own. */
const { NODE_EXTRA_CA_CERTS } = process.env
const registry = NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}

const folder = mkdtempSync(join(tmpdir(), 'mayfly-release-'))
const node20 = await findNode20()
let server: string
let client: string

beforeAll(async () => {
  const packed = await run(process.execPath, ['scripts/pack.ts', folder], { cwd: root })
  expect(packed.code, packed.stderr).toBe(0)
  const file = (pattern: RegExp) => readdirSync(folder).find(name => pattern.test(name)) ?? ''
  server = file(/^mayfly-[\d.]+\.tgz$/)
  client = file(/^mayfly-client-/)
}, START_MS_MAX)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The environment of an empty home folder, whose npm has nothing in its cache. */
async function newcomer() {
  const ports = { HTTP_PORT: String(await freePort()), SMTP_PORT: String(await freePort()) }
  const system = newcomerEnvironment(ports)
  const PATH = node20 ? [dirname(node20), system.PATH].join(delimiter) : system.PATH
  return { ports, env: { ...system, ...registry, PATH, HOME: mkdtempSync(join(folder, 'home-')) } }
}

test('the server starts in an empty folder with Node 20 and npm alone, and its data is in that folder', {
  timeout: 2 * START_MS_MAX,
}, async () => {
  const { ports, env } = await newcomer()
  const empty = mkdtempSync(join(folder, 'empty '))
  copyFileSync(join(folder, server), join(empty, server))
  const inEmpty = (kind: Kind) =>
    runLine(documentedBlocks().find(block => findKind(block) === kind)?.lines[0] ?? 'false', { folder: empty, env })
  await using started = inEmpty('packedStart')
  const [, sendTest = ''] = await started.match(/"sendTest":"([^"]+)"/, START_MS_MAX)
  await using made = inEmpty('packedToken')
  expect(await made.ended(STEP_MS_MAX), made.output()).toBe(0)
  const apiKey = /^mft_\S+$/m.exec(made.output())?.[0]
  const mayfly = new Mayfly({ url: `http://127.0.0.1:${ports.HTTP_PORT}`, apiKey })
  await using mailbox = await mayfly.createMailbox({ lifetimeSeconds: 120 })
  await using sent = runLine(sendTest.replace('ADDRESS', mailbox.address), { folder: empty, env })
  expect(await sent.ended(STEP_MS_MAX), sent.output()).toBe(0)
  expect(await mailbox.waitForCode({ subject: 'Your confirmation code' })).toMatch(/^\d{6}$/)
  expect(await (await fetch(mayfly.url)).text()).toContain('<title>')
  expect(readdirSync(empty).sort()).toEqual(['data', server])
  started.kill('SIGTERM')
  expect(await started.wholeOutput(STEP_MS_MAX)).toContain('"msg":"Stopped."')
})

test('the list of packages has every dependency with its version and checksum, and none of development', async () => {
  const { version, dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { metadata, components } = JSON.parse(readFileSync(join(folder, `mayfly-${version}.cdx.json`), 'utf8'))
  expect(metadata.component).toMatchObject({ name: 'mayfly', version })
  const listed = new Set(components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`))
  for (const [name, exact] of Object.entries(dependencies)) expect(listed).toContain(`${name}@${exact}`)
  for (const { name, hashes } of components) expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^\w{128}$/) }])
  expect([...listed].filter(name => /^node-(bin-)?(linux|darwin|win)-/.test(String(name)))).toHaveLength(1)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const ofDevelopment = Object.entries(devDependencies).filter(([name]) => lock[`node_modules/${name}`].dev)
  expect(ofDevelopment.filter(([name, exact]) => listed.has(`${name}@${exact}`))).toEqual([])
})

test('the sources contain their lock file, which npm omits under its usual name, and nothing that was built', async () => {
  const [release = ''] = readdirSync(folder).filter(name => name.endsWith('-source.tgz'))
  const { stdout } = await run('tar', ['tzf', join(folder, release)])
  const files = stdout.split('\n')
  const needed = [
    'npm-shrinkwrap.json',
    'package.json',
    'scripts/start.mjs',
    'server/main.ts',
    'deploy/mayfly.service',
    'docs/operations.md',
  ]
  expect(files).toEqual(expect.arrayContaining(needed.map(name => `package/${name}`)))
  expect(files.filter(file => /^package\/(?:node_modules|dist|data)\//.test(file))).toEqual([])
  expect(readdirSync(root)).not.toContain('npm-shrinkwrap.json')
})

/** The same test in two files, so that two workers run it. */
const NOTES_ITS_SERVER = (runner: string) => `import { appendFileSync } from 'node:fs'
import { startSignUpApp } from './server.ts'
${runner}
async function signUp(mailbox) {
  await using app = await startSignUpApp({ smtpUrl: process.env.MAYFLY_SMTP_URL ?? 'smtp://127.0.0.1:2525' })
  await fetch(app.url + '/sign-up', { method: 'POST', body: new URLSearchParams({ email: mailbox.address }) })
  await mailbox.waitForCode({ from: 'garden-club.example' })
  appendFileSync('servers.txt', process.env.MAYFLY_URL + ' ' + process.pid + '\\n')
}
`
const PLAYWRIGHT_TEST = NOTES_ITS_SERVER(`import { test } from 'mayfly-client/playwright'
test.use({ mailboxOptions: { lifetimeSeconds: 60 } })
test('notes its server', ({ mailbox }) => signUp(mailbox))`)
const VITEST_TEST = NOTES_ITS_SERVER(`import { afterEach, beforeEach, test } from 'vitest'
import { mailboxPerTest } from 'mayfly-client/testing'
const mailbox = mailboxPerTest({ beforeEach, afterEach }, { lifetimeSeconds: 60 })
test('notes its server', () => signUp(mailbox()))`)

describe('a project that installs both packages', () => {
  const project = join(folder, 'project')
  const ports = new Map<string, string>()
  let env: NodeJS.ProcessEnv

  /** With free ports instead of the usual ones. */
  const withPorts = (text: string) => [...ports].reduce((now, [from, to]) => now.replaceAll(from, to), text)
  const copy = (from: string, to = from) => writeFileSync(join(project, to), withPorts(readFileSync(join(example, from), 'utf8')))
  const serversNoted = () => {
    const lines = readFileSync(join(project, 'servers.txt'), 'utf8').trim().split('\n')
    rmSync(join(project, 'servers.txt'))
    return { servers: new Set(lines.map(line => line.split(' ')[0])).size, workers: new Set(lines.map(line => line.split(' ')[1])).size }
  }

  beforeAll(async () => {
    for (const port of ['8080', '2525', '3000']) ports.set(port, String(await freePort()))
    const system = newcomerEnvironment({ HTTP_PORT: ports.get('8080') ?? '', SMTP_PORT: ports.get('2525') ?? '' })
    env = {
      ...system,
      ...registry,
      // The version that the workflow asks for.
      PATH: [dirname(process.execPath), system.PATH].join(delimiter),
      CHROMIUM_PATH: process.env.CHROMIUM_PATH,
      APP_URL: withPorts('http://127.0.0.1:3000'),
      GITHUB_ENV: join(folder, 'github-env.txt'),
    }
    mkdirSync(join(project, 'tests'), { recursive: true })
    for (const name of ['server.ts', 'playwright.config.ts', 'tests/sign-up.spec.ts', 'tests/mayfly.setup.ts', 'tests/sign-up.sh'])
      copy(name)
    const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const manifest = {
      name: 'project',
      private: true,
      type: 'module',
      dependencies: { nodemailer: dependencies.nodemailer },
      devDependencies: {
        '@playwright/test': devDependencies['@playwright/test'],
        mayfly: `file:../${server}`,
        'mayfly-client': `file:../${client}`,
      },
    }
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
    const installed = await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: project, env })
    expect(installed.code, installed.stderr).toBe(0)
  }, START_MS_MAX)

  /** The `run` lines of a job, as GitHub runs them: each in `bash -e`, with what earlier ones wrote into GITHUB_ENV. */
  async function runJob(name: string): Promise<string> {
    const workflow = withPorts(readFileSync(join(example, 'github-actions.yml'), 'utf8'))
    const [, job = ''] = new RegExp(`^ {2}${name}:\\n((?: {4,}.*\\n)+)`, 'm').exec(workflow) ?? []
    const jobEnv = Object.fromEntries(
      [...job.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, variable = '', value = '']) => [variable, value]),
    )
    const steps = [...job.matchAll(/^ {6}- run: (.*)$/gm)].map(([, step = '']) => step)
    expect(steps.length).toBeGreaterThanOrEqual(3)
    writeFileSync(env.GITHUB_ENV ?? '', '')
    const running: Command[] = []
    try {
      // Chromium comes from elsewhere here: this step loads it from outside the package registry.
      for (const step of steps.filter(line => !line.startsWith('npx playwright install'))) {
        writeFileSync(join(folder, 'step.sh'), step === 'npx playwright test' ? `${step} --workers=2` : step)
        const written = readFileSync(env.GITHUB_ENV ?? '', 'utf8')
          .trim()
          .split('\n')
          .filter(Boolean)
        const fromEarlier = Object.fromEntries(written.map(line => line.split('=', 2)))
        const command = runLine(`bash -e ${join(folder, 'step.sh')}`, { folder: project, env: { ...env, ...jobEnv, ...fromEarlier } })
        running.push(command)
        expect(await command.ended(STEP_MS_MAX), `${step}\n${command.output()}`).toBe(0)
      }
      return running.at(-1)?.output() ?? ''
    } finally {
      for (const command of running.reverse()) await command[Symbol.asyncDispose]()
    }
  }

  test('its workflow passes with a server beside the tests', { timeout: 4 * STEP_MS_MAX }, async () => {
    expect(await runJob('any-language')).toMatch(/^Welcome, .+@in\.example\.com\n$/)
  })

  test.skipIf(!process.env.CHROMIUM_PATH)(
    'its workflow passes with Playwright, which starts one server for two workers (needs Chromium)',
    { timeout: 4 * STEP_MS_MAX },
    async () => {
      for (const name of ['a', 'b'])
        writeFileSync(join(project, `tests/${name}.spec.ts`), PLAYWRIGHT_TEST.replace('./server.ts', '../server.ts'))
      const output = await runJob('playwright')
      expect(output).toContain('3 passed')
      expect(output.match(/One Mayfly for all workers/g)).toHaveLength(1)
      expect(serversNoted()).toEqual({ servers: 1, workers: 2 })
    },
  )

  test('Vitest starts one server for two workers', { timeout: 2 * STEP_MS_MAX }, async () => {
    symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
    for (const name of ['a', 'b']) writeFileSync(join(project, `${name}.test.js`), VITEST_TEST)
    writeFileSync(join(project, 'vitest.config.js'), namedSnippets('testing-with-mayfly.md').get('vitest.config.js') ?? '')
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--maxWorkers=2', '--testTimeout=60000', 'a.test.js', 'b.test.js']
    const { stdout, stderr } = await run(process.execPath, vitest, { cwd: project, env })
    expect(stdout, stderr).toContain('2 passed')
    expect(stdout.match(/One Mayfly for all workers/g)).toHaveLength(1)
    expect(serversNoted()).toEqual({ servers: 1, workers: 2 })
  })
})
