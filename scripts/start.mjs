// `npm start`: installs what is missing, builds the site when it is stale, runs the server. Plain JavaScript for any Node from 18 on.
import { installDependencies, requireNode, runNode, toolEnvironment } from './bootstrap.mjs'
import { runUntilEnd } from './run-until-end.mjs'
import { spawnServer } from './server-process.mjs'

// If the parent opened a channel, as the client's start() does, this never outlives it: see server-process.mjs.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

await installDependencies()
const built = await runNode(['scripts/build.ts', '--if-stale'])
process.exitCode = built === 0 ? await runServer() : built

function runServer() {
  return runUntilEnd(spawnServer(requireNode(), { env: toolEnvironment(), stdio: ['inherit', 'inherit', 'inherit'] }))
}
