/** Attacker and victim in different networks of the loopback range, neither of them trusted; and what the victim's waits look like. */
import { deliver } from '../harness/clients/smtp-client.ts'
import type { TestSmtp } from '../harness/mayfly/start-smtp.ts'

export const ATTACKER = { localAddress: '127.0.66.1' }
export const VICTIM = { localAddress: '127.0.9.1' }
/** Trusts no client, because by default the whole loopback range is free of limits. */
export const NOBODY_TRUSTED = { SMTP_TRUSTED: '192.0.2.1' }

/** `npm run lab -- noisy-neighbour` samples the victim more often than `npm test -- --all`. */
export const ROUNDS = Number(process.env.NOISY_NEIGHBOUR_ROUNDS ?? 1)

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Delivers `count` mails of the victim on one connection each, and returns how many milliseconds each took. Throws if one is refused. */
export async function victimWaits(smtp: TestSmtp, count: number): Promise<number[]> {
  const { email } = await smtp.newAddress()
  const waits: number[] = []
  for (let mail = 0; mail < count; mail++) {
    const startedMs = performance.now()
    const reply = await deliver(smtp.port, email, `Subject: ${mail}\r\n\r\nYour code is 4711\r\n`, 'shop@elsewhere.test', VICTIM)
    if (!reply.startsWith('250')) throw new Error(`the victim's mail was not taken: ${reply}`)
    waits.push(performance.now() - startedMs)
  }
  return waits
}

export function report(budget: string, figures: string): void {
  console.info(`noisy neighbour, ${budget}: ${figures}`)
}
