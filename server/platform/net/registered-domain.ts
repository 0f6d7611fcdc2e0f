import { getDomain } from 'tldts'

/** The domain that somebody registered, by the public list of suffixes, which has hosting services too. Other names are their own. */
export function registeredDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: true, validateHostname: false }) ?? name.toLowerCase()
}
