/** Requests the links and images of a message to check it. */
import { isMetadataAddress, isPublicAddress } from '../reader/links/public-address.ts'
import { Deadline } from './api.ts'
import { type CheckedMessage, checkContent, isHeadRefused, listImages, listWebLinks } from './check-content.ts'
import type { Message } from './message.ts'
import type { CheckOptions } from './options.ts'

const CHECK_MS_DEFAULT = 30_000
const REDIRECTS_MAX = 10
const AT_ONCE = 8

export async function checkMail(message: Message, options: CheckOptions): Promise<CheckedMessage> {
  const { follow = true, fetch, timeoutMs = CHECK_MS_DEFAULT, signal } = options
  if (!follow) return checkContent(message)
  const deadline = new Deadline(timeoutMs, signal)
  const ask = fetch ? askBy(fetch) : askDirectly
  const visit = (url: string) => request(url, ask, deadline)
  const links = await inParallel(listWebLinks(message), async link => ({ ...link, ...withoutBytes(await visit(link.url)) }))
  const images = await inParallel(listImages(message), async image =>
    image.error === undefined && image.bytes === undefined ? { ...image, ...(await visit(image.url)) } : image,
  )
  return checkContent(message, links, images)
}

type Visit = { redirects: readonly string[]; status?: number; bytes?: number; error?: string }

const withoutBytes = ({ bytes: _, ...visit }: Visit) => visit

/**
 * With HEAD, which confirms and unsubscribes nothing where servers keep to RFC 9110, and with GET where the address in the mail does not
 * answer that. The sender chooses these addresses, so they reach no cloud's metadata, and no public host sends us on into this network.
 */
async function request(url: string, ask: Ask, deadline: Deadline): Promise<Visit> {
  const redirects: string[] = []
  let method = 'HEAD'
  try {
    let addresses = await addressesOf(url)
    for (let target = url; redirects.length <= REDIRECTS_MAX; ) {
      if (addresses.some(isMetadataAddress)) throw new Error('it is an address of this machine’s own link, or of a cloud’s metadata')
      const { timeoutMs, signal } = deadline.attempt
      const timeout = AbortSignal.timeout(Math.ceil(Math.min(timeoutMs, deadline.leftMs)))
      const { status, location, length } = await ask(
        target,
        { method, signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
        addresses,
      )
      if (method === 'HEAD' && isHeadRefused(status) && redirects.length === 0) method = 'GET'
      else if (status >= 300 && status < 400 && location !== undefined) {
        target = new URL(location, target).href
        if (!/^https?:/.test(target)) return { redirects, status, error: `it leads to ${target}` }
        const next = await addressesOf(target)
        const isFromPrivate = addresses.some(isPrivate)
        if (!isFromPrivate && next.some(isPrivate)) return { redirects, status, error: `it leads into a private network: ${target}` }
        redirects.push(target)
        addresses = next
        method = 'HEAD'
      } else return { redirects, status, ...(length !== undefined && { bytes: Number(length) }) }
    }
    return { redirects, error: `more than ${REDIRECTS_MAX} redirects` }
  } catch (error) {
    deadline.signal?.throwIfAborted()
    const { message, cause } = error as Error
    return { redirects, error: cause instanceof Error ? cause.message : message }
  }
}

type Asked = { readonly status: number; readonly location: string | undefined; readonly length: string | undefined }
/** `addresses`: what the name of the URL was found to lead to, and was judged by. */
type Ask = (url: string, how: { method: string; signal: AbortSignal }, addresses: readonly string[]) => Promise<Asked>

/** A `fetch` of the caller's connects as it likes. */
function askBy(fetch: typeof globalThis.fetch): Ask {
  return async (url, how) => {
    const { status, headers, body } = await fetch(url, { ...how, redirect: 'manual' })
    await body?.cancel()
    return { status, location: headers.get('location') ?? undefined, length: headers.get('content-length') ?? undefined }
  }
}

const http = globalThis.process?.getBuiltinModule?.('node:http')
const https = globalThis.process?.getBuiltinModule?.('node:https')

/** Connects to an address that was judged, because a second look-up of the name may find another. Browsers connect as they like. */
const askDirectly: Ask = async (url, how, addresses) => {
  if (!http || !https) return askBy(globalThis.fetch)(url, how, addresses)
  if (addresses.length === 0) throw new Error(`${new URL(url).hostname} has no address`)
  let failed: unknown
  for (const address of addresses) {
    try {
      return await askAt(url, how, address)
    } catch (error) {
      how.signal.throwIfAborted()
      failed = error
    }
  }
  throw failed
}

function askAt(url: string, { method, signal }: { method: string; signal: AbortSignal }, address: string): Promise<Asked> {
  const { protocol, hostname, host, port, pathname, search } = new URL(url)
  const name = withoutRoot(hostname)
  const where = { host: address.replace(/^\[|\]$/g, ''), port, path: pathname + search, ...(isAddress(name) ? {} : { servername: name }) }
  const send = protocol === 'https:' ? https?.request : http?.request
  return new Promise((resolve, reject) => {
    const sent = send?.({ ...where, method, signal, agent: false, headers: { host, accept: '*/*' } }, response => {
      const { statusCode = 0, headers } = response
      response.destroy()
      resolve({ status: statusCode, location: headers.location, length: headers['content-length'] })
    })
    sent?.on('error', reject).end()
  })
}

/** As in a URL. Where names cannot be resolved, as in browsers, only what is written as an address is known. */
async function addressesOf(url: string): Promise<string[]> {
  const name = withoutRoot(new URL(url).hostname)
  if (isAddress(name)) return [name]
  const dns = globalThis.process?.getBuiltinModule?.('node:dns/promises')
  const found = (await dns?.lookup(name, { all: true }).catch(() => [])) ?? []
  return found.map(({ address, family }) => (family === 6 ? new URL(`http://[${address.replace(/%.*/, '')}]`).hostname : address))
}

const isAddress = (hostname: string) => /^\[|^[\d.]+$/.test(hostname)
/** The dot at the end of an absolute name changes nothing about where it leads. */
const withoutRoot = (hostname: string) => hostname.replace(/\.$/, '')
const isPrivate = (address: string) => !isPublicAddress(address)

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
