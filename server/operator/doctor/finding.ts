/** The result of one check. `warning`: it works, but not as it should. Only a `failure` leads to exit code 1. */
export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly sentence: string
  /** What to do. Missing if all is well. */
  readonly remedy?: string
}

export const ok = (check: string, sentence: string): Finding => ({ check, status: 'ok', sentence })
export const warning = (check: string, sentence: string, remedy: string): Finding => ({ check, status: 'warning', sentence, remedy })
export const failure = (check: string, sentence: string, remedy: string): Finding => ({ check, status: 'failure', sentence, remedy })

export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code)
    ? `${error.code}: ${error.message}`
    : error.message
}

/** The exit code of the command, for which warnings do not count. */
export const exitCodeFor = (findings: readonly Finding[]): 0 | 1 => (findings.some(({ status }) => status === 'failure') ? 1 : 0)
