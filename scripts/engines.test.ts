/**
 * Engines are found, named with a remedy, and installed only when asked for. Each call runs in a process of its own, which sees only what
 * the test gives it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'

/** What `findEngines` returns where the only program is an apt-get that notes its call, and whether it was called. */
function findAlone(options: { all: boolean; install: boolean }) {
  const folder = newFolder()
  const called = join(folder, 'called')
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\n: > '${called}'\n`, { mode: 0o755 })
  const source = `import { findEngines } from ${JSON.stringify(resolve(import.meta.dirname, 'engines.mjs'))}
    console.log(JSON.stringify(findEngines({}, ${JSON.stringify(options)})))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', source], { env: { PATH: folder }, encoding: 'utf8' })
  return { missing: JSON.parse(printed.trim().split('\n').at(-1) ?? '') as string[], isInstalling: existsSync(called) }
}

test('the quick run needs Chromium alone, and says with which command to get it', () => {
  const { missing, isInstalling } = findAlone({ all: false, install: false })
  expect(missing).toEqual([expect.stringMatching(/^Chromium was not found.* apt-get install chromium-headless-shell /)])
  expect(isInstalling).toBe(false)
})

test('the long run names every engine, and still installs nothing by itself', () => {
  const { missing, isInstalling } = findAlone({ all: true, install: false })
  expect(missing.join('\n')).toMatch(/Chromium was not found[\s\S]*Caddy was not found/)
  expect(isInstalling).toBe(false)
})

test.runIf(process.getuid?.() === 0)('packages are installed when asked for (needs root)', () => {
  expect(findAlone({ all: false, install: true }).isInstalling).toBe(true)
})
