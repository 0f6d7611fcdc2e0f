/** ALTCHA proof of work, self-hosted: invisible, no third party. */
import { createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import type { Clock } from '#server/platform/clock.ts'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import type { BotCheck } from './bot-check.ts'

/** One derivation takes about 0.55 ms in Chromium, so the mean of 150 takes about 0.1 s, on a phone half a second. */
const COST = 5000
/** The solution is any counter from 1 to this, so that nobody can skip the beginning. */
const COUNTER_MAX = 300
const LIFETIME_MS = 5 * 60_000

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      expiresAt: z.number(),
      data: z.strictObject({ action: z.string(), network: z.string() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

export type PowOptions = { readonly sharedLimits: SharedLimits; readonly difficulty?: () => number }

/**
 * A challenge is for one action and for the network that asked for it: one that was solved elsewhere, e.g. by a paid solver, is
 * refused. `difficulty` multiplies the work, and the operator raises it under abuse. A solution is used up for all processes that share
 * their limits, and each accepts the challenges of the others. Challenges are signed with a key that is lost when it is no longer known
 * which solutions were used.
 */
export function createPow(clock: Clock, { sharedLimits, difficulty = () => 1 }: PowOptions): BotCheck {
  const key = (purpose: string) => deriveSubkey(sharedLimits.secret, `mayfly proof of work ${purpose} v1`)
  const hmacSignatureSecret = key('challenge').toString('hex')
  const hmacKeySignatureSecret = key('solution').toString('hex')
  const networkKey = key('network')
  const markUsed = (nonce: string, expiresAt: number) => sharedLimits.once('proof-of-work', nonce, expiresAt * 1000 - clock())
  const networkHash = (network: string) => createHmac('sha256', networkKey).update(network).digest('base64url')

  return {
    provider: { provider: 'pow' },
    async challenge(action, network) {
      const { parameters, signature } = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(1, COUNTER_MAX * difficulty() + 1),
        deriveKey,
        expiresAt: Math.floor((clock() + LIFETIME_MS) / 1000),
        data: { action, network: networkHash(network) },
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      })
      if (signature === undefined) throw new TypeError('a challenge is made with a secret, so it is signed')
      return { parameters: { ...parameters }, signature }
    },
    async verify(token, action, network) {
      const payload = readPayload(token)
      if (!payload) return 'failed'
      const { challenge, solution } = payload
      const { expiresAt, data, nonce } = challenge.parameters
      if (data.action !== action || expiresAt * 1000 <= clock()) return 'failed'
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret, hmacKeySignatureSecret })
      if (!verified || !(await markUsed(nonce, expiresAt))) return 'failed'
      return data.network === networkHash(network) ? 'passed' : 'elsewhere'
    },
  }
}

function readPayload(token: string | undefined) {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(token ?? '', 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}
