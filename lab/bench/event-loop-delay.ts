/**
 * Loaded into the server by a bench: measures the longest turn of the event loop in CPU time, so that other work on the machine does not
 * count. SIGUSR2 prints `longest turn N ms` since the last time on stderr.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let longestMs = 0
  let last = process.threadCpuUsage()
  // Each turn of the event loop runs its timers, so two measurements are never further apart than one turn.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system - last.user - last.system) / 1000)
    last = { user, system }
  }, 1).unref()
  process.on('SIGUSR2', () => {
    process.stderr.write(`longest turn ${longestMs.toFixed(1)} ms\n`)
    longestMs = 0
  })
}
