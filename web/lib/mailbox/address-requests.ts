/** What a page asks of the server to create an address. Fetched with the first that the application requests itself. */
import type { CreateMailbox, MailboxCreated } from '#contract/mailbox.ts'
import { createMailbox } from '../api/address-routes.ts'
import { isUnanswered, ProblemError, request } from '../api/request.ts'
import { BotCheckError, botCheckRefused, obtainBotCheck, sendChecked } from '../bot-check/bot-check.ts'
import { chooseDomain, chosenDomain } from '../site/site-config.ts'
import type { Refusal } from './address-machine.ts'
import { takeWaitedMs } from './first-address-state.ts'
import { newAddressLimit, recordNewAddress } from './new-address-limit.ts'

/** `askedAtMs`: when it was requested, on the clock of `performance.now()`. */
type Created = { readonly mailbox: MailboxCreated; readonly askedAtMs: number }

/** Creates an address after the bot check. Counted as an attempt. Throws `ProblemError` and `BotCheckError`. */
export async function createAddress(wanted: Omit<CreateMailbox, 'botCheck'>, isPro: boolean, waitedMs = 0): Promise<Created> {
  const botCheck = await obtainBotCheck('generate_email', waitedMs)
  const askedAtMs = performance.now()
  const body = { ...wanted, ...(botCheck !== undefined && { botCheck }) }
  const create = () => sendChecked('generate_email', body, json => request(createMailbox, { json }))
  return { mailbox: await countAttempt(create, () => recordNewAddress(isPro)), askedAtMs }
}

/** Calls `record` if `create` was an attempt: one that reached the server within its limit and passed the bot check. */
export async function countAttempt<T>(create: () => Promise<T>, record: () => void): Promise<T> {
  try {
    const created = await create()
    record()
    return created
  } catch (error) {
    if (error instanceof ProblemError && !['network', 'unreadable_reply', 'bot_check_failed', 'rate_limited'].includes(error.code)) record()
    throw error
  }
}

/** Creates the address that the page shows, at the domain that the visitor chose. Never rejects. */
export async function tryToCreate(insteadOf: string | undefined, isPro: boolean): Promise<Created | { readonly refusal: Refusal }> {
  const domain = chosenDomain()
  try {
    return await createAddress({ ...(domain && { domain }), ...(insteadOf && { insteadOf }) }, isPro, takeWaitedMs())
  } catch (error) {
    // The operator took the chosen one away since this page was loaded: the next try is at the default.
    if (error instanceof ProblemError && error.code === 'domain_not_served') chooseDomain('')
    return { refusal: refusalOf(error) }
  }
}

/** Unexpected errors are logged as well. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof BotCheckError) return { kind: 'bot_check', failure: error.failure }
  if (error instanceof ProblemError) {
    const { code, retryAfterSeconds } = error
    if (code === 'bot_check_failed') return { kind: 'bot_check', failure: botCheckRefused('generate_email').failure }
    if (code === 'rate_limited') return { kind: 'rate_limited', seconds: retryAfterSeconds ?? newAddressLimit(false).windowSeconds }
    if (code === 'mailboxes_max') return { kind: 'full' }
    // Our own server, which says when to try again, has answered.
    if (code === 'unavailable' && retryAfterSeconds !== undefined) return { kind: 'unavailable', seconds: retryAfterSeconds }
    if (code !== 'unavailable' && isUnanswered(error)) return { kind: 'unreached' }
  }
  console.warn(error)
  return { kind: 'failed' }
}
