/** Checks the address that an account or API token asks for against what this deployment offers. */
import { normaliseChosenLocalPart } from '#server/mail/addresses/chosen-local-part.ts'
import { servedDomain } from '#server/mail/addresses/served-domain.ts'

export type AddressRequest = { readonly domain?: string | undefined; readonly localPart?: string | undefined }
export type CheckedAddress = { readonly domain: string; readonly localPart: string | undefined }

export type OfferedNames = {
  readonly domains: readonly string[]
  /** Local parts that belong to the service: see `operatorLocalParts`. */
  readonly operatorNames: ReadonlySet<string>
}

/** AppError `domain_not_served`, `local_part_reserved`, `invalid_request`. */
export function checkAddress({ domain: requested, localPart }: AddressRequest, { domains, operatorNames }: OfferedNames): CheckedAddress {
  const domain = servedDomain(domains, requested)
  return { domain, localPart: localPart === undefined ? undefined : normaliseChosenLocalPart(localPart, operatorNames) }
}
