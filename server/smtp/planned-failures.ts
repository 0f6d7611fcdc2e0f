/**
 * Addresses that fail on purpose (docs/testing-with-mayfly.md): the reply that a test has chosen, for the first attempts. Nothing of it is
 * counted or logged as a refusal. The attempts are counted where limits are, so all processes of a cluster count together.
 */
import { API_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { PlannedFailure } from '#contract/mailbox.ts'
import type { Recipient } from '#server/mail/delivery/envelope.ts'
import type { Limit, SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { Reply } from './replies.ts'

const ATTEMPTS_DEFAULT = 1
/** Full while nobody waits for the address; `letOthersGoFirst` empties it. Nobody waits for longer than an hour. */
const TURN = { name: 'planned-failure-turns', capacity: 1, perSecond: 1 / 3600 }

/** Who names a failing address: a network, with an envelope sender. */
type Sender = { readonly networks: Holder; readonly from: string }

/**
 * `wait` takes the chosen time, after which the mail is refused or goes on. Resolves after it to the chosen reply; `undefined` if the
 * recipient does not fail at this stage, or only is slow.
 */
export async function failOnPurpose(
  limits: Pick<SharedLimits, 'take'>,
  recipient: Recipient,
  stage: PlannedFailure['stage'],
  wait: (ms: number, isRefused: boolean) => Promise<void>,
): Promise<Reply | undefined> {
  if (recipient.kind !== 'mailbox' || recipient.failure?.stage !== stage) return undefined
  const { reply, delaySeconds = 0 } = recipient.failure
  if (!(await limits.take(attemptsOf(recipient.failure), keyOf(recipient)))) return undefined
  await wait(delaySeconds * 1000, reply !== undefined)
  return reply === undefined ? undefined : toReply(reply)
}

/** Whether this failure would concern the mail of other recipients too, so that they have to be in another transaction. */
export async function failsAlone(limits: Pick<SharedLimits, 'peek'>, recipient: Recipient): Promise<boolean> {
  if (recipient.kind !== 'mailbox' || !recipient.failure) return false
  const { stage, reply = '' } = recipient.failure
  if (stage === 'rcpt' && !endsSession(reply)) return false
  return (await limits.peek(attemptsOf(recipient.failure), keyOf(recipient))).remaining > 0
}

/**
 * This sender's mail to others had to wait, or was cut off, because it named the failing address first. Senders keep their order, so
 * without it the others would get nothing before all attempts are used up.
 */
export async function letOthersGoFirst(limits: Turns, recipient: Recipient, sender: Sender): Promise<void> {
  if (recipient.kind === 'mailbox') await limits.takeTokens(TURN, turnOf(recipient, sender), 1)
}

/** Whether the others of this sender go first now, which they do once. */
export async function othersGoFirst(limits: Turns, recipient: Recipient, sender: Sender): Promise<boolean> {
  if (recipient.kind !== 'mailbox') return false
  const turn = turnOf(recipient, sender)
  if ((await limits.takeTokens(TURN, turn, 0)) >= TURN.capacity) return false
  await limits.takeTokens(TURN, turn, -TURN.capacity)
  return true
}

type Turns = Pick<SharedLimits, 'takeTokens'>

function turnOf(recipient: Extract<Recipient, { kind: 'mailbox' }>, { networks, from }: Sender): string {
  return `${keyOf(recipient)} ${networks.at(-1)} ${from}`
}

function attemptsOf({ attempts = ATTEMPTS_DEFAULT }: PlannedFailure): Limit {
  return { name: 'planned-failures', max: attempts, windowSeconds: API_LIFETIME_SECONDS.max }
}

/** A later mailbox of the same name begins again. */
function keyOf({ mailboxId, createdAt }: Extract<Recipient, { kind: 'mailbox' }>): string {
  return `${mailboxId} ${createdAt}`
}

function toReply(reply: string): Reply {
  if (reply === 'cut') return { text: '', next: 'close' }
  const [code = '', enhanced = `${code.slice(0, 1)}.0.0`] = reply.split(' ')
  const text = `${code} ${enhanced} Refused on purpose\r\n`
  return endsSession(reply) ? { text, next: 'close' } : { text }
}

/** 421 announces that the server closes the connection (RFC 5321 4.2.3). */
const endsSession = (reply: string): boolean => reply === 'cut' || reply.startsWith('421')
