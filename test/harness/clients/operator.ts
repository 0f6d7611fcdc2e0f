/** An operator in their own browser: signed in, with a second factor that was set up and used. */
import { expect } from 'vitest'
import { confirmSecondFactor, enrolSecondFactor } from '#contract/operator.ts'
import { routes } from '#contract/routes.ts'
import { TOTP_STEP_MS, totpCodeAt } from '#server/operator/totp.ts'
import type { TestServer } from '../mayfly/start-test-server.ts'
import { PASSWORD, type Visitor } from './visitor.ts'

type TestOperator = {
  readonly visitor: Visitor
  readonly recoveryCodes: readonly string[]
  /** The code of the authenticator app, `steps` of 30 seconds from the server's time. */
  code(steps?: number): string
}

export async function enrolOperator(site: TestServer, email: string): Promise<TestOperator> {
  const visitor = await site.signedIn(email)
  const begun = await visitor.post(routes.operatorEnrol, { password: PASSWORD })
  expect(begun.status, begun.text).toBe(200)
  const secret = fromBase32(enrolSecondFactor.response.parse(JSON.parse(begun.text)).secret)
  const code = (steps = 0) => totpCodeAt(secret, Math.floor(site.now() / TOTP_STEP_MS) + steps)
  const confirmed = await visitor.post(routes.operatorConfirm, { code: code() })
  expect(confirmed.status, confirmed.text).toBe(200)
  return { visitor, code, recoveryCodes: confirmSecondFactor.response.parse(JSON.parse(confirmed.text)).recoveryCodes }
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
