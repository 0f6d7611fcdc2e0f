/**
 * Counts what a reader has to hold: `npm run lab -- structure [--list]`. Lines are counted without blanks and comments. Users of a module
 * or a name are found by the words of its importers, so a name that two files export by chance may count as used.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { variableNames } from '../server/platform/config/settings.ts'
import { exportedNames, importsOf, isTest } from '../test/exported-names.ts'

const SMALL_LINES = 25
const NEIGHBOUR_LINES_MAX = 60
const SUBJECT_CHARS_MAX = 72

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
const root = resolve(import.meta.dirname, '..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1024 ** 3 })
    .split('\n')
    .filter(Boolean)
const files = new Map<string, string>()
for (const path of git('ls-files')) if (/\.(tsx?|mjs|md)$/.test(path)) files.set(path, readFileSync(join(root, path), 'utf8'))

const sources = [...files.keys()].filter(path => /\.(tsx?|mjs)$/.test(path))
const modules = sources.filter(path => /^(reader|server|web|cli|client|contract|extension)\/.*\.tsx?$/.test(path) && !isTest(path))
const text = (path: string) => files.get(path) ?? ''
const lines = new Map(modules.map(path => [path, codeLines(text(path))]))
const importers = new Map(modules.map(path => [path, new Set<string>()]))
for (const path of modules) for (const target of importsOf(path, text(path))) importers.get(target)?.add(path)

const sizes = [...lines.values()].sort((a, b) => a - b)
const neighbours = modules.filter(path => {
  const [only, ...others] = importers.get(path) ?? []
  return only !== undefined && others.length === 0 && dirname(only) === dirname(path) && (lines.get(path) ?? 0) <= NEIGHBOUR_LINES_MAX
})
const names = exportedNames(modules, new Map(sources.map(path => [path, text(path)])))
const usedByTestsOnly = names.filter(({ users }) => users.length > 0 && users.every(isTest))
const production = modules.map(text).join('\n')
const pages = [...files.keys()]
  .filter(path => path === 'README.md' || /^docs\/.*\.md$/.test(path))
  .filter(path => !path.startsWith('lab/docs/'))

const figures: [what: string, count: number][] = [
  ['production modules', modules.length],
  ['median of their lines of code', median(sizes)],
  ['sum of their lines of code', sizes.reduce((sum, size) => sum + size, 0)],
  [`modules under ${SMALL_LINES} lines`, sizes.filter(size => size < SMALL_LINES).length],
  [`modules of at most ${NEIGHBOUR_LINES_MAX} lines whose only importer is in the same folder`, neighbours.length],
  ['exported names', names.length],
  ['exported names with one user', names.filter(({ users }) => users.length === 1).length],
  ['exported names used by tests only', usedByTestsOnly.length],
  ['types called Deps, Options or Context', production.match(/\b(?:type|interface) \w*(?:Deps|Options|Context)\b/g)?.length ?? 0],
  ['Pick<', production.match(/\bPick</g)?.length ?? 0],
  ['npm scripts', Object.keys((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts).length],
  ['environment variables', variableNames.length],
  // The bars and rules of tables are no words.
  [
    'words of documentation',
    pages.reduce(
      (sum, path) =>
        sum +
        text(path)
          .split(/\s+/)
          .filter(word => /[\p{L}\p{N}]/u.test(word)).length,
      0,
    ),
  ],
  [
    `commit subjects over ${SUBJECT_CHARS_MAX} characters`,
    git('log', '--format=%s').filter(subject => subject.length > SUBJECT_CHARS_MAX).length,
  ],
]
for (const [what, count] of figures) console.log(`${String(count).padStart(7)}  ${what}`)
if (values.list) {
  console.log(`\nBeside their only importer:\n${neighbours.join('\n')}`)
  console.log(`\nUsed by tests only:\n${usedByTestsOnly.map(({ path, name }) => `${path} ${name}`).join('\n')}`)
}

function codeLines(code: string): number {
  return code
    .replace(/\/\*.*?\*\//gs, '')
    .split('\n')
    .filter(line => line.trim() && !line.trim().startsWith('//')).length
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
