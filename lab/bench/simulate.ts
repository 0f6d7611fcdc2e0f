/**
 * Simulates a day of traffic from the measured costs: how much of each machine it takes, hour by hour, and what is used up first. `npm run
 * lab -- simulate --messages-per-second 1000 --day ordinary|codes|flood [--svg day.svg]`. Nothing is sent. The costs are from
 * lab/docs/measurements.md, the method is described in docs/scaling.md.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Demand, dayShapes, demandAt, type Machines, type Shape, sizeFor } from './simulate/capacity.ts'
import { drawSvg, drawText } from './simulate/plot.ts'

const { values } = parseArgs({
  options: {
    'messages-per-second': { type: 'string', default: '1000' },
    day: { type: 'string', default: 'ordinary' },
    svg: { type: 'string' },
  },
})
const mean = Number(values['messages-per-second'])
const shape = dayShapes[values.day as Shape]
if (!shape || !(mean > 0)) throw new Error(`--day is one of ${Object.keys(dayShapes).join(', ')}, --messages-per-second a number above 0`)

const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, ...demandAt(mean, shape, hour) }))
const machines = sizeFor(hours)
console.log(`${mean} messages a second on average, ${values.day}: ${shape.description}\n`)
console.log(table(hours, machines))
console.log(`\nsized for the worst minute: ${describe(machines)}\n`)
console.log(drawText(hours.map(({ messagesPerSecond }) => messagesPerSecond)))
if (values.svg) {
  writeFileSync(values.svg, drawSvg(hours.map(({ messagesPerSecond, peakPerSecond }) => ({ messagesPerSecond, peakPerSecond }))))
  console.log(`\nplot in ${values.svg}`)
}

function table(rows: readonly (Demand & { hour: number })[], { processCores, shards }: Machines): string {
  const head = [
    'hour',
    'messages/s',
    'worst minute',
    'process cores',
    'of them',
    'cluster cores',
    'fullest shard',
    'memory GB',
    'network Mbit/s',
  ]
  const lines = rows.map(row => [
    `${String(row.hour).padStart(2, '0')}:00`,
    row.messagesPerSecond.toFixed(0),
    row.peakPerSecond.toFixed(0),
    row.processCores.toFixed(1),
    `${((100 * row.processCores) / processCores).toFixed(0)} %`,
    row.engineCores.toFixed(1),
    `${((100 * row.engineCores) / shards).toFixed(0)} %`,
    (row.memoryBytes / 1e9).toFixed(1),
    (row.networkBits / 1e6).toFixed(0),
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map(line => line[column]?.length ?? 0)))
  return [head, ...lines].map(line => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')).join('\n')
}

function describe({ processCores, processes, shards, idleShare, memoryBytes, networkBits }: Machines): string {
  return (
    `${processCores} cores for ${processes} processes, ${shards} shards (a core for each master and for each replica; idle processes take ${(100 * idleShare).toFixed(1)} % of a master), ` +
    `${(memoryBytes / 1e9).toFixed(1)} GB of memory in the masters and as much in the replicas, ${(networkBits / 1e6).toFixed(0)} Mbit/s in`
  )
}
