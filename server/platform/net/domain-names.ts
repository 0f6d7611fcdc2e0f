import { domainToASCII } from 'node:url'

/** The last label of a name has a letter: otherwise it is an IP address (RFC 3696 section 2). */
export const DOMAIN_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Whether nobody can own this name, so that it is for trying out (RFC 6761, RFC 6762). The top-level domain `.example` is missing, because
 * it stands for domains of operators in our documentation and tests.
 */
export const isReservedName = (name: string): boolean => /(?:^|\.)(?:test|localhost|invalid|local|example\.(?:com|net|org))$/.test(name)

/** Returns a domain without the `*.` by which MAIL_DOMAINS and commands name one with subdomains. */
export const bareDomain = (domain: string) => domain.replace(/^\*\./, '')

/** The name as it stands in DNS: in small letters, an international one as `xn--…`, without the dot of the root. Empty if none. */
export function normaliseDomain(name: string): string {
  const written = name.trim().normalize('NFC').toLowerCase().replace(/\.$/, '')
  return /^[!-~]*$/.test(written) ? written : domainToASCII(written)
}
