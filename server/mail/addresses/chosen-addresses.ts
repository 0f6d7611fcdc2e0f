/**
 * Local parts that nobody may choose: who reads mail to `admin@` a domain can obtain certificates and accounts for it, and who writes as
 * `support@` can impersonate the operator. Sources: RFC 2142, CA/Browser Forum Baseline Requirements 3.2.2.4.4, names that mail software
 * looks up itself.
 */
import { isChoosable } from '#contract/text-patterns.ts'
import { AppError } from '#server/errors.ts'

/** RFC 2142, and `postmaster` from RFC 5321 section 4.5.1. Mail to these goes to the operator. */
export const OPERATOR_NAMES = words(`
  info marketing sales support abuse noc security
  postmaster hostmaster usenet news webmaster www uucp ftp`)

/** `admin` and `administrator`: Baseline Requirements 3.2.2.4.4. */
const RESERVED_NAMES = [
  ...OPERATOR_NAMES,
  ...words(`
  admin administrator
  root sysadmin system daemon mailer mailer-daemon nobody operator owner request staff superuser
  no-reply do-not-reply reply bounce bounces return returns list lists listserv majordomo
  cert certs certificate certificates certadmin caa pki dmarc dkim spf mta-sts tlsrpt bimi
  autoconfig autodiscover wpad isatap imap smtp pop pop3 mail email mx ns dns localhost domain
  billing payment payments invoice accounts account accounting finance legal privacy dpo gdpr dmca
  contact help helpdesk service team office hello press media jobs hr careers moderator official
  verify verification login signin signup password register registration confirm notification notifications
  api test tester null undefined void me anonymous guest user trust safety phishing spam mayfly`),
]
/** Any name that starts with one of these is reserved. */
const RESERVED_PREFIXES = words('ssl tls admin postmaster hostmaster webmaster mailer-daemon security abuse root-')
/**
 * Maps look-alikes to the same letter. Unicode's compatibility forms are normalised before; these are the look-alikes that remain (UTS 39).
 */
const LOOK_ALIKES: readonly [letter: string, alike: string][] = [
  ['a', '4@аαɑ'],
  ['b', '8ьвβ'],
  ['c', 'сϲ¢'],
  ['d', 'ԁɗ'],
  ['e', '3еєε€'],
  ['g', '9ɡ'],
  ['h', 'һн'],
  ['i', '1l!|іӏιıɩɪłǀ'],
  ['j', 'јϳ'],
  ['k', 'кκ'],
  ['m', 'мμ'],
  ['n', 'пηո'],
  ['o', '0оοσօøð'],
  ['p', 'рρ'],
  ['q', 'ԛ'],
  ['r', 'гᴦ'],
  ['s', '5$ѕ'],
  ['t', '7тτ'],
  ['u', 'υսцμ'],
  ['v', 'ѵν'],
  ['w', 'ԝωш'],
  ['x', 'хχ×'],
  ['y', 'уγү'],
  ['z', '2ᴢ'],
]
const FOLDED = new Map(LOOK_ALIKES.flatMap(([letter, alike]) => [...alike].map(char => [char, letter] as const)))

const reservedSkeletons = new Set(RESERVED_NAMES.map(toSkeleton))
const prefixSkeletons = RESERVED_PREFIXES.map(toSkeleton)

/** Whether this local part, or one that looks like it, is reserved. `operatorNames`: see `MailDomains`. */
export function isReserved(localPart: string, operatorNames: ReadonlySet<string> = new Set()): boolean {
  const name = localPart.split('+')[0] ?? ''
  const skeletons = [toSkeleton(name), toSkeleton(name.replace(/\d+$/, ''))]
  const operatorSkeletons = new Set([...operatorNames].map(toSkeleton))
  return skeletons.some(
    skeleton =>
      operatorSkeletons.has(skeleton) || reservedSkeletons.has(skeleton) || prefixSkeletons.some(prefix => skeleton.startsWith(prefix)),
  )
}

function toSkeleton(name: string): string {
  const folded = [...name.normalize('NFKD').toLowerCase()].map(char => FOLDED.get(char) ?? char).join('')
  return folded
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Normalises a chosen local part. `operatorNames`: see `MailDomains`. @throws AppError `local_part_reserved`, `invalid_request`. */
export function normaliseChosenLocalPart(text: string, operatorNames: ReadonlySet<string>): string {
  const localPart = text.trim().toLowerCase()
  if (isReserved(localPart, operatorNames)) throw new AppError('local_part_reserved')
  if (isChoosable(localPart)) return localPart
  throw new AppError('invalid_request', {
    detail:
      'A local part has 3 to 32 letters a to z and digits, with single dots, hyphens or underscores between them, and does not look like a generated one.',
  })
}
