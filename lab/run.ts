/**
 * `npm run lab -- NAME [arguments]`: runs a program of the laboratory. Without a name it prints the list, which is the table of
 * README.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const programs = [...readme.matchAll(/^\| `([\w-]+)` \| \[.*?\]\((.*?)\) \| (.*) \|$/gm)].map(([, name = '', file = '', what = '']) => ({
  name,
  file,
  what,
}))

const [wanted, ...args] = process.argv.slice(2)
const program = programs.find(({ name }) => name === wanted)
if (program && args.some(arg => arg === '--help' || arg === '-h')) {
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(import.meta.dirname, program.file), 'utf8')) ?? []
  console.log(comment.replaceAll(/^ ?\*? ?/gm, '').trim())
} else if (program) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program.file), ...args], { stdio: 'inherit' })
  // The terminal sends an interrupt to both; the program decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} else {
  if (wanted !== undefined) console.error(`No program is called ${wanted}.\n`)
  for (const { name, what } of programs) console.log(`${name.padEnd(18)} ${what}`)
  console.log('\nnpm run lab -- NAME [arguments]; the first lines of its file say what it takes.')
  process.exitCode = wanted === undefined ? 0 : 1
}
