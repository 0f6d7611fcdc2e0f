import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import english from './en.json' with { type: 'json' }
import { LATIN_SCRIPT, OTHER_SCRIPTS } from './language.ts'
import more from './more.json' with { type: 'json' }

const files = readdirSync(import.meta.dirname).filter(file => file.endsWith('.json') && file !== 'more.json')
const contentOf = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')

test('every file of words is one of the languages', () => {
  expect(files).toHaveLength(LATIN_SCRIPT.length + OTHER_SCRIPTS.length - Object.keys(more).length)
})

test.each(files)('%s has the fields of a language and no other, and each is a pattern', file => {
  const { hasSpaces = true, ...fields } = JSON.parse(contentOf(file)) as Record<string, unknown>
  expect(hasSpaces).toBeTypeOf('boolean')
  expect(Object.keys(fields).sort()).toEqual(Object.keys(english).sort())
  for (const [name, lines] of Object.entries(fields)) expect(() => new RegExp((lines as string[]).join('|'), 'iu'), name).not.toThrow()
})

test('no word ends with a \\b that takes its last letter for no letter: (?!\\p{L}) ends it', () => {
  expect(files.flatMap(file => contentOf(file).match(/[\p{L}\p{M}]*(?![\x20-\x7e])\p{L}\\\\b/gu) ?? [])).toEqual([])
})
