/** Requests the links and images of a message to check it. */
import { isPublicAddress } from '../reader/links/public-address.ts'
import { Deadline } from './api.ts'
import { type CheckedMessage, checkContent, isHeadRefused, listImages, listWebLinks } from './check-content.ts'
import type { Message } from './message.ts'
import type { CheckOptions } from './options.ts'

const CHECK_MS_DEFAULT = 30_000
const REDIRECTS_MAX = 10
const AT_ONCE = 8

export async function checkMail(message: Message, options: CheckOptions): Promise<CheckedMessage> {
  const { follow = true, fetch = globalThis.fetch, timeoutMs = CHECK_MS_DEFAULT, signal } = options
  if (!follow) return checkContent(message)
  const deadline = new Deadline(timeoutMs, signal)
  const visit = (url: string) => request(url, fetch, deadline)
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
async function request(url: string, fetch: typeof globalThis.fetch, deadline: Deadline): Promise<Visit> {
  const redirects: string[] = []
  let method = 'HEAD'
  try {
    let addresses = await addressesOf(url)
    for (let target = url; redirects.length <= REDIRECTS_MAX; ) {
      if (addresses.some(address => LINK_LOCAL.test(address))) throw new Error('it is an address of this machine’s own link')
      const { timeoutMs, signal } = deadline.attempt
      const timeout = AbortSignal.timeout(Math.ceil(Math.min(timeoutMs, deadline.leftMs)))
      const response = await fetch(target, { method, redirect: 'manual', signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
      const { status, headers } = response
      await response.body?.cancel()
      const location = headers.get('location')
      if (method === 'HEAD' && isHeadRefused(status) && redirects.length === 0) method = 'GET'
      else if (status >= 300 && status < 400 && location !== null) {
        target = new URL(location, target).href
        if (!/^https?:/.test(target)) return { redirects, status, error: `it leads to ${target}` }
        const next = await addressesOf(target)
        const isFromPrivate = addresses.some(isPrivate)
        if (!isFromPrivate && next.some(isPrivate)) return { redirects, status, error: `it leads into a private network: ${target}` }
        redirects.push(target)
        addresses = next
        method = 'HEAD'
      } else {
        const length = headers.get('content-length')
        return { redirects, status, ...(length !== null && { bytes: Number(length) }) }
      }
    }
    return { redirects, error: `more than ${REDIRECTS_MAX} redirects` }
  } catch (error) {
    deadline.signal?.throwIfAborted()
    const { message, cause } = error as Error
    return { redirects, error: cause instanceof Error ? cause.message : message }
  }
}

/** As in a URL. Where names cannot be resolved, as in browsers, only what is written as an address is known. */
async function addressesOf(url: string): Promise<string[]> {
  const { hostname } = new URL(url)
  if (/^\[|^[\d.]+$/.test(hostname)) return [hostname]
  const dns = globalThis.process?.getBuiltinModule?.('node:dns/promises')
  const found = (await dns?.lookup(hostname, { all: true }).catch(() => [])) ?? []
  return found.map(({ address, family }) => (family === 6 ? new URL(`http://[${address.replace(/%.*/, '')}]`).hostname : address))
}

const LINK_LOCAL = /^(?:169\.254\.|\[(?:fe[89ab]|(?:64:ff9b)?::(?:ffff:)?a9fe:))/
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
