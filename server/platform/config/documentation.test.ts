/** docs/configuration.md has the tables of settings.ts; `-u` writes them. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sections, tableOf } from './settings.ts'

const PATH = resolve(import.meta.dirname, '../../../docs/configuration.md')

test('docs/configuration.md has a table of the settings for each section', async () => {
  let page = readFileSync(PATH, 'utf8')
  for (const [title, section] of Object.entries(sections)) {
    const start = page.indexOf(`## ${title}\n\n| `)
    expect(start, `a section "${title}" that begins with its table`).toBeGreaterThan(0)
    const table = page.indexOf('| ', start)
    page = page.slice(0, table) + tableOf(section) + page.slice(page.indexOf('\n\n', table))
  }
  await expect(page).toMatchFileSnapshot(PATH)
})
