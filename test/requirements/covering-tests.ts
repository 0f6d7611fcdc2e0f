/**
 * Finds which tests prove which statement. A test says so in a comment above it, `// covers 2.11, 2.12`. `npm run requirements-pages`
 * generates the tables in docs/requirements.md and docs/mail-reading.md from these comments.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type CoveringTest = { readonly path: string; readonly title: string }

const TAG = /^[ \t]*\/\/ covers ([\w., ]+)$/gm
/** The first string followed by options or a function: the title of the test or group below the comment. */
const TITLE = /(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async\b|function\b|\(|\{|\w+ =>)/

/** @param root folder of the repository. Returns the tests of each statement id, ordered by path. */
export function coveringTests(root: string): Map<string, CoveringTest[]> {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx', '*.spec.ts', 'test/suites/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const tests = new Map<string, CoveringTest[]>()
  for (const path of paths
    .split('\n')
    .filter(name => name !== '' && existsSync(join(root, name)))
    .sort()) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const match of text.matchAll(TAG)) {
      const title = TITLE.exec(text.slice(match.index + match[0].length))?.[2]?.replace(/\\(['"`])/g, '$1')
      if (title === undefined) throw new Error(`${path}: no test below "${match[0].trim()}"`)
      for (const id of (match[1] ?? '').split(/,\s*/)) tests.set(id, [...(tests.get(id) ?? []), { path, title }])
    }
  }
  return tests
}
