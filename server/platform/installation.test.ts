import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, sharedFolder } from '#test/harness/until-end.ts'
import { build } from './installation.ts'

const folder = sharedFolder()
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=me', '-c', 'user.email=me@here.test', ...args], { encoding: 'utf8' }).trim()

/** What `expression` is for the code in a folder. */
async function valueIn(place: string, expression: 'build' | 'operatorCommand'): Promise<unknown> {
  await writeFile(join(place, 'package.json'), JSON.stringify({ version: '1.2.3', type: 'module' }))
  const copy = join(place, 'installation.mjs')
  // Node runs no TypeScript below node_modules.
  await writeFile(copy, stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'installation.ts'), 'utf8')))
  const script = `import { ${expression} } from ${JSON.stringify(copy)}; console.log(JSON.stringify(${expression}))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

const buildIn = (place: string) => valueIn(place, 'build')

git('init', '--quiet')
git('commit', '--quiet', '--allow-empty', '-m', 'first')
const commit = git('rev-parse', 'HEAD')

test('the version is that of package.json', () => {
  expect(build.version).toMatch(/^\d+\.\d+\.\d+$/)
})

test('the commit is read from a clone, a linked worktree, packed references and a detached HEAD', async () => {
  expect(await buildIn(folder)).toEqual({ version: '1.2.3', commit })
  git('worktree', 'add', '--quiet', 'linked')
  expect(await buildIn(join(folder, 'linked'))).toEqual({ version: '1.2.3', commit })
  git('pack-refs', '--all')
  expect(await buildIn(folder)).toEqual({ version: '1.2.3', commit })
  git('checkout', '--quiet', '--detach')
  expect(await buildIn(folder)).toEqual({ version: '1.2.3', commit })
})

test('a folder that is not a clone has no commit', async () => {
  const plain = newFolder()
  expect(await buildIn(plain)).toEqual({ version: '1.2.3' })
})

test.each([
  ['node_modules/mayfly', 'npx mayfly'],
  ['checkout', 'npm run mayfly --'],
  ['releases/0.2.0', 'mayfly'],
  ['app', 'mayfly'],
])('in %s the command is called "%s"', async (name, command) => {
  const place = join(folder, 'places', name)
  await mkdir(join(place, 'scripts'), { recursive: true })
  // The image holds no sources.
  if (name !== 'app') await writeFile(join(place, 'scripts/run.mjs'), '')
  expect(await valueIn(place, 'operatorCommand')).toBe(command)
})
