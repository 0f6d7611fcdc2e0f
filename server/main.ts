/** `node server/main.ts`: reads the environment, starts, says where everything is, reads its certificate again on SIGHUP, stops cleanly on SIGTERM or SIGINT. */
import { keepCompiledCode } from '#server/compiled-code.ts'

keepCompiledCode(process.env)
// Only what is imported from here on is kept compiled.
const [{ startApp }, { ConfigError, readConfig }, { StartError }] = await Promise.all([
  import('#server/app.ts'),
  import('#server/config.ts'),
  import('#server/start-error.ts'),
])

/** A stop that takes longer than this has hung: supervisors kill after 10 s (Docker) or 90 s (systemd). */
const STOP_MS_MAX = 9_000

async function main(): Promise<void> {
  const stopped = new Promise<void>(resolve => process.once('SIGTERM', () => resolve()).once('SIGINT', () => resolve()))
  await using app = await startApp(readConfig(process.env))
  // At a terminal the signal means that it was closed, and ends us as it ends any program.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void app.reloadCertificate())
  console.log(`Site:  http://localhost:${app.httpPort}`)
  console.log(`Mail:  localhost:${app.smtpPort}`)
  console.log('Send a first mail to the address that the site shows:')
  console.log('  npm run send-test -- ADDRESS')
  await stopped
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref()
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
