import { domainToASCII } from 'node:url'
import { AppError } from '#server/errors.ts'

/**
 * The domain that a request asks for, in the form in which it is configured: lower case, and Punycode for other scripts. The default is the
 * first one. AppError `domain_not_served` for a domain that is not configured.
 */
export function servedDomain(domains: readonly string[], requested: string | undefined): string {
  const domain = requested === undefined ? domains[0] : domainToASCII(requested).toLowerCase()
  if (domain === undefined || !domains.includes(domain)) throw new AppError('domain_not_served')
  return domain
}
