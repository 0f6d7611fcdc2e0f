import type { PortCertificate } from '#contract/operator.ts'
import { toIso } from '../clock.ts'
import type { CertificateStatus } from './certificates.ts'

type Presented = {
  /** The certificate that STARTTLS presents now. */
  readonly mail: { readonly names: string; readonly validTo: string; readonly isSelfSigned: boolean; readonly problem?: string | undefined }
  readonly mailHost: string
  /** Missing without ACME. */
  readonly siteHost: string | undefined
  /** By ACME. */
  readonly obtained: readonly CertificateStatus[]
}

/** The certificates that the mail port and the site present, for the operator's page and the metrics. */
export function portCertificates({ mail, mailHost, siteHost, obtained }: Presented): PortCertificate[] {
  const statusOf = (host: string) => obtained.find(({ name }) => name === host)
  const ofMail = statusOf(mailHost)
  const ofSite = siteHost === undefined ? undefined : statusOf(siteHost)
  const { names, validTo, isSelfSigned } = mail
  return [
    {
      use: 'mail',
      name: names,
      validTo,
      isSelfSigned,
      problem: ofMail?.problem ?? mail.problem ?? null,
      retryAt: toIsoOrNull(ofMail?.retryAt),
    },
    ...(ofSite
      ? [
          {
            use: 'site' as const,
            name: ofSite.name,
            validTo: toIsoOrNull(ofSite.validTo),
            isSelfSigned: false,
            problem: ofSite.problem ?? null,
            retryAt: toIsoOrNull(ofSite.retryAt),
          },
        ]
      : []),
  ]
}

const toIsoOrNull = (ms: number | undefined) => (ms === undefined ? null : toIso(ms))
