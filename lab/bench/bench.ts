/**
 * Runs all measurements and prints one table and a JSON file: medians over runs with their spread, CPU time next to elapsed time. `npm
 * run lab -- bench [--runs N] [--only PART,…] [--quick] [--json FILE]`. With another receiver next to ours: `--receiver HOST:PORT[:PID]
 * --recipient ADDRESS`. Senders are checked, but in the part `unchecked`. Linux only, because CPU time and memory come from /proc.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../server/platform/installation.ts'
import { expire } from './parts/expire.ts'
import { type Figure, type Part, type Row, toRows, toTable } from './parts/figures.ts'
import { ingest, ingestOf, limit, unchecked } from './parts/ingest.ts'
import { phone } from './parts/phone.ts'
import { page, requests } from './parts/requests.ts'
import { hold, start } from './parts/rest.ts'
import { screen } from './parts/screen.ts'
import { singleMail } from './parts/single-mail.ts'

const PARTS: readonly Part[] = [start, ingest, unchecked, limit, singleMail, requests, page, hold, expire, screen, phone]
const RUNS = 3

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string', default: resolve(import.meta.dirname, '../../dist/bench.json') },
    receiver: { type: 'string' },
    recipient: { type: 'string', default: 'bench@bench.test' },
  },
})
const runs = Number(values.runs ?? (values.quick ? 1 : RUNS))
const parts = chooseParts()
const measured = new Map<Part, Figure[][]>()
for (let run = 1; run <= runs; run++) {
  // All parts in turn and then all again, so that other work on the machine affects all of them.
  for (const part of parts) {
    process.stderr.write(`run ${run} of ${runs}, ${part.name} …\n`)
    const figures = await part.run({ isQuick: values.quick })
    measured.set(part, [...(measured.get(part) ?? []), [...figures]])
  }
}
report([...measured].flatMap(([part, all]) => toRows(part.name, all)))

function chooseParts(): Part[] {
  const names = values.only?.split(',')
  const unknown = names?.filter(name => !PARTS.some(part => part.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`)
  const chosen = PARTS.filter(part => names?.includes(part.name) ?? ((part !== screen && part !== phone) || !values.quick))
  return [...chosen.filter(isPossible), ...(values.receiver ? [otherReceiver(values.receiver)] : [])]
}

function isPossible({ name, missing }: Part): boolean {
  const reason = missing?.()
  if (reason !== undefined) process.stderr.write(`${name} is left out: ${reason}\n`)
  return reason === undefined
}

function otherReceiver(text: string): Part {
  const [host = '', port, pid] = text.split(':')
  return ingestOf({ host, port: Number(port), pid: pid === undefined ? undefined : Number(pid), recipients: [values.recipient] })
}

function report(rows: readonly Row[]): void {
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    loadAverage: loadavg()[0],
    node: process.versions.node,
    commit: build.commit,
  }
  const { cpus: cores, loadAverage, node, commit = 'no commit' } = machine
  console.log(`${commit.slice(0, 8)}, ${cores} cores, load average ${loadAverage?.toFixed(1)}, Node ${node}, ${runs} runs`)
  console.log(toTable(rows))
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, isQuick: values.quick, rows }, null, 2)}\n`)
}
