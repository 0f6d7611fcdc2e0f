/**
 * Where the CPU for receiving mail goes: `perf` over all threads of the server while mails of 4 kB arrive, as a table of shares.
 * `npm run lab -- flame-graph [--messages N] [--connections N] [--signed] [--unchecked]`. Linux with `perf` (Debian: linux-perf), as root.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dotted } from '../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../test/harness/clients/smtp-load.ts'
import { textMail } from './mime-mails.ts'
import { createAddresses, startMeasured, UNCHECKED } from './parts/server.ts'
import { signedMail } from './parts/signed-mail.ts'

type Frame = { readonly name: string; samples: number; readonly children: Map<string, Frame> }

const RECIPIENTS = 20
const WARM_UP = 3000
const SAMPLES_PER_SECOND = 997
const OUTPUT_BYTES_MAX = 1024 ** 3
const ROWS = 100

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '50' },
    signed: { type: 'boolean', default: false },
    unchecked: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'mayfly-perf-'))
const recording = join(folder, 'perf.data')
const root = await record()
rmSync(folder, { recursive: true })
printShares(root)

async function record(): Promise<Frame> {
  // Compiled JavaScript has names for perf only with the flag.
  await using server = await startMeasured({
    NODE_OPTIONS: '--perf-basic-prof --interpreted-frames-native-stack',
    ...(values.unchecked && UNCHECKED),
  })
  const recipients = (await createAddresses(server, RECIPIENTS)).map(({ email }) => email)
  const mail = dotted(values.signed ? await signedMail(4096) : textMail(4096))
  const send = (messages: number, name: string) =>
    sendLoad({
      port: server.smtpPort,
      connections: Number(values.connections),
      messages,
      recipients,
      body: n => Buffer.concat([Buffer.from(`X-Bench: ${name}.${n}\r\n`), mail]),
    })
  await send(WARM_UP, 'warm-up')
  const args = ['record', '-q', '-g', '-F', String(SAMPLES_PER_SECOND), '-o', recording, '-p', String(server.pid)]
  const perf = spawn('perf', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const recorded = once(perf, 'exit')
  await send(Number(values.messages), 'measured')
  perf.kill('SIGINT')
  await recorded
  return readStacks(execFileSync('perf', ['script', '-i', recording, '-F', 'comm,tid,ip,sym'], { maxBuffer: OUTPUT_BYTES_MAX }).toString())
}

/** `perf script`: a line with the thread, then the frames starting with the innermost, then an empty line. */
function readStacks(text: string): Frame {
  const root = newFrame('all')
  for (const sample of text.split('\n\n')) {
    const [head, ...lines] = sample.trim().split('\n')
    if (!head) continue
    const thread = head.trim().replace(/\s+\d+\s*$/, '')
    const stack = lines.map(line => nameOf(line.trim().replace(/^[0-9a-f]+ /, ''))).reverse()
    addStack(root, [thread, ...stack])
  }
  return root
}

function newFrame(name: string): Frame {
  return { name, samples: 0, children: new Map() }
}

/** `stack` starts with the outermost frame. */
function addStack(root: Frame, stack: readonly string[]): void {
  root.samples++
  let frame = root
  for (const name of stack) {
    const next = frame.children.get(name) ?? newFrame(name)
    frame.children.set(name, next)
    next.samples++
    frame = next
  }
}

/** Without addresses, template arguments, and the marks of V8's compilers. */
function nameOf(symbol: string): string {
  return symbol
    .replace(/\+0x[0-9a-f]+$/, '')
    .replace(/^(?:JS|LazyCompile|Function|Script|Builtin|Eval):[*~^+']*/, '')
    .replace(/ (?:file:\/\/)?\/\S*\/([^/\s]+):(\d+):\d+$/, ' $1:$2')
    .replace(/<.*>/g, '')
    .replace(/\(.*$/, '')
    .trim()
}

function printShares(all: Frame): void {
  const share = (frame: Frame) => `${((100 * frame.samples) / all.samples).toFixed(1)} %`
  for (const thread of [...all.children.values()].sort((a, b) => b.samples - a.samples)) console.log(`${share(thread)}\t${thread.name}`)
  const own = new Map<string, number>()
  const whole = new Map<string, number>()
  const walk = (frame: Frame, thread: string, callers: readonly string[]) => {
    const inner = [...frame.children.values()].reduce((sum, { samples }) => sum + samples, 0)
    const key = `${thread}\t${frame.name}`
    own.set(key, (own.get(key) ?? 0) + frame.samples - inner)
    // A function that calls itself counts once.
    if (!callers.includes(key)) whole.set(key, (whole.get(key) ?? 0) + frame.samples)
    for (const child of frame.children.values()) walk(child, thread, [...callers, key])
  }
  for (const thread of all.children.values()) walk(thread, thread.name, [])
  const print = (title: string, shares: ReadonlyMap<string, number>) => {
    console.log(`\n${title}`)
    for (const [name, samples] of [...shares].sort((a, b) => b[1] - a[1]).slice(0, ROWS)) {
      console.log(`${((100 * samples) / all.samples).toFixed(1)} %\t${name}`)
    }
  }
  print('with what they call:', new Map([...whole].filter(([name]) => isJavaScript(name))))
  print('without:', own)
}

function isJavaScript(name: string): boolean {
  return /\.js:\d+$| node:|Collect|Scaveng|WriteWakeup|PostMessage|MessagePort|sqlite3|fdatasync|epoll/i.test(name)
}
