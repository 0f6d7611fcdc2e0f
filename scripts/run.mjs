// `node scripts/run.mjs [--dev] cli/send-test.ts …`: runs a script of this project under the right Node, installing what is missing;
// with --dev also the packages that only tests and checks need. npm scripts go through here because npm 10 does not link the `node` of
// the lock file into node_modules/.bin.
import { installDependencies, runNode } from './bootstrap.mjs'

const [first, ...rest] = process.argv.slice(2)
const development = first === '--dev'
await installDependencies({ development })
process.exitCode = await runNode(development ? rest : [first, ...rest])
