// `node scripts/run.mjs cli/send-test.ts …`: runs a script of this project under the right Node, installing what is missing.
// npm scripts go through here because npm 10 does not link the `node` of the lock file into node_modules/.bin.
import { installDependencies, runNode } from './bootstrap.mjs'

installDependencies()
process.exitCode = await runNode(process.argv.slice(2))
