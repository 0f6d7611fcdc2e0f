/** Comments are as narrow as the code, which the formatter wraps; it leaves them alone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const FOLDERS = ['contract', 'reader', 'server', 'web', 'client', 'cli', 'scripts', 'e2e', 'lab', 'test']
const COLUMNS_MAX = 140
const COMMENT = /^\s*(?:\/\/|\/\*|\* )/
/** What tools read stays on its line. */
const DIRECTIVE = /biome-ignore|@param|@type/

test('comments are at most 140 columns wide', () => {
  const files = FOLDERS.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
  )
  const sources = files.filter(path => /\.(?:tsx?|mjs|css)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
  expect(sources.length).toBeGreaterThan(500)
  const wide = sources.flatMap(path =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > COLUMNS_MAX && COMMENT.test(line) && !DIRECTIVE.test(line) ? [`${path}:${index + 1} (${line.length})`] : [],
      ),
  )
  expect(wide, 'wrap these comments').toEqual([])
})
