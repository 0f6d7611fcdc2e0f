/** docs/configuration.md has a row for each setting, as settings.ts describes it; `-u` writes the rows. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Environment, settings, variableNames } from './settings.ts'

const PATH = resolve(import.meta.dirname, '../../../docs/configuration.md')
const ROW = /^\| `([A-Z][A-Z0-9_]+)` \| .* \|$/gm

function rowOf(name: keyof Environment): string {
  const { type, meaning, shown }: { type: { parse(value: undefined): unknown }; meaning: string; shown?: string } = settings[name]
  const value = shown === undefined ? type.parse(undefined) : undefined
  const plain = value === undefined || String(value) === '' ? '–' : `\`${value}\``
  return `| \`${name}\` | ${shown ?? plain} | ${meaning} |`
}

test('docs/configuration.md has one row for each setting', async () => {
  const page = readFileSync(PATH, 'utf8')
  const named = [...page.matchAll(ROW)].map(([, name = '']) => name)
  const missing = variableNames.filter(name => !named.includes(name)).map(name => `| \`${name}\` | | |`)
  expect(missing, 'add these lines where they belong in docs/configuration.md; `-u` then fills them').toEqual([])
  expect(named.toSorted(), 'remove the rows of settings that are gone').toEqual([...variableNames].sort())
  await expect(page.replace(ROW, (_, name: keyof Environment) => rowOf(name))).toMatchFileSnapshot(PATH)
})
