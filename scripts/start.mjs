// `npm start`: installs what is missing, builds the site when it is stale, runs everything.
import { installDependencies, runNode, toolEnvironment } from './bootstrap.mjs'
import { serverEnvironment, serverFlags } from './server-flags.mjs'

installDependencies()
const built = await runNode(['scripts/build.ts', '--if-stale'])
process.exitCode = built === 0 ? await runNode([...serverFlags, 'server/main.ts'], { ...serverEnvironment, ...toolEnvironment() }) : built
