/**
 * What a newcomer does, from a fresh clone to the first mail: `npm run newcomer`, and a step of `npm test -- --all`. It runs the commands
 * of the README's code blocks unchanged except for the ports. `npm run newcomer -- COMMIT` tries an older commit.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { launchOptions } from '../../scripts/chromium.ts'
import { freePort, isFree } from '../harness/free-port.ts'
import { cloneProject, diskBytes, newcomerEnvironment, processesIn } from './newcomer/clone.ts'
import { npmScriptsIn, readCodeBlocks } from './newcomer/readme.ts'
import { type Command, run } from './newcomer/shell.ts'

const FIRST_START_MS_MAX = 240_000
const START_MS_MAX = 60_000
const STOP_MS_MAX = 15_000
const SUBJECT = 'Your confirmation code'

const startedAt = performance.now()
function say(sentence: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${sentence}`)
}

await using stack = new AsyncDisposableStack()
const clone = stack.use(cloneProject(process.argv[2]))
const ports = { HTTP_PORT: String(await freePort()), SMTP_PORT: String(await freePort()) }
const shell = { folder: clone.folder, env: newcomerEnvironment(ports) }
const readme = readFileSync(join(clone.folder, 'README.md'), 'utf8')
const [[startCommand = ''] = [], expectedBanner = []] = readCodeBlocks(readme, 'Start')
say(`Cloned ${clone.commit.slice(0, 8)} into ${clone.folder}; Node ${await readVersion('node')}, npm ${await readVersion('npm')}`)

const scripts = JSON.parse(readFileSync(join(clone.folder, 'package.json'), 'utf8')).scripts
for (const name of npmScriptsIn(readme)) assert.ok(name in scripts, `the README names npm script "${name}", which package.json lacks`)

const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const page = await browser.newPage({ locale: 'en-US' })
const address = await firstMail(page)
await everyWayToStop(page, address)
assertProductionInstall()
say('Passed: every command of the README\'s "Start" worked, and nothing is left running.')

/** From a fresh clone to a mail on the screen. Leaves nothing running. */
async function firstMail(page: Page): Promise<string> {
  await using server = await started(startCommand, FIRST_START_MS_MAX)
  say(`"${startCommand}" is ready; node_modules has ${Math.round(diskBytes(join(clone.folder, 'node_modules')) / 1e6)} MB`)
  await page.goto(siteIn(server))
  const address = (await page.getByTestId('address').getAttribute('aria-label')) ?? ''
  assert.match(address, /^\S+@\S+$/)
  const sendCommand =
    server
      .output()
      .match(/"(npm run [^"]*ADDRESS[^"]*)"/)?.[1]
      ?.replace('ADDRESS', address) ?? ''
  await using sent = run(sendCommand, shell)
  assert.equal(await sent.ended(START_MS_MAX), 0, `${sent.output()}\nThe server printed:\n${server.output()}`)
  await page.getByTestId('messages').getByText(SUBJECT, { exact: true }).waitFor()
  say(`"${sendCommand}" sent a mail, and it is on the page`)
  server.interrupt()
  await stopped(server, 'Ctrl-C')
  return address
}

async function everyWayToStop(page: Page, address: string): Promise<void> {
  {
    await using server = await started(startCommand)
    await page.reload()
    await page.getByTestId('messages').getByText(SUBJECT, { exact: true }).waitFor()
    assert.equal(await page.getByTestId('address').getAttribute('aria-label'), address)
    say('Started again: address and mail are still there')
    server.kill('SIGTERM')
    await stopped(server, 'kill of npm')
  }
  {
    await using server = await started(startCommand)
    server.kill('SIGKILL')
    await stopped(server, 'kill -9 of npm')
  }
  // npm's shell may stay between npm and us, where sh does not replace itself with its only command.
  const script = join(clone.folder, '..', 'shell that stays')
  writeFileSync(script, '#!/bin/sh\n/bin/sh "$@"\nexit $?\n', { mode: 0o755 })
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await using server = await started(startCommand, START_MS_MAX, { npm_config_script_shell: script })
    server.kill(signal)
    await stopped(server, `${signal} of npm with a shell in between`)
  }
}

/** Packages that only tests and checks need were not installed. */
function assertProductionInstall(): void {
  assert.match(readFileSync(join(clone.folder, 'node_modules/.mayfly-lock'), 'utf8'), /^[0-9a-f]{64} production$/)
  for (const name of ['playwright-core', 'typescript', '@biomejs/biome']) {
    assert.ok(!existsSync(join(clone.folder, 'node_modules', name)), `${name} was installed for "${startCommand}"`)
  }
}

async function started(line: string, timeoutMs = START_MS_MAX, env = {}): Promise<Command> {
  const server = run(line, { ...shell, env: { ...shell.env, ...env } })
  try {
    await server.match(/^ {2}npm run send-test.*\n/m, timeoutMs)
    // The log and the lines for a person are written in two ways, so that either may come first.
    await server.match(/"msg":"Ready".*\n/, timeoutMs)
    assertBanner(server.output())
    return server
  } catch (error) {
    console.log(server.output())
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/** The values of what the README shows as lines, with other ports: no terminal is attached. */
function assertBanner(output: string): void {
  const shown = [...expectedBanner.join('\n').matchAll(/(?<=^\w+: +)\S+|npm run .*/gm)].map(([value]) =>
    value.replace('8080', ports.HTTP_PORT).replace('2525', ports.SMTP_PORT),
  )
  assert.equal(shown.length, 3)
  for (const value of shown) assert.ok(output.includes(`"${value}`), `The README shows\n${value}\nand printed was\n${output}`)
}

function siteIn(server: Command): string {
  return /"site":"([^"]+)"/.exec(server.output())?.[1] ?? ''
}

async function stopped(server: Command, how: string): Promise<void> {
  await server.ended(STOP_MS_MAX)
  const until = performance.now() + STOP_MS_MAX
  while (processesIn(clone.folder).length > 0 && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 50))
  assert.deepEqual(processesIn(clone.folder), [], `left running after ${how}`)
  for (const port of Object.values(ports)) assert.ok(await isFree(Number(port)), `port ${port} is still in use after ${how}`)
  const output = await server.wholeOutput(STOP_MS_MAX)
  assert.match(output, /"msg":"Stopped\."/, `after ${how}: ${output}`)
  say(`Stopped by ${how}: nothing is left running, both ports are free`)
}

async function readVersion(tool: string): Promise<string> {
  await using command = run(`${tool} --version`, shell)
  assert.equal(await command.ended(START_MS_MAX), 0, command.output())
  return command.output().trim()
}
