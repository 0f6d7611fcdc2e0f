/** One request to a server that others named: a POST on a new connection, without redirects, with limits on time and response size. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { RefusedAddress, type RequestTargets } from './targets.ts'

/** The Standard Webhooks specification recommends 15 to 30 s; a receiver that needs longer should respond first and work later. */
const TIMEOUT_MS = 15_000
/** The response is not used; this much is read so that the receiver can finish writing it. */
const RESPONSE_BYTES_MAX = 64 * 1024

type Attempt = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }
/** `reason` is shown to whoever named the server: a status, or why there was none. It contains nothing that the receiver wrote. */
export type Attempted = { readonly isDelivered: boolean; readonly status: number | undefined; readonly reason: string }

type Limits = {
  readonly timeoutMs?: number
  /** Cuts the attempt off; whether the receiver got it is then unknown. */
  readonly signal?: AbortSignal
}

export async function postOnce(attempt: Attempt, targets: RequestTargets, limits: Limits = {}): Promise<Attempted> {
  const { timeoutMs = TIMEOUT_MS, signal } = limits
  const url = new URL(attempt.url)
  const refusal = targets.refuse(url)
  if (refusal !== undefined) return { isDelivered: false, status: undefined, reason: refusal }
  try {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await post(url, attempt, targets, signal ? AbortSignal.any([signal, timeout]) : timeout)
    const status = response.statusCode ?? 0
    await drain(response)
    return { isDelivered: status >= 200 && status < 300, status, reason: `status_${status}` }
  } catch (error) {
    return { isDelivered: false, status: undefined, reason: reasonFor(error) }
  }
}

function post(url: URL, { headers, body }: Attempt, targets: RequestTargets, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: targets.lookupFor(url),
        signal,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      resolve,
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (bytes > RESPONSE_BYTES_MAX) break
    }
  } catch {
    // Only the status matters.
  } finally {
    response.destroy()
  }
}

function reasonFor(error: unknown): string {
  if (error instanceof RefusedAddress) return 'private_address'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|CERT_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(code) ? code.toLowerCase() : 'connection_failed'
}
