#!/usr/bin/env node
// `npm start`: installs what is missing, builds the site when it is stale, runs the server. In the package that `npm run pack` makes all
// of it is there, and a command of the operator may follow. Plain JavaScript for any Node from 18 on.
import { join, resolve } from 'node:path'
import { installDependencies, isPacked, requireNode, root, runNode, toolEnvironment } from './bootstrap.mjs'
import { runUntilEnd } from './run-until-end.mjs'
import { spawnServer } from './server-process.mjs'

// If the parent opened a channel, as the client's start() does, this never outlives it: see server-process.mjs.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

process.exitCode = isPacked ? await runPacked(process.argv.slice(2)) : await buildAndRun()

async function buildAndRun() {
  await installDependencies()
  const built = await runNode(['scripts/build.ts', '--if-stale'])
  return built === 0 ? runServer(toolEnvironment()) : built
}

/** npm may remove the folder of the package at any time, so the data is in the folder of the user. */
function runPacked([name, ...args]) {
  const env = { ...toolEnvironment(), DATA_DIR: resolve(process.env.DATA_DIR || 'data') }
  if (name === undefined) return runServer(env)
  const program = name === 'send-test' ? ['send-test.js'] : ['mayfly.js', name]
  return runNode([join(root, 'dist/server', program[0]), ...program.slice(1), ...args], env)
}

function runServer(env) {
  return runUntilEnd(spawnServer(requireNode(), { env, stdio: ['inherit', 'inherit', 'inherit'] }))
}
