/**
 * The servers that a PostgreSQL URL names, in the forms of libpq ("Connection URIs"), of which the driver knows only those with one host.
 */
import { isDecodable } from './outgoing-proxy.ts'

const DEFAULT_PORT = 5432
/** What libpq would use at a server that takes no writes is of no use here. */
const WRITABLE = ['any', 'read-write', 'primary']
/** They are the driver's words for verify-full, which it says with a warning. Without it, what it does stays the same. */
const VERIFIED = /^(?:prefer|require|verify-ca)$/

export type PostgresAddress = {
  /** A host is a name, an IP address, or the folder of a Unix socket. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly user: string
  readonly database: string
  /** The URL of each host in the form that the driver reads. */
  readonly urls: readonly string[]
}

/** What is wrong with it, as the rest of a sentence that begins with the setting's name; `undefined` if nothing is. */
export function postgresUrlProblem(value: string): string | undefined {
  const parts = split(value)
  if (!parts) return 'must be a URL that starts with postgres:// or postgresql://'
  const { authority, path, search, hosts, ports } = parts
  if (authority.hosts === '' && path.length < 2 && search.size === 0) return 'must name a host after ://'
  if (![authority.user, authority.password, authority.hosts, path].every(isDecodable))
    return 'must have %25 for each % that stands for itself'
  if (authority.hosts.includes('@') || hosts.some(host => /[/?#@\s]/.test(host) && !host.startsWith('/')))
    return 'must have # / ? @ and % in its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %'
  if (ports.length > 1 && ports.length !== hosts.length) return 'must have one port, or one for each host'
  if (!ports.every(port => port === '' || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)))
    return 'must have ports from 1 to 65535'
  if (!WRITABLE.includes(search.get('target_session_attrs') ?? 'any'))
    return `must lead to a server that takes writes: target_session_attrs is ${WRITABLE.join(', ')}, or left out`
  return undefined
}

/** Parses a URL in which nothing is wrong. */
export function parsePostgresUrl(value: string): PostgresAddress {
  const parts = split(value)
  if (!parts) throw new Error('checked by postgresUrlProblem')
  const { authority, path, hosts, ports } = parts
  const places = hosts.map((host, i) => ({ host, port: Number(ports[ports.length === 1 ? 0 : i] || DEFAULT_PORT) }))
  const urlOf = ({ host, port }: (typeof places)[number]) => {
    const search = new URLSearchParams(parts.search)
    for (const name of ['host', 'port', 'target_session_attrs', 'load_balance_hosts']) search.delete(name)
    if (VERIFIED.test(search.get('sslmode') ?? '') && search.get('uselibpqcompat') !== 'true') search.set('sslmode', 'verify-full')
    // The driver knows the host of a URL without one.
    if (host) search.set('host', host)
    search.set('port', String(port))
    const login = authority.user && `${authority.user}${authority.password && `:${authority.password}`}@`
    return `postgres://${login}${host && 'localhost'}${path || '/'}?${search}`
  }
  return {
    hosts: places.map(({ host, port }) => ({ host: host || 'localhost', port })),
    user: decodeURIComponent(authority.user) || (parts.search.get('user') ?? ''),
    database: decodeURIComponent(path.slice(1)),
    urls: places.map(urlOf),
  }
}

/** `new URL` reads neither several hosts nor a user without a host. */
function split(value: string) {
  const [, login = '', hostList = '', path = '', query = ''] =
    /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?]*)(\/[^?]*)?(?:\?(.*))?$/s.exec(value) ?? []
  if (!/^postgres(?:ql)?:\/\//.test(value)) return undefined
  const colon = login.indexOf(':')
  const [user, password] = colon === -1 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)]
  const search = new URLSearchParams(query)
  const named = hostList.split(',').map(place => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? [])
  const hosts = search.get('host')?.split(',') ?? named.map(([, host = '']) => bareHost(host))
  const ports = search.get('port')?.split(',') ?? (search.has('host') ? [''] : named.map(([, , port = '']) => port))
  return { authority: { user, password, hosts: hostList }, path, search, hosts, ports }
}

/** An IPv6 address without its brackets; a socket's folder is percent-encoded. */
const bareHost = (host: string): string => (isDecodable(host) ? decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')) : host)
