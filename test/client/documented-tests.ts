/** The code blocks of a page that have a file name, e.g. "```ts sign-up.spec.ts". */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export function namedSnippets(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return new Map([...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]))
}
