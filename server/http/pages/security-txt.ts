import type { Config } from '#server/platform/config/config.ts'

const DAY_MS = 86_400_000
/** RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_DAYS = 180

export function securityTxt(
  { securityContact, domains, publicUrl }: Pick<Config, 'securityContact' | 'domains' | 'publicUrl'>,
  nowMs: number,
): string {
  // Rounded to the day, so that caches see the same file all day.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
  return [
    `Contact: ${securityContact}`,
    `Contact: mailto:abuse@${domains[0]}`,
    `Contact: ${publicUrl}/report`,
    `Expires: ${expires}`,
    'Preferred-Languages: en, es',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
