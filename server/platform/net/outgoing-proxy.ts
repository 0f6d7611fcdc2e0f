/** HTTPS_PROXY and NO_PROXY, which many programs read: the proxy by which this machine asks servers on the internet over https. */
// Not by its name: this function is in Node since 24.14 and 25.4, and earlier ones would load nothing of ours.
import http from 'node:http'
import { StartError } from '../start-error.ts'

/** `noProxy`: hosts that are asked directly, as in NO_PROXY. */
export type OutgoingProxy = { readonly url: string; readonly noProxy: string }

type Found = { readonly proxy: OutgoingProxy | undefined; readonly problems: readonly string[] }

/** The lower-case names come first, as in curl. A domain, or a host and a port, without a scheme is an http proxy. */
export function outgoingProxy(env: Readonly<Record<string, string | undefined>>): Found {
  const value = env.https_proxy || env.HTTPS_PROXY
  if (!value) return { proxy: undefined, problems: [] }
  const url = value.includes('://') ? value : `http://${value}`
  const noProxy = env.no_proxy || env.NO_PROXY || ''
  const parsed = URL.parse(url)
  const problem =
    parsed === null || !['http:', 'https:'].includes(parsed.protocol) || (url !== value && !/[.:]/.test(value))
      ? 'HTTPS_PROXY must be the URL of a proxy that starts with http:// or https://'
      : !isDecodable(parsed.username + parsed.password) && 'HTTPS_PROXY must have %25 for each % in its user and password'
  const problems = problem === false ? [] : [problem]
  return { proxy: problems.length > 0 ? undefined : { url, noProxy }, problems }
}

const namesIn = (noProxy: string) =>
  noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

export function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}

/** For `fetch` and the shared agent of this thread, until it is disposed of. @throws StartError if this Node cannot use a proxy. */
export function setOutgoingProxy(proxy: OutgoingProxy | undefined): Disposable {
  if (!proxy) return { [Symbol.dispose]() {} }
  const { setGlobalProxyFromEnv }: Partial<typeof http> = http
  if (!setGlobalProxyFromEnv) {
    const { node } = process.versions
    throw new StartError(`HTTPS_PROXY needs Node 24.14, 25.4 or later, and this is Node ${node}. Install one, or remove HTTPS_PROXY.`)
  }
  return { [Symbol.dispose]: setGlobalProxyFromEnv({ HTTPS_PROXY: proxy.url, NO_PROXY: withoutProxy(proxy).join(',') }) }
}

/** A name holds for those below it too, as in curl. Agents of Node take it for itself alone. */
function withoutProxy({ noProxy }: OutgoingProxy): string[] {
  return namesIn(noProxy).flatMap(entry => (/^[*.]|:/.test(entry) ? [entry] : [entry, `.${entry}`]))
}

/** Whether NO_PROXY names the host of this URL: `*`, a name, one with a port, or with a dot before it the names below. */
export function isWithoutProxy(proxy: OutgoingProxy, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const hostAndPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return withoutProxy(proxy).some(entry => {
    const below = /^\*?(\..+)$/.exec(entry)?.[1]
    return entry === '*' || entry === host || entry === hostAndPort || (below !== undefined && `.${host}`.endsWith(below))
  })
}
