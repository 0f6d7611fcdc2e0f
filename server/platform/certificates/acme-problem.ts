/** Explains why a certificate could not be obtained, in a sentence that says what to do. */

/** As reported by the thread. `type` is the last part of `urn:ietf:params:acme:error:…` (RFC 8555 section 6.7). */
export type AcmeProblem = {
  readonly type: string | undefined
  readonly detail: string
  /** How long the authority asked to wait (Retry-After); 0 if it did not. */
  readonly waitMs: number
}

type Asked = { readonly name: string; readonly directoryUrl: string; readonly email: string }

const REACH =
  'Let port 80 of this name arrive at HTTP_PORT of this server: correct its A and AAAA records, the firewall, and what else answers on port 80.'

const REMEDIES: Readonly<Record<string, (asked: Asked) => string>> = {
  connection: () => REACH,
  dns: ({ name }) => `Correct the A, AAAA and CAA records of ${name}; every name server of the domain must answer.`,
  unauthorized: () => REACH,
  incorrectResponse: () => REACH,
  tls: () => REACH,
  caa: ({ name, directoryUrl }) => `Let a CAA record of ${name} name the authority of ${directoryUrl}, or remove the CAA record.`,
  rateLimited: () => 'The authority allows no more for now: nothing needs to be done, the server tries again by itself.',
  rejectedIdentifier: ({ name }) =>
    `This authority issues nothing for ${name}: correct PUBLIC_URL and MAIL_HOST, or choose another authority with ACME_DIRECTORY_URL.`,
  unsupportedIdentifier: ({ name }) =>
    `This authority issues nothing for ${name}: correct PUBLIC_URL and MAIL_HOST, or choose another authority with ACME_DIRECTORY_URL.`,
  invalidContact: ({ email }) => `The authority refuses the address ${email}: correct ACME_EMAIL.`,
  unsupportedContact: ({ email }) => `The authority refuses the address ${email}: correct ACME_EMAIL.`,
  externalAccountRequired: () =>
    'This authority asks for an account that was made elsewhere, which is not supported: choose another with ACME_DIRECTORY_URL.',
  userActionRequired: () => 'Open the page that the authority names, agree to its terms there, and reload the server.',
  accountDoesNotExist: () => 'Move the folder acme of the data folder away and reload the server: it makes a new account.',
  serverInternal: () => 'The authority has a fault: nothing needs to be done, the server tries again by itself.',
  /** Our own type: the directory could not be read. */
  directory: ({ directoryUrl }) =>
    `Correct ACME_DIRECTORY_URL (${directoryUrl}), or let this machine reach it: it must be the https address of an ACME directory that this machine trusts.`,
  /** Our own type: no reply in time. */
  timeout: ({ directoryUrl }) => `Let this machine reach ${directoryUrl} and answer on port 80.`,
}

export function explainAcmeProblem({ type, detail }: AcmeProblem, asked: Asked): string {
  const remedy = REMEDIES[type ?? '']?.(asked) ?? `The authority of ${asked.directoryUrl} says why; the server tries again by itself.`
  return `No certificate for ${asked.name} could be obtained: ${detail.replace(/\.?$/, '.')} ${remedy}`
}
