/**
 * Runs the commands of the README and of docs/ with other ports, folders and databases. The README's "Start" is tested in
 * test/documentation/newcomer.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { findPostgres, startPostgres } from '../harness/servers/postgres.ts'
import { documentedBlocks, findKind, type Kind, kinds } from './documented-commands/blocks.ts'
import { newcomerEnvironment } from './newcomer/clone.ts'
import { run } from './newcomer/shell.ts'

const COMMAND_MS_MAX = 60_000
/** Each test runs several commands, and one starts a PostgreSQL. */
const TEST_MS_MAX = 240_000
const root = resolve(import.meta.dirname, '../..')
const env = newcomerEnvironment({ HTTP_PORT: '0', SMTP_PORT: '0' })

let folder: string
beforeEach(() => {
  folder = newFolder()
})

/** The text of the only block of a kind. */
function readCommands(kind: Kind): string {
  const [block, ...more] = documentedBlocks().filter(one => findKind(one) === kind)
  expect(more, `two blocks are of the kind "${kind}": tell them apart in test/documentation/documented-commands/blocks.ts`).toEqual([])
  return (block?.lines ?? []).join('\n')
}

/** Runs commands in a shell that ends at the first failing one. */
const shell = (commands: string, more: Readonly<Record<string, string>> = {}) =>
  run(`/bin/sh -e -c '${commands.replaceAll("'", `'\\''`)}'`, { folder: root, env: { ...env, ...more } })

async function output(commands: string, more?: Readonly<Record<string, string>>): Promise<string> {
  await using command = shell(commands, more)
  expect(await command.ended(COMMAND_MS_MAX), command.output()).toBe(0)
  return command.output()
}

test('every kind of code block exists in the documentation', () => {
  expect(kinds.filter(kind => readCommands(kind) === '')).toEqual([])
})

const hasTools = ['curl', 'jq'].every(tool => (env.PATH ?? '').split(delimiter).some(path => existsSync(join(path, tool))))
test.skipIf(!hasTools)(
  'the script of the README waits for a mail and prints its code (needs curl and jq)',
  { timeout: TEST_MS_MAX },
  async () => {
    await using server = await startServerProcess()
    const made = await output('npm run -s mayfly -- token create ci', { DATA_DIR: server.dataDir })
    const token = /\bmft_[\w-]+/.exec(made)?.[0] ?? ''
    const commands = readCommands('script').replaceAll('localhost:8080', `localhost:${server.httpPort}`)
    await using script = shell(commands, { MAYFLY_API_KEY: token })
    const [, email = ''] = await script.match(/"email":"([^"]+)"/, COMMAND_MS_MAX)
    await using sender = await SmtpClient.connect(server.smtpPort)
    await sender.beginMail(email, '')
    await sender.play([['Subject: Please confirm your address\r\n\r\nYour code is 481516.\r\n.', 250]])
    expect(await script.ended(COMMAND_MS_MAX), script.output()).toBe(0)
    expect(script.output()).toContain('"subject":"Please confirm your address"')
    expect(script.output()).toContain('481516')
  },
)

test('the commands for contributors: the site with hot reload responds, and every check is a step of npm test', {
  timeout: TEST_MS_MAX,
}, async () => {
  const lines = readCommands('contribute')
    .split('\n')
    .map(line => line.replace(/ +#.*/, ''))
  expect(lines).toEqual(['npm test', 'npm test -- --all', 'npm run dev', 'npm run check'])
  await using dev = shell('npm run dev')
  const [, url = ''] = await dev.match(/Local:\D*(http:\/\/\S+)/, COMMAND_MS_MAX)
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('/@vite/client')
  dev.interrupt()
  await dev.ended(COMMAND_MS_MAX)
  const { check } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const steps = readFileSync(join(root, 'scripts/test.mjs'), 'utf8')
  const tools = [...check.matchAll(/node_modules\/(\S+?)\/(bin\/\S+)/g)].map(([, name, path]) => `tool('${name}', '${path}'`)
  expect(tools).toHaveLength(2)
  expect(tools.filter(tool => !steps.includes(tool))).toEqual([])
})

test('a backup of a running server is restored into an empty folder', { timeout: TEST_MS_MAX }, async () => {
  const [dataDir, restored, backup] = ['data', 'restored', 'backup'].map(name => join(folder, name)) as [string, string, string]
  {
    await using _ = await startServerProcess({ dataDir })
    const commands = readCommands('backup').replace(/\/backups\/\S+/, backup)
    expect(await output(commands, { DATA_DIR: dataDir })).toMatch(/^The backup is whole: /m)
  }
  const commands = readCommands('restore')
    .replace(/\/backups\/\S+/, backup)
    .replace('/var/lib/mayfly', restored)
  expect(await output(commands)).toMatch(/^Then start the server\.$/m)
  await using _ = await startServerProcess({ dataDir: restored, env: { SECRET: readFileSync(join(dataDir, 'secret'), 'utf8').trim() } })
})

const bin = findPostgres()
describe.skipIf(!bin)('with PostgreSQL (needs initdb and postgres)', () => {
  test('a new data folder adopts the accounts of an old one', { timeout: TEST_MS_MAX }, async () => {
    await using postgres = await startPostgres(bin ?? '')
    const environment = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: folder, SECRET: 'one secret for both, long enough' }
    await (await startServerProcess({ dataDir: folder, env: environment })).stop()
    expect(await output(readCommands('adoptMailStore'), environment)).toContain(`now belong to the mail store in ${folder}.`)
  })
})
