/** Deletes addresses at the server. This browser keeps the keys of those deleted without a network until the server has answered. */
import { destroyMailbox } from '../api/address-routes.ts'
import { ProblemError, send } from '../api/request.ts'
import { localStore, OWED_DELETIONS_KEY, readStored, writeStored } from '../browser/storage.ts'
import { list, text } from '../shape.ts'

const tokens = list(text)
/** Older ones have expired long since: nobody deletes as many without a network. */
const OWED_MAX = 20

const destroy = (token: string) => send(destroyMailbox, { token, isKept: true })

const read = () => readStored(localStore, OWED_DELETIONS_KEY, tokens) ?? []

function settle(token: string): void {
  const rest = read().filter(other => other !== token)
  if (rest.length > 0) writeStored(localStore, OWED_DELETIONS_KEY, rest)
  else localStore.removeItem(OWED_DELETIONS_KEY)
}

/**
 * Without a network, it is deleted at the server as soon as there is one. An address that is gone already counts as deleted; any other
 * failure is the caller's.
 */
export async function destroyAddress(token: string): Promise<void> {
  try {
    // Asked first: when the page is being left, nothing after the request runs.
    if (navigator.onLine) return void (await destroy(token))
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'mailbox_not_found') return
    if (!isUnsent(error) || navigator.onLine) throw error
  }
  writeStored(localStore, OWED_DELETIONS_KEY, [...read(), token].slice(-OWED_MAX))
}

/** Deletes what is owed. What a server that is away or busy did not do stays owed. Call when the page opens and the network is back. */
export async function destroyAllOwed(): Promise<void> {
  for (const token of read()) {
    await destroy(token).then(
      () => settle(token),
      error => isRefused(error) && settle(token),
    )
  }
}

const isUnsent = (error: unknown) => error instanceof ProblemError && error.code === 'network'
/** There is no such address any more. */
const isRefused = (error: unknown) => error instanceof ProblemError && [401, 404, 410].includes(error.status)
