// `npm start`: installs what is missing, builds the site when it is stale, runs everything.
import { installDependencies, runNode } from './bootstrap.mjs'

installDependencies()
const built = await runNode(['scripts/build.ts', '--if-stale'])
process.exitCode = built === 0 ? await runNode(['server/main.ts']) : built
