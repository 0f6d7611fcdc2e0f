import { domainToASCII } from 'node:url'

/** The last label of a name has a letter: otherwise it is an IP address (RFC 3696 section 2). */
export const DOMAIN_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** As MAIL_DOMAINS and commands name a domain: without the `*.` of one with subdomains. */
export const bareDomain = (domain: string) => domain.replace(/^\*\./, '')

/** As it stands in DNS: in small letters, an international name as `xn--…`, without the dot of the root. Empty if it cannot be a name. */
export function normaliseDomain(name: string): string {
  const written = name.trim().normalize('NFC').toLowerCase().replace(/\.$/, '')
  return /^[!-~]*$/.test(written) ? written : domainToASCII(written)
}
