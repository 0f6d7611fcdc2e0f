/** `npm run lab -- bench` with a hundredth of the work: every part runs and returns its results. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { siteBuilt } from '../../test/harness/mayfly/build-server.ts'
import { BlackHole } from './parts/black-hole.ts'
import type { Row } from './parts/figures.ts'

const bench = resolve(import.meta.dirname, 'bench.ts')
const RUN_MS_MAX = 120_000
const BUILD_MS_MAX = 300_000
// Processor time and memory of another process come from /proc.
const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'every part measures our server and another receiver, and writes a table and a file',
  async () => {
    await siteBuilt()
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-test-'))
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
    await using other = await BlackHole.start()
    const json = join(folder, 'bench.json')
    const receiver = `127.0.0.1:${other.port}:${other.pid}`
    const args = [bench, '--quick', '--json', json, '--receiver', receiver]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: RUN_MS_MAX })
    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { rows: Row[] }
    const parts = new Set(rows.map(({ part }) => part))
    for (const part of [
      'start',
      'ingest',
      'unchecked',
      'limit',
      'single mail',
      'requests',
      'page',
      'hold',
      'expire',
      `127.0.0.1:${other.port}`,
    ]) {
      expect([...parts]).toContain(part)
    }
    for (const row of rows) {
      expect(row.median, `${row.part}, ${row.name}`).toBeTypeOf('number')
      expect(stdout).toContain(`| ${row.part} | ${row.name} |`)
    }
    const ingest = rows.filter(({ part, unit }) => part === 'ingest' && unit === '/s')
    const text = ['4 kB of text, 50 connections', '4 kB of text, 20 connections', '4 kB of text, signed', '64 kB of text']
    expect(ingest.map(({ name }) => name).sort()).toEqual([...text, '4 kB in two forms', '40 kB of HTML', '1 MB', 'mixed sizes'].sort())
    for (const { median } of ingest) expect(median).toBeGreaterThan(0)
  },
  BUILD_MS_MAX + RUN_MS_MAX,
)
