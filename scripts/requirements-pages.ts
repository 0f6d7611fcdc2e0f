/**
 * `npm run requirements-pages`: writes the tables of docs/requirements.md and docs/mail-reading.md from the `// covers` comments above
 * tests.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { catalogs, renderPage } from '#test/requirements/pages.ts'

const root = resolve(import.meta.dirname, '..')
for (const page of Object.keys(catalogs)) {
  writeFileSync(join(root, page), renderPage(root, page))
  console.log(`Wrote ${page}`)
}
