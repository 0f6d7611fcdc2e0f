/**
 * Imported into the server by a bench: measures how long the main thread works at a stretch, in CPU time, so that what else the machine does
 * is not taken for it. SIGUSR2 prints `longest stretch N ms` since the last time on stderr.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let longestMs = 0
  let last = process.threadCpuUsage()
  // Each turn of the event loop looks at its timers, so two looks are never further apart than one turn.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system - last.user - last.system) / 1000)
    last = { user, system }
  }, 1).unref()
  process.on('SIGUSR2', () => {
    process.stderr.write(`longest stretch ${longestMs.toFixed(1)} ms\n`)
    longestMs = 0
  })
}
