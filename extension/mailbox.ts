/** What the extension asks of a server: a visitor's address under the bot check and limits of the page, its mail as it arrives, its end. */
import { readEventStream, reconnectAfterMs, SILENCE_MS } from '#contract/event-stream.ts'
import type { CreateMailbox, MessageSummary } from '#contract/mailbox.ts'
import type { Challenge } from '#contract/site.ts'
import { createMailbox, destroyMailbox, readChallenge } from '#web/lib/api/address-routes.ts'
import { listMessages, readMailbox, streamEvent, streamEvents } from '#web/lib/api/mailbox-routes.ts'
import { ProblemError, request, send } from '#web/lib/api/request.ts'
import { solveProofOfWork } from '#web/lib/bot-check/proof-of-work.ts'
import type { KeptAddress, Mail, Site } from './addresses.ts'

const SOLVE_MS_MAX = 30_000

/**
 * Throws `ProblemError`. With an API key there is no bot check, and the quota is that of the key. `endsAtMs`: by this clock, and from when
 * the address was asked for, so never later than the server's end.
 */
export async function createAddress({ origin, apiKey }: Site): Promise<Omit<KeptAddress, 'usedOn'>> {
  const post = async (json: CreateMailbox) => {
    const askedAtMs = Date.now()
    const { email, token, secondsLeft, lifetimeSeconds } = await request(createMailbox, { origin, token: apiKey, json })
    return { email, token, origin, endsAtMs: askedAtMs + secondsLeft * 1000, lifetimeSeconds, mails: [] }
  }
  if (apiKey !== undefined) return post({})
  try {
    return await post(await solveBotCheck(origin))
  } catch (error) {
    // A solution ends with a restart of the server or a change of networks, which nobody can help: one more is solved.
    if (!hasCode(error, 'bot_check_failed')) throw error
    return post(await solveBotCheck(origin))
  }
}

async function solveBotCheck(origin: string): Promise<{ botCheck?: string }> {
  let puzzle: Challenge
  try {
    puzzle = await request(readChallenge, { origin, query: { action: 'generate_email' } })
  } catch (error) {
    // The server does not check, or uses reCAPTCHA, which will be its reply.
    if (hasCode(error, 'not_found')) return {}
    throw error
  }
  return { botCheck: await solveProofOfWork(Promise.resolve(puzzle), AbortSignal.timeout(SOLVE_MS_MAX)) }
}

type Mailbox = { readonly origin: string; readonly token: string }

export async function destroyAddress({ origin, token }: Mailbox): Promise<void> {
  try {
    await send(destroyMailbox, { origin, token })
  } catch (error) {
    if (!hasCode(error, 'mailbox_not_found')) throw error
  }
}

type MailListener = {
  /** When the mailbox ends, by this browser's clock, and how long it lives in all. Told again when an account keeps it. */
  onLife(endsAtMs: number, lifetimeSeconds: number): void
  onMail(mail: Mail): void
  onRemoved(id: string): void
  /** The mailbox is gone. */
  onEnd(): void
  /** The server sent something, if only a sign of life. */
  onBytes(): void
}

/** Reads mail as it arrives, until the mailbox is gone or `signal` aborts. */
export async function watchMail(mailbox: Mailbox, listener: MailListener, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    let waitMs: number | undefined
    try {
      waitMs = await readStream(mailbox, listener, signal, () => {
        failures = 0
      })
    } catch (error) {
      if (signal.aborted) return
      if (hasCode(error, 'mailbox_not_found')) return listener.onEnd()
      waitMs = error instanceof ProblemError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : undefined
    }
    await pause(waitMs ?? reconnectAfterMs(failures + 1, Math.random()), signal)
  }
}

/** What is known of the mailbox, then what comes. Resolves when the connection ends: to the pause that is asked for, if one is. */
async function readStream({ origin, token }: Mailbox, listener: MailListener, signal: AbortSignal, onOpen: () => void) {
  const askedAtMs = Date.now()
  const { secondsLeft, lifetimeSeconds } = await request(readMailbox, { origin, token, signal })
  listener.onLife(askedAtMs + secondsLeft * 1000, lifetimeSeconds)
  const { messages, cursor } = await request(listMessages, { origin, token, signal })
  for (const message of messages.reverse()) listener.onMail(toMail(message))
  const silent = new AbortController()
  const both = AbortSignal.any([signal, silent.signal])
  let timer: ReturnType<typeof setTimeout> | undefined
  const onBytes = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
    listener.onBytes()
  }
  onBytes()
  try {
    const { body } = await send(streamEvents, {
      origin,
      token,
      headers: { accept: 'text/event-stream', 'last-event-id': cursor },
      signal: both,
    })
    if (!body) return undefined
    onOpen()
    for await (const { data } of readEventStream(body, onBytes)) {
      const event: unknown = JSON.parse(data)
      // A newer server may send other events.
      if (!streamEvent(event)) continue
      if (event.type === 'message') listener.onMail(toMail(event.message))
      else if (event.type === 'removed') listener.onRemoved(event.id)
      else if (event.type === 'expired') listener.onEnd()
      else if (event.type === 'extended') return 0
      else if (event.type === 'reconnect') return event.afterMs
    }
    return undefined
  } finally {
    clearTimeout(timer)
    silent.abort()
  }
}

/** No code of a contradicted sender: nobody should type it anywhere. */
function toMail({ id, from, subject, receivedAt, codes, verdict }: MessageSummary): Mail {
  const mail = { id, from: from.name || from.address, subject, receivedAt }
  const code = verdict === 'contradicted' ? undefined : codes[0]
  return code === undefined ? mail : { ...mail, code }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const hasCode = (error: unknown, code: ProblemError['code']) => error instanceof ProblemError && error.code === code
