/** The whole application with a small built site, in a folder of its own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '../heard-log.ts'

export type App = Awaited<ReturnType<typeof startApp>>
type Texts = Readonly<Record<string, string>>

/** `files`: what is in them, by their paths in the built site. `allowLog`: warnings and errors that the test provokes; others fail it. */
export async function startSite(files: Texts, env: Texts, allowLog: readonly RegExp[] = []): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-site-'))
  await using opening = new AsyncDisposableStack()
  const heardLog = opening.use(new HeardLog(allowLog))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, 'web', dirname(path)), { recursive: true })
    await writeFile(join(folder, 'web', path), content)
  }
  const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1', DNS_SERVERS: 'off' }
  const config = readConfig({ ...base, DATA_DIR: join(folder, 'data'), ...env })
  const app = opening.use(await startApp(config, { log: heardLog.log, siteFolder: join(folder, 'web') }))
  const opened = opening.move()
  return { ...app, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
