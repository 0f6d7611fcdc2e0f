/** Keeps docs/architecture.md true: every step names files that exist, and an import leads to each from the steps before. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

type Step = { readonly text: string; readonly files: readonly string[]; readonly isOverHttp: boolean }

/** The tables with the header `| step | files |`, by the heading above them. */
function walks(): [heading: string, steps: Step[]][] {
  return page.split(/^## /m).flatMap((section): [string, Step[]][] => {
    if (!section.includes('| step | files |')) return []
    const steps = [...section.matchAll(/^\| (?!step|---)(.+?) \| (.+) \|$/gm)].map(([, text = '', files = '']) => ({
      text,
      files: [...files.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''),
      isOverHttp: text.startsWith('(over HTTP)'),
    }))
    return [[section.split('\n')[0] ?? '', steps]]
  })
}

const ALIASES: Record<string, string> = { '#contract/': 'contract/', '#reader/': 'reader/', '#server/': 'server/', '#web/': 'web/' }

/** The files that a file imports, lazily or not, and the workers it starts. */
function readImports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const specifiers = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|new URL\(\s*)['"]([#.][^'"?]*)/g)].map(
    match => match[1] ?? '',
  )
  return specifiers.map(specifier => {
    const alias = Object.keys(ALIASES).find(prefix => specifier.startsWith(prefix))
    return alias ? `${ALIASES[alias]}${specifier.slice(alias.length)}` : posix.normalize(posix.join(dirname(path), specifier))
  })
}

/** Two files are connected if one imports the other, or if server/app.ts imports both. */
function touches(a: string, b: string): boolean {
  if (readImports(a).includes(b) || readImports(b).includes(a)) return true
  const wired = readImports('server/app.ts')
  return wired.includes(a) && wired.includes(b)
}

test('every folder of the server is among the folders', () => {
  const folders = readdirSync(join(root, 'server'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const listed = page.split(/^## /m).find(section => section.startsWith('Folders')) ?? ''
  expect(folders.map(({ name }) => `${name}/`).filter(name => !new RegExp(`^ +${name}`, 'm').test(listed))).toEqual([])
})

describe.each(walks())('%s', (_, steps) => {
  test.each(steps.map((step, index) => ({ ...step, index })))('$text', ({ files, index, isOverHttp }) => {
    expect(files.filter(path => !existsSync(join(root, path)))).toEqual([])
    // A request crosses from the browser to the server or back without an import, so the first file starts a new chain.
    const reached = new Set(isOverHttp || index === 0 ? files.slice(0, 1) : steps.slice(0, index).flatMap(step => step.files))
    const waiting = new Set(files.filter(path => !reached.has(path)))
    for (let grew = true; grew; ) {
      grew = false
      for (const path of waiting) {
        if (![...reached].some(known => touches(known, path))) continue
        waiting.delete(path)
        reached.add(path)
        grew = true
      }
    }
    expect([...waiting], 'no import leads to these from the steps before: correct docs/architecture.md').toEqual([])
  })
})

test('the page has sections with steps', () => {
  expect(walks().map(([heading]) => heading)).toEqual([
    'A mail, from socket to screen',
    'Opening a mail',
    'The first address',
    'A click, from page to address',
  ])
})
