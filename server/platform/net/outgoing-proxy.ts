/** HTTPS_PROXY and NO_PROXY, which many programs read: the proxy by which this machine asks servers on the internet over https. */
import { setGlobalProxyFromEnv } from 'node:http'

/** `noProxy`: hosts that are asked directly, as in NO_PROXY. */
export type OutgoingProxy = { readonly url: string; readonly noProxy: string }

type Found = { readonly proxy: OutgoingProxy | undefined; readonly problems: readonly string[] }

/** The lower-case names come first, as in curl. An address without a scheme is an http proxy. */
export function outgoingProxy(env: Readonly<Record<string, string | undefined>>): Found {
  const value = env.https_proxy || env.HTTPS_PROXY
  if (!value) return { proxy: undefined, problems: [] }
  const url = value.includes('://') ? value : `http://${value}`
  const isHttp = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  return isHttp
    ? { proxy: { url, noProxy: env.no_proxy || env.NO_PROXY || '' }, problems: [] }
    : { proxy: undefined, problems: ['HTTPS_PROXY must be the URL of a proxy that starts with http:// or https://'] }
}

/** For `fetch` and the shared agent of this thread, until it is disposed of. */
export function setOutgoingProxy(proxy: OutgoingProxy | undefined): Disposable {
  const restore = proxy && setGlobalProxyFromEnv({ HTTPS_PROXY: proxy.url, NO_PROXY: proxy.noProxy })
  return { [Symbol.dispose]: () => restore?.() }
}

/** Whether NO_PROXY names the host of this URL: `*`, a name with or without a port, or with a dot before it the names below. */
export function isWithoutProxy({ noProxy }: OutgoingProxy, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const hostAndPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some(entry => {
      const below = /^\*?(\..+)$/.exec(entry)?.[1]
      return entry === '*' || entry === host || entry === hostAndPort || (below !== undefined && `.${host}`.endsWith(below))
    })
}
