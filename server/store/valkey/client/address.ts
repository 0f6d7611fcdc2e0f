/** Parses `MAIL_STORE_URL`: where nodes of the cluster are, and the credentials for them. */

export type NodeAddress = { readonly host: string; readonly port: number }

export type ClusterAccess = {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly isEncrypted: boolean
}

const PORT = 6379

export const addressKey = ({ host, port }: NodeAddress) => `${host}:${port}`

/** User and password of the first URL are used for every node. The configuration has checked that the others name none or the same. */
export function readNodeUrls(urls: readonly string[]): { seeds: NodeAddress[]; access: ClusterAccess } {
  const parsed = urls.map(url => new URL(url))
  const first = parsed.find(({ username, password }) => username || password) ?? parsed[0]
  const access = {
    username: decodeURIComponent(first?.username ?? '') || undefined,
    password: decodeURIComponent(first?.password ?? '') || undefined,
    isEncrypted: /^(rediss|valkeys):$/.test(first?.protocol ?? ''),
  }
  const seeds = parsed.map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORT) }))
  return { seeds, access }
}
