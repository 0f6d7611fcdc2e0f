/**
 * Listens to the log of a server under test. A warning or an error that the test did not announce fails it when the server stops: what a
 * server survives, such as the death of a thread, is seen nowhere else.
 */
import { appendFileSync } from 'node:fs'
import { createLog, type Log } from '#server/platform/log.ts'

const WARN = 40
const THREAD_DEATH = /"msg":"[^"]*\b[Tt]hread of [^"]* (?:failed and|does not start|is replaced)/

/** What a busy machine causes by itself: the page then comes without its challenge, and its script requests one. */
const BUSY_MACHINE = /"type":"ChallengeTimeout"/
/** A server says this of nodes that are starting, or hang: they take no writes, or acknowledge none. */
export const CLUSTER_PAUSED =
  /"msg":"(?:The mail store at )?[\d.]+:\d+(?: takes no writes: | is starting: | does not serve each | does not reply | does not acknowledge |: )/
/** What a server says while nodes of its cluster are away. */
export const CLUSTER_AWAY = [
  CLUSTER_PAUSED,
  /"msg":"The mail store does not take mail: /,
  /"msg":"\d+ of \d+ shards of MAIL_STORE_URL (?:do not reply|have too few replicas) /,
  /"type":"AppError","message":"unavailable\b.*"msg":"(?:Request failed|Mail could not be taken|A message could not be received)"/,
]
/** What a process on a cluster says once at its start if it has accounts of its own. */
export const OWN_ACCOUNTS = /blocks are in .*, for this process alone/

export class HeardLog implements Disposable {
  readonly #allowed: readonly RegExp[]
  readonly #allowedNow: RegExp[] = []
  readonly #warnings: string[] = []

  /** `allowed`: lines that the tests of this server provoke. Each pattern is matched against the whole JSON line. */
  constructor(allowed: readonly RegExp[] = []) {
    this.#allowed = allowed
  }

  /** Writes here, for a server in this process. */
  readonly log: Log = createLog('warn', { json: line => this.write(line) })

  /** What was heard since the last check. */
  get warnings(): readonly string[] {
    return this.#warnings
  }

  /** Allows more until the next check. */
  allow(...patterns: readonly RegExp[]): void {
    this.#allowedNow.push(...patterns)
  }

  /** Takes one line of output; what is not a JSON log line is ignored. */
  write(line: string): void {
    if (Number(/^\{"level":(\d+),/.exec(line)?.[1] ?? 0) >= WARN) this.#warnings.push(line.trim())
  }

  /** Throws if the server logged a warning or an error since the last check that no pattern allows. */
  check(): void {
    const allowed = [BUSY_MACHINE, ...this.#allowed, ...this.#allowedNow.splice(0)]
    const warnings = this.#warnings.splice(0)
    const unexpected = warnings.filter(line => !allowed.some(pattern => pattern.test(line)))
    countThreadDeaths(warnings, unexpected)
    if (unexpected.length === 0) return
    throw new Error(`the server under test logged what the test did not announce (allow it, or fix the cause):\n${unexpected.join('\n')}`)
  }

  [Symbol.dispose](): void {
    this.check()
  }
}

/** For the sum over all tests: one that passes on its second try, or whose failure hides this one, must not hide a thread that died. */
function countThreadDeaths(warnings: readonly string[], unexpected: readonly string[]): void {
  const count = (lines: readonly string[]) => lines.filter(line => THREAD_DEATH.test(line)).length
  const [all, unannounced] = [count(warnings), count(unexpected)]
  const path = process.env.THREAD_DEATHS_FILE
  if (path && all > 0) appendFileSync(path, `${JSON.stringify({ announced: all - unannounced, unannounced })}\n`)
}
