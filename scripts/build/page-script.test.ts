import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPageScript } from './page-script.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-inline-#1-'))
  await mkdir(join(root, 'web'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function build(source: string): Promise<string> {
  await writeFile(join(root, 'web/first.ts'), source)
  return buildPageScript(root, 'first.ts', { 'later.ts': { file: 'assets/later-1a2b.js' } })
}

test('what the script loads later is a file of the build, wherever the checkout is', async () => {
  expect(await build("import('./later.ts')")).toContain('/assets/later-1a2b.js')
  await expect(build("import('./missing.ts')")).rejects.toThrow("no file of the application's build")
})

test.each(['Mayfly', 'https://mayfly.invalid/a', '<html data-config="">', '<body>', '<!-- a'])(
  'a script with %s is refused',
  async text => {
    await expect(build(`document.title = '${text}'`)).rejects.toThrow('The script of first.ts contains')
  },
)
